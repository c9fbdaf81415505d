import fc from 'fast-check';
import { hasLuhnCheck, hasVerhoeffCheck } from '../../../../src-main/core/data-class/check-digits.ts';

const DIGITS = '0123456789';
const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: length, maxLength: length });
const letters = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: length, maxLength: length });

/** The body with the one last digit that makes it valid: the checks are tested against published numbers. */
const complete = (body: string, isValid: (digits: string) => boolean): string => {
  const digit = [...DIGITS].find((last) => isValid(body + last));
  if (digit === undefined) throw new Error(`no check digit fits ${body}`);
  return body + digit;
};

const grouped = (number: string, sizes: readonly number[], separator: string): string => {
  let from = 0;
  const parts = sizes.map((size) => number.slice(from, (from += size)));
  return parts.join(separator);
};

export const separator = fc.constantFrom(' ', '-');

export const aadhaar = fc
  .tuple(fc.constantFrom(...'23456789'), digits(10))
  .map(([first, rest]) => complete(first + rest, hasVerhoeffCheck));

export const writtenAadhaar = fc
  .tuple(aadhaar, fc.option(separator))
  .map(([number, by]) => (by === null ? number : grouped(number, [4, 4, 4], by)));

export const card = fc
  .oneof(
    digits(14).map((rest) => `4${rest}`),
    digits(13).map((rest) => `51${rest}`),
    digits(11).map((rest) => `2221${rest}`),
    digits(12).map((rest) => `37${rest}`),
    digits(11).map((rest) => `36${rest}`),
    digits(14).map((rest) => `62${rest}`.slice(0, 15)),
    digits(17).map((rest) => `4${rest}`),
    digits(11).map((rest) => `4${rest}`),
  )
  .map((body) => complete(body, hasLuhnCheck));

const SHAPES: Readonly<Record<number, readonly number[]>> = {
  13: [4, 4, 5],
  14: [4, 6, 4],
  15: [4, 6, 5],
  16: [4, 4, 4, 4],
  19: [4, 4, 4, 4, 3],
};

export const writtenCard = fc
  .tuple(card, fc.option(separator))
  .map(([number, by]) => (by === null ? number : grouped(number, SHAPES[number.length] ?? [], by)));

export const pan = fc
  .tuple(letters(3), fc.constantFrom(...'ABCFGHJLPT'), letters(1), digits(4), letters(1))
  .filter(([, , , serial]) => serial !== '0000')
  .map((parts) => parts.join(''));

/** Remainder of the rearranged number by 97, digit by digit (ISO 7064, MOD 97-10). */
const mod97 = (text: string): number =>
  [...text].reduce((rest, character) => {
    const value = parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

const ibanOf = (country: string, account: string): string => {
  const check = 98 - mod97(`${account}${country}00`);
  return `${country}${String(check).padStart(2, '0')}${account}`;
};

export const iban = fc.oneof(
  digits(18).map((account) => ibanOf('DE', account)),
  fc.tuple(letters(4), digits(14)).map(([bank, account]) => ibanOf('GB', bank + account)),
  fc.tuple(letters(4), digits(10)).map(([bank, account]) => ibanOf('NL', bank + account)),
  digits(11).map((account) => ibanOf('NO', account)),
);

export const writtenIban = fc
  .tuple(iban, fc.boolean())
  .map(([number, isGrouped]) => (isGrouped ? number.replaceAll(/(.{4})(?=.)/g, '$1 ') : number));

/** One digit of the number replaced by another. */
export const corrupted = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(of, fc.nat(), fc.integer({ min: 1, max: 9 })).map(([number, seed, by]) => {
    const places = [...number].flatMap((character, at) => (/\d/.test(character) ? [at] : []));
    const at = places[seed % places.length] ?? 0;
    const digit = (Number(number[at]) + by) % 10;
    return number.slice(0, at) + String(digit) + number.slice(at + 1);
  });

/** Text around a number: anything, set off by a character that ends words. */
export const around = fc.tuple(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(' ', '\n', '\t', '(', '"', ':', '; ', '='),
  fc.constantFrom(' ', '\n', '\t', ')', '"', ';', '. '),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
