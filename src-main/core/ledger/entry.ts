import type { LedgerData, LedgerEntry, LedgerFact } from '../../../src-shared/model/ledger-entry.ts';
import { LEDGER_SCHEMA } from '../../../src-shared/model/ledger-entry.ts';
import type { EpochMs, LocalDay } from '../../../src-shared/time.ts';
import { isoTime } from '../../../src-shared/time.ts';
import type { HashText } from '../ports/world.ts';
import { canonicalJson, ledgerData } from './canonical-json.ts';

/** `prevHash` of the first entry: 64 zeros. */
export const GENESIS_HASH = '0'.repeat(64);

/** Where a chain stands: number and hash of its last entry; seq 0 and {@link GENESIS_HASH} before the first. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}
export const GENESIS: ChainHead = { seq: 0, hash: GENESIS_HASH };

/**
 * An entry exactly as `ledger export --format jsonl` prints it. The hash is the SHA-256, in lower-case hex, of the
 * RFC 8785 JSON of this object without `hash`; absent values are null, never left out.
 */
export interface ExportedEntry {
  readonly seq: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  /** Calendar day in the hub's zone when it was made; never goes back from one entry to the next. */
  readonly localDay: string;
  readonly kind: string;
  readonly projectId: string | null;
  /** The project's name when the entry was made. */
  readonly project: string | null;
  readonly taskId: string | null;
  readonly sessionId: string | null;
  readonly item: number | null;
  readonly data: LedgerData;
  readonly schema: number;
  readonly prevHash: string;
  readonly hash: string;
}

const withoutHash = (entry: Omit<LedgerEntry, 'hash'>): Omit<ExportedEntry, 'hash'> => ({
  seq: entry.seq,
  at: isoTime(entry.at),
  localDay: entry.localDay,
  kind: entry.kind,
  projectId: entry.projectId,
  project: entry.project,
  taskId: entry.taskId,
  sessionId: entry.sessionId,
  item: entry.item,
  data: entry.data,
  schema: entry.schema,
  prevHash: entry.prevHash,
});

export const exportedEntry = (entry: LedgerEntry): ExportedEntry => ({
  ...withoutHash(entry),
  hash: entry.hash,
});

/** The hash that an entry must carry. */
export const hashOfEntry = (entry: Omit<LedgerEntry, 'hash'>, hash: HashText): string =>
  hash(canonicalJson({ ...withoutHash(entry) }));

/** A clock or a zone that goes back keeps the latest day seen, so that a day's caps cannot be had twice. */
export const laterDay = (today: LocalDay, latest: LocalDay | null): LocalDay =>
  latest !== null && latest > today ? latest : today;

/**
 * Gives a fact its place in the chain.
 *
 * @param head the entry before it, read in the transaction that writes this one
 * @throws AppError 'internal' when the fact's data holds anything but whole numbers, text and so on
 */
export function sealEntry(
  fact: LedgerFact<string>,
  place: { readonly head: ChainHead; readonly at: EpochMs; readonly localDay: LocalDay },
  hash: HashText,
): LedgerEntry {
  const entry = {
    seq: place.head.seq + 1,
    at: place.at,
    localDay: place.localDay,
    kind: fact.kind,
    projectId: fact.projectId ?? null,
    project: fact.project?.toWellFormed() ?? null,
    taskId: fact.taskId ?? null,
    sessionId: fact.sessionId ?? null,
    item: fact.item ?? null,
    data: ledgerData(fact.data ?? {}),
    schema: LEDGER_SCHEMA,
    prevHash: place.head.hash,
  };
  return { ...entry, hash: hashOfEntry(entry, hash) };
}
