import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, ledgerData } from '../../../../src-main/core/ledger/canonical-json.ts';
import { isAppError } from '../../../../src-shared/errors.ts';
import type { LedgerData, LedgerValue } from '../../../../src-shared/model/ledger-entry.ts';
import { anyLedgerData } from './arbitrary.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
  return 'none';
};

test('keys stand in the order of their UTF-16 code units, without spaces, as RFC 8785 shows it', () => {
  // The example of section 3.2.3 of the RFC.
  const value = {
    '€': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '😀': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    ö: 'Latin Small Letter O With Diaeresis',
  };
  expect(canonicalJson(value)).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

test('the canonical form of a fact survives being parsed and printed again', () => {
  fc.assert(
    fc.property(anyLedgerData, (raw) => {
      const data = ledgerData(raw);
      const text = canonicalJson(data);
      const parsed = JSON.parse(text) as LedgerData;
      expect(parsed).toEqual(data);
      expect(canonicalJson(parsed)).toBe(text);
    }),
  );
});

test('the order in which members were given does not matter', () => {
  fc.assert(
    fc.property(anyLedgerData, (raw) => {
      const turned = Object.fromEntries(Object.entries(raw).reverse());
      expect(canonicalJson(ledgerData(turned))).toBe(canonicalJson(ledgerData(raw)));
    }),
  );
});

test.each([0.5, -1.25, NaN, Infinity, 2 ** 53, 1e300])(
  'the number %d is refused as internal error',
  (number) => {
    expect(codeOf(() => ledgerData({ a: { b: [number] } }))).toBe('internal');
  },
);

test.each([
  ['a function', () => 0],
  ['a big integer', 1n],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['a hole in a list', [undefined]],
])('%s is refused as internal error', (_name, value) => {
  expect(codeOf(() => ledgerData({ a: value as unknown as LedgerValue }))).toBe('internal');
});

test('text that has no UTF-8 form is made well formed instead of blocking the fact', () => {
  const data = ledgerData({ 'a\ud800': ['\udc00b', -0], gone: undefined as unknown as null });
  expect(data).toStrictEqual({ 'a\ufffd': ['\ufffdb', 0] });
  expect(Object.is((data['a\ufffd'] as number[])[1], 0)).toBe(true);
});

test('a member that is called __proto__ is data like any other', () => {
  const data = ledgerData(JSON.parse('{"__proto__":{"x":1}}') as LedgerData);
  expect(canonicalJson(data)).toBe('{"__proto__":{"x":1}}');
});
