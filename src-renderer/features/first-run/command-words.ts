/**
 * A command line as words, the way a shell reads plain words and quotes; null for an open quote. What only a shell
 * could do (pipes, variables) stays a character.
 */
export function commandWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    const next = line[at + 1];
    if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === quote) quote = null;
    else if (quote === null && (character === "'" || character === '"')) {
      quote = character;
      word ??= '';
    } else if (character === '\\' && next !== undefined && isEscaped(next, quote)) {
      word = (word ?? '') + next;
      at += 1;
    } else word = (word ?? '') + character;
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}

/** A backslash before something else is part of a path of Windows. */
const isEscaped = (next: string, quote: "'" | '"' | null): boolean =>
  quote !== "'" && (next === '"' || next === '\\' || (quote === null && (next === "'" || next === ' ')));
