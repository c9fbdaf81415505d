import { expect, test } from 'vitest';
import { explained, lackOf } from '../../../../src-main/adapters/git/explain-failure.ts';
import { GitFailure } from '../../../../src-main/adapters/git/git-command.ts';
import { AppError } from '../../../../src-shared/errors.ts';

const ofSystem = (code: string, syscall = 'open'): Error => Object.assign(new Error(code), { code, syscall });
const ofGit = (stderr: string): GitFailure => new GitFailure('add', 128, stderr);

test('what a place lacks is told from what the system or git says, and from nothing else', () => {
  const cases: readonly (readonly [unknown, string | null])[] = [
    [ofSystem('ENOSPC'), 'room'],
    [ofSystem('EDQUOT'), 'room'],
    [ofGit('error: unable to write loose object file: No space left on device'), 'room'],
    [ofGit('fatal: unable to write new index file'), 'room'],
    [ofGit('error: file write error: Disk quota exceeded'), 'room'],
    [ofSystem('EROFS'), 'access'],
    [ofSystem('EACCES'), 'access'],
    [ofSystem('ENOENT', 'mkdtemp'), 'access'],
    [ofGit('error: unable to create temporary file: Read-only file system'), 'access'],
    [
      ofGit('error: insufficient permission for adding an object to repository database .git/objects'),
      'access',
    ],
    [ofSystem('ENOENT'), null],
    [ofGit('error: open("secret"): Permission denied'), null],
    [ofGit('fatal: not a valid object name'), null],
    [new AppError('git-failed', 'No space left on device'), null],
    [null, null],
  ];
  for (const [error, lack] of cases) expect([error, lackOf(error)]).toEqual([error, lack]);
});

test('what a person can mend is said with what to do then; anything else stays as it is', () => {
  expect(explained(ofGit('fatal: unable to write new index file'), 'retry the task')).toMatchObject({
    code: 'disk-full',
    hint: 'Make room, then retry the task.',
  });
  expect(explained(ofSystem('EROFS'), 'ask again')).toMatchObject({ code: 'git-failed' });
  const other = new Error('a fault of ours');
  expect(explained(other, 'ask again')).toBe(other);
});
