import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onlyAddedLines } from '../../../../src-main/core/workspace/added-lines.ts';
import { lockfilesAmong } from '../../../../src-main/core/workspace/setup-inputs.ts';

test('only added lines are left, in their places', () => {
  expect(onlyAddedLines('a\nb\n', 'new\na\nb\nb\n')).toBe('new\n\n\nb\n');
  expect(onlyAddedLines('', 'all\nnew\n')).toBe('all\nnew\n');
  expect(onlyAddedLines('b\na\n', 'a\nb\n')).toBe('\n\n');
});

test('every line is either blanked or as it was, and one that is not in the old text always stays', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const left = onlyAddedLines(before, after).split('\n');
      const lines = after.split('\n');
      expect(left).toHaveLength(lines.length);
      const old = new Set(before === '' ? [] : before.split('\n'));
      for (const [at, line] of lines.entries()) {
        expect(['', line]).toContain(left[at]);
        if (!old.has(line)) expect(left[at]).toBe(line);
      }
    }),
  );
});

test('lockfiles are found by name', () => {
  expect(lockfilesAmong(['src', 'yarn.lock', 'README.md', 'Cargo.lock'])).toEqual([
    'Cargo.lock',
    'yarn.lock',
  ]);
});
