import { cutText } from './cut-text.ts';

/** Lines of a change that a timeline shows without being asked. */
const SHOWN_LINES = 6;
const LONGEST_LINE = 200;

/** What an editing tool was asked to put in place of what; whether it did, its result says. */
export interface ToolChange {
  readonly added: number;
  readonly removed: number;
  /** The first lines of it, removed ones before added ones. */
  readonly lines: readonly { readonly sign: '+' | '-'; readonly text: string }[];
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Lines that differ once the common beginning and the common end are taken off. */
function differing(
  before: string,
  after: string,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end += 1;
  }
  return { removed: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function editsOf(
  name: string,
  input: Readonly<Record<string, unknown>>,
): readonly { before: string; after: string }[] {
  switch (name) {
    case 'Edit':
      return [{ before: textOf(input['old_string']), after: textOf(input['new_string']) }];
    case 'MultiEdit':
      return (Array.isArray(input['edits']) ? (input['edits'] as readonly unknown[]) : []).flatMap((edit) => {
        if (edit === null || typeof edit !== 'object') return [];
        const { old_string: before, new_string: after } = edit as Readonly<Record<string, unknown>>;
        return [{ before: textOf(before), after: textOf(after) }];
      });
    case 'Write':
      return [{ before: '', after: textOf(input['content']) }];
    case 'NotebookEdit':
      return [{ before: '', after: textOf(input['new_source']) }];
    default:
      return [];
  }
}

/**
 * The change in the input of a tool that edits files, null for every other tool and for input that cannot be read.
 * What a `Write` replaces is not known here, so it counts as added lines alone.
 */
export function changeOfTool(name: string, input: string): ToolChange | null {
  if (!['Edit', 'MultiEdit', 'Write', 'NotebookEdit'].includes(name)) return null;
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return null;
  }
  if (value === null || typeof value !== 'object') return null;
  let added = 0;
  let removed = 0;
  const lines: { sign: '+' | '-'; text: string }[] = [];
  for (const { before, after } of editsOf(name, value as Readonly<Record<string, unknown>>)) {
    const change = differing(before, after);
    added += change.added.length;
    removed += change.removed.length;
    const room = SHOWN_LINES - lines.length;
    // Both sides get their part of what is shown.
    const shownRemoved = Math.min(
      change.removed.length,
      Math.max(Math.floor(room / 2), room - change.added.length),
    );
    const show = (sign: '+' | '-', texts: readonly string[]): void => {
      for (const text of texts) lines.push({ sign, text: cutText(text, LONGEST_LINE) });
    };
    show('-', change.removed.slice(0, shownRemoved));
    show('+', change.added.slice(0, Math.max(0, room - shownRemoved)));
  }
  return { added, removed, lines };
}
