import { AppError } from '../../../src-shared/errors.ts';
import { GitFailure } from './git-command.ts';

/** What a place lacks that would be written to. `access`: it is read-only, somebody else's, or not there. */
export type Lack = 'room' | 'access';

/**
 * Git's words of 2.39 to 2.51, which it says in English (`LC_ALL=C`). It says no reason where an index or a tree
 * could not be written; that is a full disk, as nobody but us writes there.
 */
const NO_ROOM = /No space left on device|Disk quota exceeded|unable to write new[ _]index file/;
const NO_ACCESS = /Read-only file system|insufficient permission for adding an object/;

/** Why a place took nothing, when that is why it failed; else null. */
export function lackOf(error: unknown): Lack | null {
  if (error instanceof GitFailure) {
    if (NO_ROOM.test(error.stderr)) return 'room';
    return NO_ACCESS.test(error.stderr) ? 'access' : null;
  }
  const { code, syscall } = (error ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'room';
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return 'access';
  return (code === 'ENOENT' || code === 'ENOTDIR') && syscall === 'mkdtemp' ? 'access' : null;
}

/**
 * The causes that a person can do something about, by their code; anything else as it is.
 *
 * @param again what is to be done once they have, as the end of a sentence: "retry the task"
 */
export function explained(error: unknown, again: string): unknown {
  if (lackOf(error) === 'room') {
    return new AppError('disk-full', 'The disk is full; git could not write.', {
      hint: `Make room, then ${again}.`,
      cause: error,
    });
  }
  const code = error instanceof GitFailure ? '' : ((error as NodeJS.ErrnoException).code ?? '');
  if (['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EIO', 'ENAMETOOLONG', 'ELOOP'].includes(code)) {
    return new AppError('git-failed', `A file of the worktree or repository cannot be used (${code}).`, {
      hint: `Give this user back its permission, then ${again}.`,
      cause: error,
    });
  }
  return error;
}
