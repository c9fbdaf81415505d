import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { AppError } from '../../src-shared/errors.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** What a failure of the file system means for the data folder. */
export function folderError(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const options = { cause: error, data: { code } };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('disk-full', 'The disk with the data folder is full.', {
      ...options,
      hint: 'Make room on that disk, then try again.',
    });
  }
  return new AppError('data-folder-unusable', `The data folder cannot be used (${code}): ${folder}.`, {
    ...options,
    hint: 'Check that it is a folder of yours which you may write, or name another one in SIGNALBOX_HOME.',
  });
}

/** Takes away what others may do with a file or folder of ours. Windows keeps its own lists. */
function makePrivate(place: string): void {
  if (process.platform === 'win32') return;
  const mode = statSync(place).mode & 0o777;
  if ((mode & 0o077) !== 0) chmodSync(place, mode & 0o700);
}

/** A folder for us alone, made with its parents if it is not there. */
export function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makePrivate(folder);
}

/** An empty file for us alone; one that is there stays as it is, except for its permissions. @returns whether it is new */
export function privateFile(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    makePrivate(file);
    return false;
  }
}

/** Waits until the disk has it. Folders cannot be flushed on Windows, which needs no such thing for a rename. */
export function flush(place: string, kind: 'file' | 'folder'): void {
  if (kind === 'folder' && process.platform === 'win32') return;
  const descriptor = openSync(place, kind === 'file' ? 'r+' : 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
