import { counted } from '../../../src-shared/counted.ts';

/** How much of the conflicts a prompt carries; the files have all of it. */
const MOST_CHARACTERS = 6000;
const MOST_LINES_OF_ONE = 40;

export interface ConflictedText {
  readonly path: string;
  /** With git's conflict marks. */
  readonly text: string;
}

/**
 * The marked places of conflicted files, with path and line, up to a size that leaves room for the rest of a prompt.
 *
 * @param ours begin of the line above a conflict, `theirs` of the one below it
 */
export function conflictHunks(
  files: readonly ConflictedText[],
  ours: string,
  theirs: string,
): { readonly hunks: readonly string[]; readonly leftOut: number } {
  const all = files.flatMap((file) => hunksOf(file, ours, theirs));
  const hunks: string[] = [];
  let size = 0;
  for (const hunk of all) {
    size += hunk.length;
    if (size > MOST_CHARACTERS) break;
    hunks.push(hunk);
  }
  return { hunks, leftOut: all.length - hunks.length };
}

function hunksOf({ path, text }: ConflictedText, ours: string, theirs: string): readonly string[] {
  const lines = text.split('\n');
  const hunks: string[] = [];
  let begin: number | null = null;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith(ours)) begin = at;
    if (begin === null || !line.startsWith(theirs)) continue;
    const marked = lines.slice(begin, at + 1);
    const shown =
      marked.length > MOST_LINES_OF_ONE
        ? [
            ...marked.slice(0, MOST_LINES_OF_ONE),
            `… ${counted(marked.length - MOST_LINES_OF_ONE, 'more line')}`,
          ]
        : marked;
    hunks.push([`${path}, line ${begin + 1}:`, ...shown].join('\n'));
    begin = null;
  }
  return hunks;
}
