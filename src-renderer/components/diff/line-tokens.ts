import type { ChangeData, HunkData, HunkTokens, TokenNode } from 'react-diff-view';
import { pairsOf } from './diff-files.ts';

/** Longer lines are cut where they are drawn; nobody reads them, and they hold up the window. */
export const LONGEST_LINE = 2000;

/** First and last character (exclusive) of what differs between two lines; null when that is nearly all of them. */
export function differingPart(
  a: string,
  b: string,
): { readonly from: number; readonly endA: number; readonly endB: number } | null {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a[from] === b[from]) from += 1;
  let back = 0;
  while (back < shorter - from && a[a.length - 1 - back] === b[b.length - 1 - back]) back += 1;
  const isWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);
  // Whole words: half a name marked is harder to read than the name.
  while (from > 0 && isWord(a[from - 1]) && (isWord(a[from]) || isWord(b[from]))) from -= 1;
  const breaksWord = (text: string): boolean =>
    isWord(text[text.length - back]) && isWord(text[text.length - back - 1]);
  while (back > 0 && (breaksWord(a) || breaksWord(b))) back -= 1;
  const [endA, endB] = [Math.max(from, a.length - back), Math.max(from, b.length - back)];
  const same = from + back;
  return same === 0 || same < Math.min(a.trim().length, b.trim().length) / 5 ? null : { from, endA, endB };
}

const text = (value: string): TokenNode => ({ type: 'text', value });

function tokensOf(content: string, from: number, end: number): TokenNode[] {
  const isCut = content.length > LONGEST_LINE;
  const shown = isCut ? content.slice(0, LONGEST_LINE) : content;
  const tokens: TokenNode[] = [];
  const start = Math.min(from, shown.length);
  const stop = Math.min(end, shown.length);
  if (start > 0) tokens.push(text(shown.slice(0, start)));
  if (stop > start) tokens.push({ type: 'edit', children: [text(shown.slice(start, stop))] });
  if (stop < shown.length) tokens.push(text(shown.slice(stop)));
  if (isCut) tokens.push({ type: 'cut', count: content.length - LONGEST_LINE });
  return tokens;
}

/** Each line in parts: what changed within it is marked. By line number, as the diff's parts ask for them. */
export function lineTokens(hunks: readonly HunkData[]): HunkTokens {
  const tokens: HunkTokens = { old: [], new: [] };
  const parts = new Map<ChangeData, readonly [number, number]>();
  for (const [deleted, inserted] of hunks.flatMap(pairsOf)) {
    if (deleted.content.length > LONGEST_LINE || inserted.content.length > LONGEST_LINE) continue;
    const part = differingPart(deleted.content, inserted.content);
    if (part === null) continue;
    parts.set(deleted, [part.from, part.endA]);
    parts.set(inserted, [part.from, part.endB]);
  }
  for (const change of hunks.flatMap((hunk) => hunk.changes)) {
    const [from, end] = parts.get(change) ?? [0, 0];
    const line = tokensOf(change.content, from, end);
    if (change.type === 'normal') {
      tokens.old[change.oldLineNumber - 1] = line;
      tokens.new[change.newLineNumber - 1] = line;
    } else {
      tokens[change.type === 'delete' ? 'old' : 'new'][change.lineNumber - 1] = line;
    }
  }
  return tokens;
}
