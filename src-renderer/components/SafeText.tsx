import { Fragment, useMemo, type ReactNode } from 'react';
import { HIDDEN, visibleText } from '../../src-shared/visible-text.ts';

const ANY_HIDDEN = new RegExp(HIDDEN, 'u');
/** Line feeds and tabs are shown as what they are. */
const CHIPPED = `(?![\\n\\t])${HIDDEN}`;
const HIDDEN_EACH = new RegExp(CHIPPED, 'gu');
const HIDDEN_OR_LINK = new RegExp(`(https?://[^\\s<>"'\`]+)|${CHIPPED}`, 'gu');
const SHORT_NAMES: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BS',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
};

const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
/** `ESC`, `U+202E` */
export const controlName = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return SHORT_NAMES[code] ?? hex(code);
};

/** More chips would hold up the window; further hidden characters are named by plain characters. */
const MOST_CHIPS = 2000;

export interface Screened {
  readonly parts: readonly ReactNode[];
  readonly controls: number;
  readonly links: number;
}

const chip = (key: number, character: string): ReactNode => (
  <span key={key} className="ctl" title={hex(character.codePointAt(0) ?? 0)}>
    {controlName(character)}
  </span>
);

/** Hidden characters as chips, the rest as it is: an address may hold them as well. */
function chipped(text: string): Omit<Screened, 'links'> {
  const parts: ReactNode[] = [];
  let at = 0;
  let controls = 0;
  for (const match of text.matchAll(HIDDEN_EACH)) {
    if (controls >= MOST_CHIPS) break;
    if (match.index > at) parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    controls += 1;
    parts.push(chip(match.index, match[0]));
  }
  if (at < text.length) parts.push(visibleText(text.slice(at)));
  return { parts, controls };
}

/** Text of an agent or a program as nodes: everything a character, hidden ones as named chips, links inert. */
export function screen(text: string): Screened {
  const parts: ReactNode[] = [];
  const clean = text.replace(/\r\n/g, '\n');
  let [controls, links, at] = [0, 0, 0];
  for (const match of clean.matchAll(HIDDEN_OR_LINK)) {
    if (controls + links >= MOST_CHIPS) {
      const rest = clean.slice(at);
      parts.push(visibleText(rest));
      controls += rest.match(HIDDEN_EACH)?.length ?? 0;
      return { parts, controls, links };
    }
    if (match.index > at) parts.push(clean.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1] !== undefined) {
      links += 1;
      const inside = chipped(match[1]);
      controls += inside.controls;
      parts.push(
        <span key={match.index} className="inert">
          {inside.parts}
        </span>,
      );
    } else {
      controls += 1;
      parts.push(chip(match.index, match[0]));
    }
  }
  if (at < clean.length) parts.push(clean.slice(at));
  return { parts, controls, links };
}

/** Such text inside a line of ours: an option, a path, a line of code. */
export function SafeText({ text }: { text: string }) {
  const { parts } = useMemo(() => screen(text), [text]);
  return (
    <bdi>
      {parts.map((part, index) => (
        <Fragment key={index}>{part}</Fragment>
      ))}
    </bdi>
  );
}

/** One line of such text, for rows and menus: line breaks become spaces. */
export function SafeLine({ text, most = 300 }: { text: string; most?: number }) {
  const nodes = useMemo(() => {
    const line = text.slice(0, most).replace(/\s+/g, ' ');
    return ANY_HIDDEN.test(line) ? screen(line).parts : [line];
  }, [text, most]);
  return (
    <bdi>
      {nodes.map((node, index) => (
        <Fragment key={index}>{node}</Fragment>
      ))}
    </bdi>
  );
}
