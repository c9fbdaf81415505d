import { isAppError } from '../../src-shared/errors.ts';
import type { LedgerEntry } from '../../src-shared/model/ledger-entry.ts';
import type { EpochMs } from '../../src-shared/time.ts';
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

function readCheckpoint(db: Connection): ChainHead | null {
  const row = db.get('SELECT seq, hash FROM ledger_checkpoint WHERE id = 1');
  return row === null ? null : { seq: Number(row['seq']), hash: String(row['hash']) };
}

function writeCheckpoint(db: Connection, head: ChainHead, at: EpochMs): void {
  db.run(
    `INSERT INTO ledger_checkpoint (id, seq, hash, verified_at) VALUES (1, @seq, @hash, @at)
     ON CONFLICT (id) DO UPDATE SET seq = @seq, hash = @hash, verified_at = @at`,
    { seq: head.seq, hash: head.hash, at },
  );
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
 * Verifies the chain page by page, with a pause after each. A checkpoint that no longer stands makes it start from
 * the beginning, to find the first entry that is wrong; the checkpoint also shows that entries were cut off the end,
 * or that a chain was written anew with right hashes.
 */
export function* verifySteps(db: Connection, options: VerifyOptions): Generator<void, ChainCheck> {
  const checkpoint = readCheckpoint(db);
  const goesOn = !options.full && checkpoint !== null && stands(checkpoint, options);
  let fold: ChainFold = startChain(goesOn ? checkpoint : GENESIS);
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
  if (fold.brokenAt === null && options.verifiedAt !== null && fold.head.seq > 0) {
    writeCheckpoint(db, fold.head, options.verifiedAt);
  }
  return {
    ok: fold.brokenAt === null,
    entries: fold.head.seq,
    head: fold.head.hash,
    brokenAt: fold.brokenAt,
  };
}
