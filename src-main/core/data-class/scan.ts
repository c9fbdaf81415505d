import { denyNameFinder } from './deny-names.ts';
import { findEmails } from './email-rule.ts';
import type { DataClassHit, DataClassRules } from './hit.ts';
import { findAadhaars, findCardNumbers, findIbans, findPans } from './number-rules.ts';
import { findPhones } from './phone-rule.ts';
import type { Finder, Place } from './place.ts';
import { patternFinder } from './project-patterns.ts';
import { findPrivateKeys, TOKEN_FINDERS } from './secret-rules.ts';

/** Rules that hold for every `synthetic` project. */
const BUILT_IN: Readonly<Record<string, Finder>> = {
  pan: findPans,
  aadhaar: findAadhaars,
  'card-number': findCardNumbers,
  iban: findIbans,
  email: findEmails,
  phone: findPhones,
  'private-key': findPrivateKeys,
  ...TOKEN_FINDERS,
};

interface Found extends Place {
  readonly rule: string;
}

const NUMBERS: ReadonlySet<string> = new Set(['card-number', 'iban', 'phone', 'aadhaar']);

/**
 * In order of place. Digits inside a longer number, such as a local number in an international one, are that
 * number and not a second one.
 */
function inOrder(found: readonly Found[]): readonly Found[] {
  let reach = 0;
  return found
    .toSorted((a, b) => a.index - b.index || b.length - a.length || (a.rule < b.rule ? -1 : 1))
    .filter((hit) => {
      if (!NUMBERS.has(hit.rule)) return true;
      const end = hit.index + hit.length;
      const isPart = end <= reach && (hit.rule === 'phone' || hit.rule === 'aadhaar');
      reach = Math.max(reach, end);
      return !isPart;
    });
}

/**
 * Finds what looks like real personal data (10-relay, Data class). Pure, and linear in the size of the text.
 *
 * @param text any text; lines end with `\n`
 * @returns hits in order of their place; `column` and `length` count UTF-16 code units
 * @throws AppError 'config-invalid' when a pattern of the project cannot be used (see `patternProblem`)
 */
export function scanText(text: string, rules: DataClassRules): readonly DataClassHit[] {
  const finders: readonly (readonly [string, Finder])[] = [
    ...Object.entries(BUILT_IN),
    ['deny-name', denyNameFinder(rules.denyNames)],
    ...Object.entries(rules.patterns).map(([rule, source]) => [rule, patternFinder(rule, source)] as const),
  ];
  const found: Found[] = [];
  for (const [rule, find] of finders) {
    for (const place of find(text)) found.push({ rule, ...place });
  }
  return locate(text, inOrder(found));
}

/** Turns offsets, in ascending order, into lines and columns in one pass. */
function locate(text: string, found: readonly Found[]): readonly DataClassHit[] {
  const endOfLine = (from: number): number => {
    const newline = text.indexOf('\n', from);
    return newline === -1 ? text.length : newline;
  };
  let line = 1;
  let lineStart = 0;
  let lineEnd = endOfLine(0);
  return found.map(({ rule, index, length }) => {
    while (index > lineEnd) {
      line += 1;
      lineStart = lineEnd + 1;
      lineEnd = endOfLine(lineStart);
    }
    return { rule, line, column: index - lineStart + 1, length };
  });
}

/** For a refusal: the rule and the place, never the value. */
export const describeHit = (hit: DataClassHit): string =>
  `${hit.rule} at line ${hit.line}, column ${hit.column}`;

/** The value itself, only for comparing it or hashing it: it is neither shown nor stored. */
export function valueAt(text: string, hit: DataClassHit): string {
  let start = 0;
  for (let line = 1; line < hit.line; line += 1) start = text.indexOf('\n', start) + 1;
  return text.slice(start + hit.column - 1, start + hit.column - 1 + hit.length);
}
