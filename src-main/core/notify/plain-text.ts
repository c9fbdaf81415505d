import { HIDDEN } from '../../../src-shared/visible-text.ts';

/** Longest body of a notification (DESIGN, 7). */
export const LONGEST_BODY = 140;
const LONGEST_NAME = 60;

/** As in visible-text, but here such characters go: a notification has no place to show marks. */
const INVISIBLE = new RegExp(`${HIDDEN}|[\\p{Co}\\p{Cn}]`, 'gu');
const TAG = /<[/!?]?[a-z][^<>]*>/gi;
const LINK = /!?\[([^[\]]*)\]\([^()]*\)/g;
const EMPHASIS = /\*\*|__|~~|`+|^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm;

const characters = (text: string): string[] => [...text];

/** At most `most` characters, with `…` when something was cut. */
export function clipped(text: string, most: number): string {
  const all = characters(text);
  return all.length <= most
    ? text
    : `${all
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** Removing one mark can leave another: `<scr<b>ipt>`. Each round shortens the text, so that it ends. */
function withoutMarkup(text: string): string {
  const next = text.replace(TAG, '').replace(LINK, '$1').replace(EMPHASIS, '');
  return next === text ? text : withoutMarkup(next);
}

/**
 * Foreign text as one plain line: no markup, no control, bidirectional or invisible characters, no line breaks.
 * Notification services read HTML-like tags, people read Markdown; both go.
 *
 * @param most characters of the result at most
 */
export function plainLine(text: string, most: number): string {
  // Far more than is shown, so that a text of megabytes costs nothing.
  const start = text.slice(0, most * 20);
  const plain = withoutMarkup(start.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
    .replace(INVISIBLE, (character) => (character === '\n' ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim();
  return clipped(plain, most);
}

export const plainName = (name: string): string => plainLine(name, LONGEST_NAME);

/** A sentence's end, unless the text has one already. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
