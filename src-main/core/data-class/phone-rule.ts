import metadata from 'libphonenumber-js/min/metadata';
import type { Finder, Place } from './place.ts';

/*
 * The library's data without its parser, which takes 70 ms to load: for each calling code the pattern of its
 * national numbers (`countries.XX[2]`; libphonenumber-js, metadata version 4).
 */
type Row = readonly unknown[];
const callingCodes: Readonly<Record<string, readonly string[] | undefined>> = metadata.country_calling_codes;
const countries = metadata.countries as unknown as Readonly<Record<string, Row | undefined>>;
const nonGeographic = (metadata as unknown as { readonly nonGeographic?: Readonly<Record<string, Row>> })
  .nonGeographic;

const patterns = new Map<string, RegExp>();

function fitsRow(key: string, row: Row | undefined, national: string): boolean {
  const source = row?.[2];
  if (typeof source !== 'string') return false;
  let pattern = patterns.get(key);
  if (pattern === undefined) {
    pattern = new RegExp(`^(?:${source})$`);
    patterns.set(key, pattern);
  }
  return pattern.test(national);
}

/** @param digits calling code and national number, no other characters */
function isInternational(digits: string): boolean {
  for (let length = 1; length <= 3; length += 1) {
    const code = digits.slice(0, length);
    const national = digits.slice(length);
    for (const country of callingCodes[code] ?? []) {
      if (fitsRow(country, countries[country], national)) return true;
    }
    if (fitsRow(code, nonGeographic?.[code], national)) return true;
  }
  return false;
}

/** Numbers that regulators keep free for films and examples (NANPA 555-01xx; Ofcom drama numbers). */
const FICTIONAL =
  /^(?:1?[2-9]\d{2}55501\d{2}|(?:44|0)(?:7700900\d{3}|2079460\d{3}|1\d{2}4960\d{3}|1632960\d{3}))$/;

/** Digits from `from` on with at most two separating characters between two, 15 at most (ITU-T E.164). */
function* digitEnds(text: string, from: number): Generator<{ digits: string; end: number }> {
  let digits = '';
  let at = from;
  while (digits.length < 15) {
    let next = at;
    while (next - at < 2 && /^[ ().\-/]$/.test(text.charAt(next))) next += 1;
    if (!/^\d$/.test(text.charAt(next))) return;
    digits += text.charAt(next);
    at = next + 1;
    if (!/^\d$/.test(text.charAt(at))) yield { digits, end: at };
  }
}

const isDecimalAt = (text: string, end: number): boolean =>
  /^[.,]\d/.test(text.slice(end, end + 2)) || /^[A-Za-z]/.test(text.charAt(end));

/** The longest number from `from` on that `accept` takes. */
function longest(text: string, from: number, accept: (digits: string) => boolean): number | null {
  let best: number | null = null;
  for (const { digits, end } of digitEnds(text, from)) {
    if (digits.length >= 8 && !isDecimalAt(text, end) && accept(digits)) best = end;
  }
  return best;
}

const PLUS = /(?<![A-Za-z0-9+])\+(?=\(?\d)/g;
const DOUBLE_ZERO = /(?<![A-Za-z0-9.,+-])00(?=[1-9]\d{0,2}[ -])/g;

function* internationals(text: string): Generator<Place> {
  const accept = (digits: string): boolean => isInternational(digits) && !FICTIONAL.test(digits);
  for (const match of [...text.matchAll(PLUS), ...text.matchAll(DOUBLE_ZERO)]) {
    const end = longest(text, match.index + match[0].length, accept);
    if (end !== null) yield { index: match.index, length: end - match.index };
  }
}

/** Forms that are hardly anything else: an Indian mobile in fives, an American number, a British mobile. */
const LOCAL =
  /(?<![A-Za-z0-9.,+-])(?:0?[6-9]\d{4}[ -]\d{5}|\([2-9]\d{2}\) ?[2-9]\d{2}-\d{4}|[2-9]\d{2}-[2-9]\d{2}-\d{4}|07\d{3} \d{6})(?![A-Za-z0-9-]|[.,]\d)/g;

function* locals(text: string): Generator<Place> {
  for (const match of text.matchAll(LOCAL)) {
    if (!FICTIONAL.test(match[0].replaceAll(/\D/g, '')))
      yield { index: match.index, length: match[0].length };
  }
}

/** A word in front that says what the number is: `phone: "98..."`, `Mob. no. 98...`, `tel=080 ...`. */
const NAMED =
  /(?<![A-Za-z])(?:phone|mobile|mob|telephone|tel|cell|fax|whatsapp)[ _-]?(?:number|num|no|nr)?\.?["']?[ \t]{0,3}[:=]?[ \t]{0,3}["']?(?=[(\d])/gi;

function* named(text: string): Generator<Place> {
  const accept = (digits: string): boolean => {
    if (FICTIONAL.test(digits)) return false;
    const national = digits.replace(/^0/, '');
    const isKnown = ['IN', 'US', 'GB'].some((country) => fitsRow(country, countries[country], national));
    return digits.length <= 11 && isKnown && !/^(\d)\1+$/.test(digits);
  };
  for (const match of text.matchAll(NAMED)) {
    const index = match.index + match[0].length;
    const end = longest(text, index, accept);
    if (end !== null) yield { index, length: end - index };
  }
}

/**
 * Phone numbers: `+` or `00` and a number that the numbering plan of its country allows, a local form that is
 * hardly anything else, or a number that the word in front names. Plain numbers, dates, versions and amounts
 * are none.
 */
export const findPhones: Finder = function* (text) {
  yield* internationals(text);
  yield* locals(text);
  yield* named(text);
};
