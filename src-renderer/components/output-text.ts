/** Sequences that only colour or weigh text (ECMA-48, SGR). Every other sequence is shown, not obeyed. */
const COLOURS = /\u001b\[[0-9;:]*m/g;

export const withoutColours = (text: string): string => text.replace(COLOURS, '');

/** The end of a text, without empty lines behind it. */
export function lastLinesOf(text: string, count: number): string {
  const whole = text.replace(/\s+$/, '');
  let from = whole.length;
  for (let line = 0; line < count && from > 0; line += 1) from = whole.lastIndexOf('\n', from - 1);
  return whole.slice(from + 1);
}
