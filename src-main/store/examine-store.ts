import { existsSync } from 'node:fs';
import { AppError } from '../../src-shared/errors.ts';
import { lookAtChain } from '../core/ledger/look-at-chain.ts';
import type { Clock } from '../core/ports/world.ts';
import { listBackups } from './backup.ts';
import { Connection } from './connection.ts';
import { createLedgerStore } from './ledger-store.ts';
import { assertNotLost } from './lost-store.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { placeOf } from './place.ts';
import { connectForReading } from './read-only.ts';
import { restoreHint, type StorePlace } from './sqlite-errors.ts';

/** A person waits for the answer. */
const BUSY_TIMEOUT_MS = 1_000;

/** @throws AppError 'store-unusable' | 'store-too-new' */
function examineContent(place: StorePlace): void {
  const db = connectForReading({ ...place, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    // An older store is as good as a new one: it is upgraded at the next start.
    if (db.userVersion > 0) {
      const known = MIGRATIONS.filter(({ number }) => number <= db.userVersion);
      migrate(db, { migrations: known, place, isReadonly: true, backUp: () => undefined });
    }
    const found = db.get('PRAGMA quick_check(1)');
    if (Object.values(found ?? {})[0] === 'ok') return;
    throw new AppError('store-unusable', `The store is damaged: ${place.file}.`, {
      hint: restoreHint(place),
    });
  } finally {
    db.close();
  }
}

/** @throws AppError 'store-unusable' | 'disk-full' when it cannot be written now */
function assertWritable(place: StorePlace): void {
  const db = new Connection({
    ...place,
    synchronous: 'FULL',
    isReadonly: false,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
  });
  try {
    // Takes the lock that writing needs, and writes nothing.
    db.transaction(() => undefined);
  } finally {
    db.close();
  }
}

/**
 * Looks whether a store can be opened, read as a whole and written, and changes nothing in it. Only while no hub has it
 * open.
 *
 * @returns false when there is none yet
 * @throws AppError as `openStore`, also for damage that only a reader of everything meets
 */
export function examineStore(folder: string): boolean {
  const place = placeOf(folder, () => listBackups(folder)[0] ?? null);
  assertNotLost(place);
  if (!existsSync(place.file)) return false;
  examineContent(place);
  assertWritable(place);
  return true;
}

/**
 * Looks for a fault in the chain of the ledger, as far as the time goes, and changes nothing. Only while no hub has the
 * store open, and after `examineStore`.
 *
 * @returns `seq` of the first entry that does not verify; null when none was found in that time
 */
export function examineLedger(folder: string, clock: Clock, isOver: () => boolean): number | null {
  const place = placeOf(folder, () => listBackups(folder)[0] ?? null);
  const db = connectForReading({ ...place, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    if (db.userVersion === 0) return null;
    const look = lookAtChain(createLedgerStore(db, { clock, isReadonly: true }), isOver);
    for (;;) {
      const step = look.next();
      if (step.done === true) return step.value;
    }
  } finally {
    db.close();
  }
}
