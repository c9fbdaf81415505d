import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRawDiff } from '../../../../src-main/adapters/git/changed-files.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const NONE = '0'.repeat(40);

test('every kind of change is read from a raw diff', () => {
  const text = [
    `:000000 100644 ${NONE} ${A} A`,
    'new', //
    `:100644 000000 ${A} ${NONE} D`,
    'old', //
    `:100644 100644 ${A} ${B} R087`,
    'from',
    'to', //
    `:100644 100644 ${A} ${B} C100`,
    'source',
    'copy', //
    `:100644 120000 ${A} ${B} T`,
    'type', //
    `:000000 160000 ${NONE} ${A} A`,
    'sub', //
  ]
    .map((part) => `${part}\0`)
    .join('');
  expect(parseRawDiff(text)).toEqual([
    { path: 'new', from: null, status: 'added', mode: '100644', oldBlob: null, newBlob: A },
    { path: 'old', from: null, status: 'deleted', mode: '000000', oldBlob: A, newBlob: null },
    { path: 'to', from: 'from', status: 'renamed', mode: '100644', oldBlob: A, newBlob: B },
    { path: 'copy', from: null, status: 'added', mode: '100644', oldBlob: A, newBlob: B },
    { path: 'type', from: null, status: 'type-changed', mode: '120000', oldBlob: A, newBlob: B },
    { path: 'sub', from: null, status: 'added', mode: '160000', oldBlob: null, newBlob: null },
  ]);
  expect(parseRawDiff('')).toEqual([]);
});

test('any path of bytes but NUL comes through as it is', () => {
  const place = fc.string({ minLength: 1 }).filter((each) => !each.includes('\0'));
  fc.assert(
    fc.property(fc.array(place, { maxLength: 5 }), (places) => {
      const text = places.map((each) => `:100644 100644 ${A} ${B} M\0${each}\0`).join('');
      expect(parseRawDiff(text).map((change) => change.path)).toEqual(places);
    }),
  );
});

test('what is no raw diff is an error, not a change', () => {
  expect(() => parseRawDiff('warning: something\0')).toThrow('Unreadable raw diff');
});
