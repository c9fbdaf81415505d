import ibanModule from 'validator/lib/isIBAN.js';
import { hasLuhnCheck, hasVerhoeffCheck } from './check-digits.ts';
import { byPattern } from './place.ts';
import type { Finder, Place } from './place.ts';

/** The file is CommonJS: Node gives its exports as the default, a bundler the function itself. */
const isIBAN = 'default' in ibanModule ? (ibanModule as { default: typeof ibanModule }).default : ibanModule;

/**
 * Indian permanent account number: three letters, the holder's kind (A, B, C, F, G, H, J, L, P or T), the
 * initial of the name, a serial from 0001, a letter (Income Tax Department, format of PAN). It has no public
 * check digit. All capitals or all small.
 */
export const findPans: Finder = byPattern(
  /(?<![A-Za-z0-9])(?:[A-Z]{3}[ABCFGHJLPT][A-Z](?!0000)\d{4}[A-Z]|[a-z]{3}[abcfghjlpt][a-z](?!0000)\d{4}[a-z])(?![A-Za-z0-9])/g,
);

/** A run of digits with where it lies, and the single separator in front of it, if one joins it to the last. */
interface DigitGroup extends Place {
  readonly digits: string;
  readonly joinedBy: string;
}

/**
 * Runs of groups of digits that one separator, always the same, joins (`4111 1111 1111 1111`). A run next to a
 * letter, or one that is a part of a decimal number, is left out: hashes, names, amounts. The pattern takes at most 19 digits
 * and a look at the next character, so that a long row of digits costs no more than its length.
 */
function* digitRuns(text: string): Generator<readonly DigitGroup[]> {
  let run: DigitGroup[] = [];
  let end = -1;
  for (const match of text.matchAll(/\d+/g)) {
    const digits = match[0];
    const index = match.index;
    const between = index === end + 1 ? text.charAt(end) : '';
    const isJoined = between === ' ' || between === '-';
    const last = run.at(-1);
    const keepsSeparator = last !== undefined && (last.joinedBy === '' || last.joinedBy === between);
    if (run.length > 0 && isJoined && keepsSeparator) {
      run.push({ digits, index, length: digits.length, joinedBy: between });
    } else {
      if (run.length > 0) yield run;
      // A change of separator begins a new run that still starts with the group before it.
      run = [{ digits, index, length: digits.length, joinedBy: '' }];
      if (isJoined && last !== undefined) {
        run = [
          { ...last, joinedBy: '' },
          { digits, index, length: digits.length, joinedBy: between },
        ];
      }
    }
    end = index + digits.length;
  }
  if (run.length > 0) yield run;
}

const isWordCharacter = (character: string): boolean => /^[A-Za-z0-9]$/.test(character);

/** False inside a word, and for the part of a decimal number on either side of its point. */
function standsAlone(text: string, place: Place): boolean {
  const end = place.index + place.length;
  if (isWordCharacter(text.charAt(place.index - 1)) || isWordCharacter(text.charAt(end))) return false;
  const isFraction = /[.,]/.test(text.charAt(place.index - 1)) && /\d/.test(text.charAt(place.index - 2));
  const hasFraction = /[.,]/.test(text.charAt(end)) && /\d/.test(text.charAt(end + 1));
  return !isFraction && !hasFraction;
}

function* windows(
  text: string,
  isShape: (lengths: readonly number[]) => boolean,
  most: number,
  isNumber: (digits: string) => boolean,
): Generator<Place> {
  for (const run of digitRuns(text)) {
    for (let first = 0; first < run.length; first += 1) {
      const start = run[first];
      if (start === undefined) continue;
      let digits = '';
      const lengths: number[] = [];
      for (const group of run.slice(first, first + most)) {
        if (digits.length + group.length > 19) break;
        digits += group.digits;
        lengths.push(group.length);
        if (!isShape(lengths) || !isNumber(digits)) continue;
        const place = { index: start.index, length: group.index + group.length - start.index };
        if (standsAlone(text, place)) yield place;
      }
    }
  }
}

/** Twelve digits at once, or four, four and four. */
const isAadhaarShape = (lengths: readonly number[]): boolean =>
  (lengths.length === 1 && lengths[0] === 12) ||
  (lengths.length === 3 && lengths.every((length) => length === 4));

const UUID_BEFORE = /-[0-9a-fA-F]{4}-$/;

/** Indian Aadhaar number: 12 digits, the first from 2 to 9, the last a Verhoeff check (UIDAI). */
export const findAadhaars: Finder = function* (text) {
  const isAadhaar = (digits: string): boolean => /^[2-9]/.test(digits) && hasVerhoeffCheck(digits);
  for (const place of windows(text, isAadhaarShape, 3, isAadhaar)) {
    const before = text.slice(Math.max(0, place.index - 6), place.index);
    // The last group of a UUID may happen to hold only digits.
    if (place.length === 12 && UUID_BEFORE.test(before)) continue;
    yield place;
  }
};

/**
 * Issuer prefixes with the lengths they are given out in (ISO/IEC 7812 ranges as published by the networks:
 * Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay, RuPay, Maestro, Mir; looked up 2026).
 */
const ISSUERS: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30[0-5]|3095|36|3[89])/, [14, 15, 16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:60|81|82|508|353|356)/, [16]],
  [/^(?:50|5[6-8]|6304|67)/, [13, 14, 15, 16, 17, 18, 19]],
  [/^220[0-4]/, [16, 17, 18, 19]],
];

const isCardNumber = (digits: string): boolean =>
  ISSUERS.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)) &&
  hasLuhnCheck(digits);

/** In one piece; in fours with a shorter last group; 4-6-5, 4-6-4, 4-4-5 and 6-13 as they are embossed. */
function isCardShape(lengths: readonly number[]): boolean {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total < 13 || total > 19) return false;
  if (lengths.length === 1) return true;
  if (['4-6-5', '4-6-4', '4-4-5', '6-13'].includes(lengths.join('-'))) return true;
  return lengths.slice(0, -1).every((length) => length === 4) && (lengths.at(-1) ?? 0) <= 4;
}

/** Payment card numbers: 13 to 19 digits, a known issuer's prefix and length, Luhn check. */
export const findCardNumbers: Finder = (text) => windows(text, isCardShape, 5, isCardNumber);

const IBAN_START = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g;
const IBAN_MIN = 15;
const IBAN_MAX = 34;

/** IBANs of every country that uses them: length and form by country, mod 97 check (ISO 13616), grouped or not. */
export const findIbans: Finder = function* (text) {
  for (const match of text.matchAll(IBAN_START)) {
    let compact = '';
    for (let at = match.index; compact.length < IBAN_MAX && at < text.length; at += 1) {
      const character = text.charAt(at);
      if (isWordCharacter(character)) compact += character;
      else if ((character !== ' ' && character !== '-') || !isWordCharacter(text.charAt(at + 1))) break;
      else continue;
      if (compact.length < IBAN_MIN || isWordCharacter(text.charAt(at + 1))) continue;
      if (isIBAN(compact)) {
        yield { index: match.index, length: at + 1 - match.index };
        break;
      }
    }
  }
};
