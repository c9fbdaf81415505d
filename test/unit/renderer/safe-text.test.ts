import fc from 'fast-check';
import { expect, test } from 'vitest';
import { screen } from '../../../src-renderer/components/SafeText.tsx';

const textOf = (parts: ReturnType<typeof screen>['parts']): string[] =>
  parts.filter((part) => typeof part === 'string');
const HIDDEN = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/u;

test('no hidden character is left as a character, whatever an agent wrote', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const part of textOf(screen(text).parts)) expect(part).not.toMatch(HIDDEN);
    }),
  );
});

test('hidden characters and links are counted, line breaks and joiners stay', () => {
  const { controls, links, parts } = screen('a\u202eb\u001b[31m\r\nक्\u200dष https://x.example/y end');
  expect([controls, links]).toEqual([2, 1]);
  expect(textOf(parts).join('')).toBe('ab[31m\nक्\u200dष  end');
});
