import { AppError } from '../../src-shared/errors.ts';
import type { ItemNumber, ProjectId, SessionId, TaskId } from '../../src-shared/ids.ts';
import type { LedgerData, LedgerEntry, LedgerFact } from '../../src-shared/model/ledger-entry.ts';
import { spellingsOf } from '../../src-shared/model/ledger-kinds.ts';
import type { EpochMs, LocalDay } from '../../src-shared/time.ts';
import { epochMs } from '../../src-shared/time.ts';
import { canonicalJson } from '../core/ledger/canonical-json.ts';
import type { ChainHead } from '../core/ledger/entry.ts';
import { GENESIS, laterDay, sealEntry } from '../core/ledger/entry.ts';
import type { LedgerFilter, LedgerStore } from '../core/ports/ledger-store.ts';
import type { Clock } from '../core/ports/world.ts';
import type { Connection, SqlRow } from './connection.ts';
import { addToTotals } from './ledger-totals-store.ts';
import { verifySteps } from './ledger-verify.ts';
import { sha256 } from './sha256.ts';
import { Conditions } from './table.ts';

const PAGE = 500;
const COLUMNS =
  'seq, happened_at, local_day, kind, project_id, project, task_id, session_id, item, data_json, schema, prev_hash, hash';

const INSERT = `
  INSERT INTO ledger_entry (seq, happened_at, latest_at, local_day, kind, project_id, project, task_id, session_id,
    item, data_json, schema, prev_hash, hash)
  VALUES (@seq, @at, @latestAt, @localDay, @kind, @projectId, @project, @taskId, @sessionId,
    @item, @data, @schema, @prevHash, @hash)`;

function dataOf(text: string, seq: number): LedgerData {
  try {
    return JSON.parse(text) as LedgerData;
  } catch (cause) {
    throw new AppError('store-unusable', `Ledger entry ${seq} was altered: its data is not JSON.`, {
      cause,
      hint: 'Run: signalbox ledger verify --full',
    });
  }
}

export const entryOf = (row: SqlRow): LedgerEntry => ({
  seq: Number(row['seq']),
  at: epochMs(Number(row['happened_at'])),
  localDay: row['local_day'] as LocalDay,
  kind: String(row['kind']),
  projectId: row['project_id'] as ProjectId | null,
  project: row['project'] as string | null,
  taskId: row['task_id'] as TaskId | null,
  sessionId: row['session_id'] as SessionId | null,
  item: row['item'] as ItemNumber | null,
  data: dataOf(String(row['data_json']), Number(row['seq'])),
  schema: Number(row['schema']),
  prevHash: String(row['prev_hash']),
  hash: String(row['hash']),
});

interface Newest {
  readonly head: ChainHead;
  readonly localDay: LocalDay | null;
  readonly latestAt: number;
}

function newest(db: Connection): Newest {
  const row = db.get('SELECT seq, hash, local_day, latest_at FROM ledger_entry ORDER BY seq DESC LIMIT 1');
  if (row === null) return { head: GENESIS, localDay: null, latestAt: 0 };
  return {
    head: { seq: Number(row['seq']), hash: String(row['hash']) },
    localDay: row['local_day'] as LocalDay,
    latestAt: Number(row['latest_at']),
  };
}

function append(db: Connection, clock: Clock, fact: LedgerFact<string>): LedgerEntry {
  return db.transaction(() => {
    const last = newest(db);
    const at = clock.now();
    const localDay = laterDay(clock.localDay(at), last.localDay);
    const entry = sealEntry(fact, { head: last.head, at, localDay }, sha256);
    const { data, ...columns } = entry;
    db.run(INSERT, { ...columns, latestAt: Math.max(at, last.latestAt), data: canonicalJson(data) });
    addToTotals(db, entry);
    return entry;
  });
}

/** Number of the last entry before which nothing can be as new as a moment; halves the ledger. */
function seqBefore(db: Connection, since: EpochMs): number {
  let low = 0;
  let high = newest(db).head.seq;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = db.get('SELECT latest_at FROM ledger_entry WHERE seq = @middle', { middle });
    if (Number(row?.['latest_at'] ?? 0) < since) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The index that narrows most leads; `+` keeps SQLite from taking another. A task has few entries, so its kind
 * need not be found by an index; a project may have most of them all.
 */
function conditions(db: Connection, filter: LedgerFilter): Conditions {
  const { kind } = filter;
  const isPrefix = kind?.endsWith('.') === true;
  const plus = filter.taskId === undefined ? '' : '+';
  const since = filter.since === undefined ? 0 : seqBefore(db, filter.since);
  const after = Math.max(since, filter.afterSeq ?? 0);
  return new Conditions()
    .when(filter.taskId, 'task_id = @taskId', (taskId) => ({ taskId }))
    .when(filter.projectId, `${plus}project_id = @projectId`, (projectId) => ({ projectId }))
    .when(isPrefix ? undefined : kind, `${plus}kind IN (@kind, @kindNow, @kindBefore)`, (exact) => {
      const [now = exact, before = exact] = spellingsOf(exact);
      return { kind: exact, kindNow: now, kindBefore: before };
    })
    .when(
      isPrefix ? kind : undefined,
      `${plus}family = @family AND +kind >= @kind AND +kind < @kindEnd`,
      (prefix) => ({
        family: prefix.slice(0, prefix.indexOf('.')),
        kind: prefix,
        // `/` comes right after `.`.
        kindEnd: `${prefix.slice(0, -1)}/`,
      }),
    )
    .when(after === 0 ? undefined : after, 'seq > @after', (seq) => ({ after: seq }))
    .when(filter.since, '+happened_at >= @since', (at) => ({ since: at }));
}

function page(db: Connection, filter: LedgerFilter): readonly LedgerEntry[] {
  const { where, parameters } = conditions(db, filter);
  const isNewest = filter.newest === true && filter.limit !== undefined && filter.afterSeq === undefined;
  const rows = db.all(
    `SELECT ${COLUMNS} FROM ledger_entry ${where} ORDER BY seq ${isNewest ? 'DESC' : 'ASC'} LIMIT @limit`,
    { ...parameters, limit: filter.limit ?? -1 },
  );
  const entries = rows.map(entryOf);
  return isNewest ? entries.reverse() : entries;
}

const rowsAfter = (db: Connection, seq: number): readonly SqlRow[] =>
  db.all(`SELECT ${COLUMNS} FROM ledger_entry WHERE seq > @seq ORDER BY seq LIMIT ${PAGE}`, { seq });

function* all(db: Connection): Generator<LedgerEntry, void> {
  let seq = 0;
  for (;;) {
    const rows = rowsAfter(db, seq);
    for (const row of rows) yield entryOf(row);
    if (rows.length < PAGE) return;
    seq = Number(rows.at(-1)?.['seq']);
  }
}

/**
 * The append-only chain. The head is read in the transaction that writes the next entry and never kept: triggers
 * of the schema refuse every change of an entry, and every entry that does not follow the head.
 */
export function createLedgerStore(
  db: Connection,
  options: { readonly clock: Clock; readonly isReadonly: boolean },
): LedgerStore<string> {
  const steps: LedgerStore<string>['verifySteps'] = ({ full, isNoted = true }) =>
    verifySteps(db, {
      full,
      rowsAfter: (seq) => rowsAfter(db, seq),
      entryOf,
      verifiedAt: options.isReadonly || !isNoted ? null : options.clock.now(),
    });
  return {
    append: (fact) => append(db, options.clock, fact),
    page: (filter) => page(db, filter),
    head: () => newest(db).head,
    verify: (how) => {
      const running = steps(how);
      for (;;) {
        const step = running.next();
        if (step.done === true) return step.value;
      }
    },
    verifySteps: steps,
    all: () => all(db),
    latestDay: () => newest(db).localDay,
  };
}
