import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TaskNumber } from '../../../../src-shared/ids.ts';
import { commitSubject } from '../../../../src-main/core/workspace/commit-subject.ts';
import { slugOf } from '../../../../src-main/core/workspace/branch-name.ts';

const taskNumber = 14 as TaskNumber;

test.each([
  ['Round  line\ntotals\t', 'Round line totals'],
  ['Fix \u202Egnp.exe\u202C now', 'Fix <U+202E>gnp.exe<U+202C> now'],
  ['\u2066a\u2069\u200Fb', '<U+2066>a<U+2069><U+200F>b'],
  ['\u001B]0;owned\u0007', '␛]0;owned␇'],
  ['\u0085\u009B31m', '<U+0085><U+009B>31m'],
  ['दो जगह\u200D तक', 'दो जगह\u200D तक'],
  ['   ', 'Task 14'],
])('a title shows in the subject of a commit as on our own screens: %j', (title, subject) => {
  expect(commitSubject({ title, taskNumber })).toBe(subject);
});

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

test('whatever the title, subject and branch hold nothing that a log would interpret', () => {
  const odd = fc.constantFrom(
    '\u202E',
    '\u2067',
    '\u2028',
    '\u0000',
    '\u001B',
    '\u0085',
    '\uFEFF',
    '\uD800',
    '\n',
  );
  const title = fc
    .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 40 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(title, (given) => {
      const subject = commitSubject({ title: given, taskNumber });
      expect(subject).not.toMatch(UNSEEN);
      expect(subject.trim()).not.toBe('');
      expect(slugOf(given)).toMatch(/^[a-z0-9-]+$/);
    }),
  );
});
