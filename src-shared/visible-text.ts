/**
 * Text that an agent or a repository wrote is data, never layout. These functions make it safe to print: what a
 * terminal or a reader would interpret instead of show becomes a visible mark, nothing is dropped.
 */

/**
 * Source of an expression (flag `u`) for one hidden character: control and format characters (bidirectional overrides,
 * zero-width space, tags, byte order mark), line and paragraph separators, lone surrogates, and what Unicode wants drawn
 * as nothing (Default_Ignorable_Code_Point: fillers, and code points beside the tags that have no meaning yet). The
 * joiners U+200C and U+200D and the variation selectors are none: Indic, Persian, Mongolian and Japanese text and emoji
 * need them, and they move nothing.
 */
export const HIDDEN = String.raw`(?![\u200c\u200d\p{VS}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]`;
const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');
const DELETE = 0x7f;
/** First of Unicode's "control pictures", which are ordinary visible characters. */
const PICTURES = 0x2400;

function mark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  if (code === DELETE) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Keeps line feeds and tabs; a carriage return before a line feed is part of the line's end. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(EACH_HIDDEN, (character) =>
      character === '\n' || character === '\t' ? character : mark(character),
    );

/** For one line or one table cell: line feeds and tabs become visible too. */
export const visibleLine = (text: string): string => text.replace(EACH_HIDDEN, mark);

/** At most `length` characters of a visible line, with `…` when something was cut. */
export function shortLine(text: string, length: number): string {
  const characters = [...visibleLine(text)];
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

/** Columns a character may take in a terminal: two for everything outside Latin, so that nothing is under-counted. */
const columnsOf = (character: string): number => ((character.codePointAt(0) ?? 0) < 0x300 ? 1 : 2);

/** Breaks between words where a line has any, else anywhere; every character is kept, the space at a break included. */
function wrap(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const character of line.replace(/\t/g, '    ')) {
    const needed = columnsOf(character);
    if (used + needed > columns && current !== '') {
      const space = current.lastIndexOf(' ') + 1;
      const cut = space > columns / 2 ? space : current.length;
      lines.push(current.slice(0, cut));
      current = current.slice(cut);
      used = [...current].reduce((sum, each) => sum + columnsOf(each), 0);
    }
    current += character;
    used += needed;
  }
  lines.push(current);
  return lines;
}

/**
 * Untrusted text inside a marked block: a heading that names who wrote it, and a bar before every line. Lines are
 * wrapped here and not by the terminal, so that no part of the text ever starts at the left edge.
 *
 * @param author shown as given by us (an agent's display name), made visible as well
 * @param columns width of the terminal
 */
export function markedBlock(author: string, text: string, columns = 80): string {
  const width = Math.max(20, columns) - 2;
  const lines = visibleText(text)
    .split('\n')
    .flatMap((line) => wrap(line, width));
  return [`┌ ${shortLine(author, width)}`, ...lines.map((line) => `│ ${line}`), '└'].join('\n');
}

const MARKDOWN_PUNCTUATION = /[!"#$%'()*+,\-./:;=?@[\\\]^_`{|}~]/g;
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * One line of untrusted text as Markdown that shows exactly its characters: no HTML, no link (bare addresses
 * included), no emphasis, no table cell of its own. Every ASCII punctuation mark may be escaped by a backslash
 * (CommonMark 0.31, section 2.4).
 */
export const markdownLine = (text: string): string =>
  visibleLine(text)
    .replace(MARKDOWN_PUNCTUATION, '\\$&')
    .replace(/[&<>]/g, (character) => HTML[character] ?? character);
