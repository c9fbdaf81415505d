import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchName, restoredBranchName, slugOf } from '../../../../src-main/core/workspace/branch-name.ts';
import type { TaskNumber } from '../../../../src-shared/ids.ts';

test('a branch names the task by number and words of its title', () => {
  const number = 14 as TaskNumber;
  expect(branchName(number, 'Fix: größe of Ünïcode  (again)')).toBe(
    'signalbox/14-fix-gro-e-of-unicode-again',
  );
  expect(branchName(number, '日本語')).toBe('signalbox/14-task');
  expect(branchName(number, 'x', 2)).toBe('signalbox/14-x-2');
  expect(restoredBranchName(number, 'x')).toBe('signalbox/restored-14-x');
});

test('whatever the title, the branch is a short plain ref name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
      const name = branchName(999_999 as TaskNumber, title, 99);
      expect(name).toMatch(/^signalbox\/999999-[a-z0-9]+(?:-[a-z0-9]+)*-99$/);
      expect(name.length).toBeLessThan(120);
      expect(slugOf(title).length).toBeLessThanOrEqual(40);
    }),
  );
});
