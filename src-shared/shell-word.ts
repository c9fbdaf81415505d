const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word as a POSIX shell reads it back: plain ones stay as they are, everything else goes into single quotes. */
export const shellWord = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** An argument vector as one line to read or to type. */
export const shellWords = (words: readonly string[]): string => words.map(shellWord).join(' ');
