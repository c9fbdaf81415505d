/** A part of the scanned text, in UTF-16 code units from its start. */
export interface Place {
  readonly index: number;
  readonly length: number;
}

/** Finds every place of one kind; linear in the length of the text. */
export type Finder = (text: string) => Iterable<Place>;

/** A finder for a pattern without groups that could backtrack: the whole match is the place. */
export const byPattern = (pattern: RegExp, accept: (value: string) => boolean = () => true): Finder =>
  function* (text) {
    for (const match of text.matchAll(pattern)) {
      if (accept(match[0])) yield { index: match.index, length: match[0].length };
    }
  };
