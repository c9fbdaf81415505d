import Database from 'better-sqlite3';
import { AppError } from '../../src-shared/errors.ts';

/** What a failure says about: the database file, and the newest backup if there is one. */
export interface StorePlace {
  readonly file: string;
  /** Asked only when something is wrong with the file. */
  readonly newestBackup: () => string | null;
}

/** How a person puts a backup in place. Signalbox itself never moves or deletes a database. */
export function restoreHint(place: StorePlace): string {
  const backup = place.newestBackup();
  if (backup === null) {
    return `There is no backup. Move ${place.file} (and the files ending in -wal and -shm beside it) away to start with an empty store.`;
  }
  return `The newest backup is ${backup}. Stop Signalbox, move ${place.file} (and the files ending in -wal and -shm beside it) away, copy the backup to ${place.file}, and start again.`;
}

const codeOf = (error: unknown): string | null => (error instanceof Database.SqliteError ? error.code : null);

/**
 * What a failure of SQLite means for whoever asked. Anything that is not SQLite's passes as it is.
 *
 * Codes: https://www.sqlite.org/rescode.html, read 2026-03. A full disk is SQLITE_FULL, and SQLITE_IOERR_SHMSIZE
 * when the file of shared memory beside the database could not grow.
 */
export function storeError(error: unknown, place: StorePlace): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  const options = { cause: error, data: { sqlite: code } };
  const unusable = (message: string, hint: string): AppError =>
    new AppError('store-unusable', message, { ...options, hint });
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') {
    return new AppError('disk-full', 'The disk with the data folder is full; nothing was changed.', {
      ...options,
      hint: 'Make room on that disk; Signalbox goes on by itself.',
    });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return unusable(
      `The store is locked by another process: ${place.file}.`,
      'Close the program that has it open, then try again.',
    );
  }
  if (code === 'SQLITE_NOTADB') {
    return unusable(`This file is not a database: ${place.file}.`, restoreHint(place));
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return unusable(`The store is damaged: ${place.file}.`, restoreHint(place));
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM' || code === 'SQLITE_AUTH') {
    return unusable(
      `The store cannot be written: ${place.file}.`,
      'Check the permissions of the file and of its folder, and that the disk is not mounted read-only.',
    );
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return unusable(
      `The store cannot be opened: ${place.file}.`,
      'Check that the data folder exists and that you may read and write it.',
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return unusable(
      `The disk failed to read or write the store: ${place.file}.`,
      'Check the disk, then try again.',
    );
  }
  // A constraint, a refused trigger or wrong SQL is a fault of ours.
  return new AppError('internal', 'The store refused a change.', options);
}

export const isSqliteError = (error: unknown): boolean => codeOf(error) !== null;
