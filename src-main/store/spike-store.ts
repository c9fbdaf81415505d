import type { Spike } from '../../src-shared/model/spike.ts';
import type { SpikeStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, flag, json, plain } from './table.ts';

const SPIKE = new Table<Spike>('spike', ['id'], {
  id: plain('id'),
  projectIds: json('project_ids_json'),
  budgetMicroUsd: plain('budget_micro_usd'),
  callsPerDay: plain('calls_per_day'),
  days: plain('days'),
  keepCap: flag('keep_cap'),
  callsBefore: plain('calls_before'),
  startedAt: plain('started_at'),
  endsAt: plain('ends_at'),
  endedAt: plain('ended_at'),
  endedReason: plain('ended_reason'),
});

export const createSpikeStore = (db: Connection): SpikeStore => ({
  put: (spike) => SPIKE.put(db, spike),
  current: () => SPIKE.one(db, 'WHERE ended_at IS NULL ORDER BY rowid DESC LIMIT 1'),
  latest: () => SPIKE.one(db, 'ORDER BY rowid DESC LIMIT 1'),
});
