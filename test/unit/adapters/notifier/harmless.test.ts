import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmless } from '../../../../src-main/adapters/notifier/text-notifier.ts';

test('nothing that a shell, markup or an option parser reads is left of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(harmless(text)).not.toMatch(
        /["'`$\\;&|<>{}[\]*~#!^\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e]|^-/u,
      );
    }),
  );
});

test('ordinary text stays as it is', () => {
  expect(harmless('Cache tariffs. 4 files, 214 tests passed (ok?) – ü')).toBe(
    'Cache tariffs. 4 files, 214 tests passed (ok?) ü',
  );
});
