import { isAppError } from '../../src-shared/errors.ts';
import type { LedgerEntry } from '../../src-shared/model/ledger-entry.ts';
import { epochMs, type EpochMs } from '../../src-shared/time.ts';
import type { ChainFold } from '../core/ledger/chain.ts';
import { foldEntry, startChain } from '../core/ledger/chain.ts';
import type { ChainHead } from '../core/ledger/entry.ts';
import { GENESIS, hashOfEntry } from '../core/ledger/entry.ts';
import type { ChainCheck } from '../core/ports/ledger-store.ts';
import type { Connection, SqlRow } from './connection.ts';
import { sha256 } from './sha256.ts';

export interface VerifyOptions {
  readonly full: boolean;
  /** A page of rows in ascending order; a short or empty one is the last. */
  readonly rowsAfter: (seq: number) => readonly SqlRow[];
  /** @throws AppError 'store-unusable' for a row whose data is not JSON */
  readonly entryOf: (row: SqlRow) => LedgerEntry;
  /** Null keeps the checkpoint as it is. */
  readonly verifiedAt: EpochMs | null;
}

interface Checkpoint extends ChainHead {
  /** False since a verification found the chain broken. */
  readonly isGood: boolean;
}

/** In place of the moment of a verification. */
const VOID = epochMs(0);

function readCheckpoint(db: Connection): Checkpoint | null {
  const row = db.get('SELECT seq, hash, verified_at FROM ledger_checkpoint WHERE id = 1');
  if (row === null) return null;
  return { seq: Number(row['seq']), hash: String(row['hash']), isGood: Number(row['verified_at']) !== VOID };
}

function writeCheckpoint(db: Connection, head: ChainHead, at: EpochMs): void {
  db.run(
    `INSERT INTO ledger_checkpoint (id, seq, hash, verified_at) VALUES (1, @seq, @hash, @at)
     ON CONFLICT (id) DO UPDATE SET seq = @seq, hash = @hash, verified_at = @at`,
    { seq: head.seq, hash: head.hash, at },
  );
}

/**
 * A chain that was found broken is looked at as a whole from then on. What the checkpoint held stays: without it,
 * entries that were cut off would not be missed.
 */
function voidCheckpoint(db: Connection): void {
  db.run('UPDATE ledger_checkpoint SET verified_at = @at WHERE id = 1', { at: VOID });
}

/** What was found counts, also where it cannot be noted down. */
function noteDown(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isAppError(error, 'disk-full') && !isAppError(error, 'store-unusable')) throw error;
  }
}

const readable = (options: VerifyOptions, row: SqlRow): LedgerEntry | null => {
  try {
    return options.entryOf(row);
  } catch (error) {
    if (isAppError(error, 'store-unusable')) return null;
    throw error;
  }
};

/** Whether the entry at a checkpoint still is the one that was verified. */
function stands(checkpoint: ChainHead, options: VerifyOptions): boolean {
  const row = options.rowsAfter(checkpoint.seq - 1)[0];
  const entry = row === undefined ? null : readable(options, row);
  if (entry === null || entry.seq !== checkpoint.seq || entry.hash !== checkpoint.hash) return false;
  try {
    return hashOfEntry(entry, sha256) === checkpoint.hash;
  } catch {
    return false;
  }
}

/**
 * Verifies the chain page by page, with a pause after each. A checkpoint that no longer stands, or that a broken
 * chain has voided, makes it start from the beginning, to find the first entry that is wrong; the checkpoint also shows that entries were cut off the end,
 * or that a chain was written anew with right hashes.
 */
export function* verifySteps(db: Connection, options: VerifyOptions): Generator<void, ChainCheck> {
  const checkpoint = readCheckpoint(db);
  const goesOn = !options.full && checkpoint?.isGood === true && stands(checkpoint, options);
  const start: ChainHead = goesOn ? checkpoint : GENESIS;
  let fold: ChainFold = startChain(start);
  for (;;) {
    const rows = options.rowsAfter(fold.head.seq);
    const from = fold.head.seq;
    for (const row of rows) {
      const entry = readable(options, row);
      const next = entry === null ? { ...fold, brokenAt: fold.head.seq + 1 } : foldEntry(fold, entry, sha256);
      const isOther = next.head.seq === checkpoint?.seq && next.head.hash !== checkpoint.hash;
      fold = isOther ? { ...fold, brokenAt: checkpoint.seq } : next;
      if (fold.brokenAt !== null) break;
    }
    if (fold.brokenAt !== null || fold.head.seq === from) break;
    yield;
  }
  if (fold.brokenAt === null && checkpoint !== null && fold.head.seq < checkpoint.seq) {
    fold = { ...fold, brokenAt: fold.head.seq + 1 };
  }
  const { verifiedAt } = options;
  if (verifiedAt !== null) {
    const { head, brokenAt } = fold;
    if (brokenAt !== null) noteDown(() => voidCheckpoint(db));
    else if (head.seq > 0) noteDown(() => writeCheckpoint(db, head, verifiedAt));
  }
  return {
    ok: fold.brokenAt === null,
    entries: fold.head.seq,
    head: fold.head.hash,
    brokenAt: fold.brokenAt,
    checkedFrom: start.seq + 1,
  };
}
