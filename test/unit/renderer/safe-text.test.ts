import fc from 'fast-check';
import { isValidElement, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { screen } from '../../../src-renderer/components/SafeText.tsx';

const textOf = (parts: ReturnType<typeof screen>['parts']): string[] =>
  parts.filter((part) => typeof part === 'string');
/** Every text in it, chips left out: what is drawn as it was written. */
function drawn(node: ReactNode): string[] {
  if (typeof node === 'string') return [node];
  if (Array.isArray(node)) return node.flatMap(drawn);
  if (!isValidElement<{ className?: string; children?: ReactNode }>(node)) return [];
  return node.props.className === 'ctl' ? [] : drawn(node.props.children);
}
const HIDDEN =
  /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e00ff}]/u;

test('no hidden character is left as a character, whatever an agent wrote', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const part of drawn([...screen(text).parts])) expect(part).not.toMatch(HIDDEN);
    }),
  );
});

test('an address names the hidden characters in it, and they are counted', () => {
  const { controls, links, parts } = screen('see https://x.example/a\u200b\u202eb now');
  expect([controls, links]).toEqual([2, 1]);
  expect(drawn([...parts]).join('')).toBe('see https://x.example/ab now');
});

test('beyond a bound hidden characters are named by plain characters, none is lost or drawn', () => {
  const { controls, parts } = screen('\u202ex'.repeat(5000));
  expect(controls).toBe(5000);
  expect(parts.length).toBeLessThan(5000);
  for (const part of drawn([...parts])) expect(part).not.toMatch(HIDDEN);
});

test('hidden characters and links are counted, line breaks and joiners stay', () => {
  const { controls, links, parts } = screen('a\u202eb\u001b[31m\r\nक्\u200dष https://x.example/y end');
  expect([controls, links]).toEqual([2, 1]);
  expect(textOf(parts).join('')).toBe('ab[31m\nक्\u200dष  end');
});
