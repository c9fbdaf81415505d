import { AppError } from '../../src-shared/errors.ts';
import type { Connection } from './connection.ts';
import type { Migration } from './migrations/migration.ts';
import type { StorePlace } from './sqlite-errors.ts';
import { restoreHint } from './sqlite-errors.ts';

/** `sgbx`: tells our database from any other (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x73676278;

/** @throws AppError 'store-unusable' for a database of another program */
function assertOurs(db: Connection, version: number, place: StorePlace): void {
  const isEmpty = version === 0 && Number(db.get('SELECT count(*) AS n FROM sqlite_schema')?.['n']) === 0;
  if (isEmpty || db.applicationId === APPLICATION_ID) return;
  throw new AppError('store-unusable', `This database is not a Signalbox store: ${place.file}.`, {
    hint: restoreHint(place),
  });
}

function apply(db: Connection, migration: Migration): void {
  db.transaction(() => {
    // Another process may have been first while we waited for the lock.
    if (db.userVersion >= migration.number) return;
    db.exec(migration.sql);
    if (db.all('PRAGMA foreign_key_check').length > 0) {
      throw new AppError('internal', `Migration ${migration.number} leaves references that lead nowhere.`);
    }
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${migration.number}`);
  });
}

export interface MigrateOptions {
  /** Ascending from 1, without gaps. */
  readonly migrations: readonly Migration[];
  readonly place: StorePlace;
  readonly isReadonly: boolean;
  /** Called once before the first change of a store that holds something. */
  readonly backUp: () => void;
}

/**
 * Brings the schema to the newest version, each step in a transaction of its own, so that a crash leaves a whole
 * older version and the next start goes on from there.
 *
 * @throws AppError 'store-too-new' when a newer Signalbox wrote it, 'store-unusable' when it is not ours, or is to
 * be changed but was opened for reading
 */
export function migrate(db: Connection, options: MigrateOptions): void {
  const version = db.userVersion;
  const newest = options.migrations.at(-1)?.number ?? 0;
  assertOurs(db, version, options.place);
  if (version > newest) {
    throw new AppError(
      'store-too-new',
      `The store was written by a newer Signalbox (schema ${version}; this one knows up to ${newest}).`,
      { hint: 'Update Signalbox, or name another data folder in SIGNALBOX_HOME.', data: { version, newest } },
    );
  }
  const missing = options.migrations.filter((migration) => migration.number > version);
  if (missing.length === 0) return;
  if (options.isReadonly) {
    throw new AppError('store-unusable', 'The store is of an older version and must be upgraded first.', {
      hint: 'Start the hub once: signalbox hub',
    });
  }
  if (version > 0) options.backUp();
  // A table that is rebuilt would take its references with it; they are checked before the commit instead.
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    for (const migration of missing) apply(db, migration);
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
  }
}
