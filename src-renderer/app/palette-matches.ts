import { defaultFilter } from 'cmdk';

/** Rows of a group that are drawn; typing narrows what is there. */
const MOST_ROWS = 50;

/**
 * The entries that fit what is typed best, the best first; with nothing typed the first ones. By the palette's own
 * measure, so that it shows just these.
 *
 * @param entries what it searches, however many
 * @param wordsOf what an entry is found by; also its value in the palette
 */
export function matching<Entry>(
  entries: readonly Entry[],
  typed: string,
  wordsOf: (entry: Entry) => string,
): readonly Entry[] {
  if (typed.trim() === '') return entries.slice(0, MOST_ROWS);
  return entries
    .map((entry) => ({ entry, score: defaultFilter(wordsOf(entry), typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_ROWS)
    .map(({ entry }) => entry);
}
