import { isAppError } from '../../../src-shared/errors.ts';
import type { LedgerEntry } from '../../../src-shared/model/ledger-entry.ts';
import type { ChainCheck } from '../ports/ledger-store.ts';
import type { HashText } from '../ports/world.ts';
import type { ChainHead } from './entry.ts';
import { GENESIS, hashOfEntry } from './entry.ts';

/**
 * Whether an entry is the one that follows the head: next number, its `prevHash` the head's hash, and its own
 * hash that of its content.
 */
export function isNextInChain(head: ChainHead, entry: LedgerEntry, hash: HashText): boolean {
  if (entry.seq !== head.seq + 1 || entry.prevHash !== head.hash) return false;
  try {
    return entry.hash === hashOfEntry(entry, hash);
  } catch (error) {
    // Altered content may be of a kind that is never written, such as a fraction or a moment that is none.
    if (isAppError(error, 'internal') || error instanceof RangeError) return false;
    throw error;
  }
}

/** State of a verification that goes over a chain entry by entry. */
export interface ChainFold {
  readonly head: ChainHead;
  /** `seq` that does not verify; the fold then stays as it is. */
  readonly brokenAt: number | null;
}

export const startChain = (from: ChainHead = GENESIS): ChainFold => ({ head: from, brokenAt: null });

/** @returns the fold after one more entry. A broken one names the place in the chain where the fault shows first. */
export function foldEntry(fold: ChainFold, entry: LedgerEntry, hash: HashText): ChainFold {
  if (fold.brokenAt !== null) return fold;
  if (!isNextInChain(fold.head, entry, hash)) return { head: fold.head, brokenAt: fold.head.seq + 1 };
  return { head: { seq: entry.seq, hash: entry.hash }, brokenAt: null };
}

/**
 * Verifies entries in ascending order.
 *
 * @param from head of the part that is taken for verified; the start of the chain unless given
 * @returns `entries` and `head` of the part that verified, and where it broke. A chain whose last entries were
 * taken away verifies: only a head that was noted elsewhere shows that.
 */
export function verifyChain(
  entries: Iterable<LedgerEntry>,
  hash: HashText,
  from: ChainHead = GENESIS,
): ChainCheck {
  let fold = startChain(from);
  for (const entry of entries) {
    fold = foldEntry(fold, entry, hash);
    if (fold.brokenAt !== null) break;
  }
  return {
    ok: fold.brokenAt === null,
    entries: fold.head.seq,
    head: fold.head.hash,
    brokenAt: fold.brokenAt,
    checkedFrom: from.seq + 1,
  };
}
