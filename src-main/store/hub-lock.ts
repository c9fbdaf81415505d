import Database from 'better-sqlite3';
import { AppError } from '../../src-shared/errors.ts';
import { privateFile } from './files.ts';

/** A lock that the operating system gives back when the process ends, however it ends. */
export interface HeldLock {
  /** Giving it back twice is allowed. */
  release(): void;
}

/**
 * Takes the lock on a data folder: an exclusive transaction held open on a small database that nothing is ever
 * written to (12-engine, Who is the hub). SQLite locks byte ranges of the file, and the system drops them with the
 * process. No other code of this process may open the file: closing it anywhere would drop the lock on POSIX
 * (https://sqlite.org/howtocorrupt.html, section 2.2).
 *
 * @returns null when another process holds it
 * @throws AppError 'data-folder-unusable' when the file cannot be opened
 */
export function tryLock(file: string): HeldLock | null {
  let db: Database.Database | undefined;
  try {
    privateFile(file);
    db = new Database(file, { timeout: 0 });
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string' && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return null;
    throw new AppError('data-folder-unusable', 'The lock of the data folder cannot be taken.', {
      hint: `Look at ${file}: this user must be able to read and write it.`,
      cause: error,
    });
  }
  const held = db;
  return {
    release: () => {
      held.close();
    },
  };
}
