import type { LedgerEntry } from '../../src-shared/model/ledger-entry.ts';
import type { LedgerSums } from '../core/ledger/totals.ts';
import { sumsOfEntry } from '../core/ledger/totals.ts';
import type { LedgerTotalsStore } from '../core/ports/ledger-store.ts';
import type { Connection, SqlRow } from './connection.ts';
import { Conditions } from './table.ts';

const COLUMN = {
  entries: 'entries',
  calls: 'calls',
  bookings: 'bookings',
  reportedMicroUsd: 'reported_micro_usd',
  assumedMicroUsd: 'assumed_micro_usd',
  waits: 'waits',
  waitedMs: 'waited_ms',
  lockWaits: 'lock_waits',
  lockWaitedMs: 'lock_waited_ms',
} as const satisfies Record<keyof LedgerSums, string>;
const NAMES = Object.values(COLUMN);

const ADD = `
  INSERT INTO ledger_total (local_day, project_id, model, ${NAMES.join(', ')})
  VALUES (@localDay, @projectId, @model, ${Object.keys(COLUMN)
    .map((member) => `@${member}`)
    .join(', ')})
  ON CONFLICT (local_day, project_id, model) DO UPDATE SET
    ${NAMES.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

/** Adds an entry to the totals, in the transaction that writes it. */
export function addToTotals(db: Connection, entry: LedgerEntry): void {
  const { key, sums } = sumsOfEntry(entry);
  db.run(ADD, { localDay: key.localDay, projectId: key.projectId ?? '', model: key.model ?? '', ...sums });
}

const KEY = { day: 'local_day', project: 'project_id', model: 'model' } as const;
const SUMS = NAMES.map((name) => `sum(${name}) AS ${name}`).join(', ');

const sumsOf = (row: SqlRow): LedgerSums => ({
  entries: Number(row[COLUMN.entries]),
  calls: Number(row[COLUMN.calls]),
  bookings: Number(row[COLUMN.bookings]),
  reportedMicroUsd: Number(row[COLUMN.reportedMicroUsd]),
  assumedMicroUsd: Number(row[COLUMN.assumedMicroUsd]),
  waits: Number(row[COLUMN.waits]),
  waitedMs: Number(row[COLUMN.waitedMs]),
  lockWaits: Number(row[COLUMN.lockWaits]),
  lockWaitedMs: Number(row[COLUMN.lockWaitedMs]),
});

/** The cost of a query grows with days × projects × models in its range, not with entries. */
export const createLedgerTotalsStore = (db: Connection): LedgerTotalsStore => ({
  totalsByModel: (by, filter) => {
    const key = KEY[by];
    const { where, parameters } = new Conditions()
      .when(filter.from, 'local_day >= @from', (from) => ({ from }))
      .when(filter.projectId, 'project_id = @projectId', (projectId) => ({ projectId }));
    return db
      .all(
        `SELECT ${key} AS total_key, model, ${SUMS} FROM ledger_total ${where} GROUP BY ${key}, model ORDER BY ${key}, model`,
        parameters,
      )
      .map((row) => ({
        key: row['total_key'] === '' ? null : String(row['total_key']),
        model: row['model'] === '' ? null : String(row['model']),
        sums: sumsOf(row),
      }));
  },
  totals: (by, filter = {}) => {
    const key = KEY[by];
    const { where, parameters } = new Conditions()
      .when(filter.from, 'local_day >= @from', (from) => ({ from }))
      .when(filter.to, 'local_day <= @to', (to) => ({ to }))
      .when(filter.projectId, 'project_id = @projectId', (projectId) => ({ projectId }));
    const order =
      by === 'day' ? 'local_day DESC' : `sum(reported_micro_usd) + sum(assumed_micro_usd) DESC, ${key}`;
    return db
      .all(
        `SELECT ${key} AS total_key, ${SUMS} FROM ledger_total ${where} GROUP BY ${key} ORDER BY ${order} LIMIT @limit`,
        { ...parameters, limit: filter.limit ?? -1 },
      )
      .map((row) => ({ key: row['total_key'] === '' ? null : String(row['total_key']), sums: sumsOf(row) }));
  },
});
