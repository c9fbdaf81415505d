import type { MicroUsd } from '../../src-shared/money.ts';
import type { Turn } from '../../src-shared/model/task.ts';
import type { TurnStore } from '../core/ports/stores.ts';
import type { Connection, SqlRow } from './connection.ts';
import { Conditions, Table, plain } from './table.ts';

const TURN = new Table<Turn>('turn', ['id'], {
  id: plain('id'),
  attemptId: plain('attempt_id'),
  runId: plain('run_id'),
  taskId: plain('task_id'),
  projectId: plain('project_id'),
  agent: plain('agent'),
  number: plain('number'),
  kind: plain('kind'),
  sessionId: plain('session_id'),
  prompt: plain('prompt'),
  deliveryId: plain('delivery_id'),
  item: plain('item'),
  state: plain('state'),
  outcome: plain('outcome'),
  reservedMicroUsd: plain('reserved_micro_usd'),
  costMicroUsd: plain('cost_micro_usd'),
  totalMicroUsd: plain('total_micro_usd'),
  costBasis: plain('cost_basis'),
  startedAt: plain('started_at'),
  endedAt: plain('ended_at'),
});

const sum = (row: SqlRow | null): MicroUsd => Number(row?.['amount'] ?? 0) as MicroUsd;

/** Lists are in the order in which the turns were made. */
export const createTurnStore = (db: Connection): TurnStore => ({
  insert: (turn) => TURN.insert(db, turn),
  update: (turn) => TURN.update(db, turn),
  get: (id) => TURN.one(db, 'WHERE id = @id', { id }),
  ofTask: (taskId) => TURN.many(db, 'WHERE task_id = @taskId ORDER BY rowid', { taskId }),
  ofAttempt: (attemptId) => TURN.many(db, 'WHERE attempt_id = @attemptId ORDER BY rowid', { attemptId }),
  running: () => TURN.many(db, "WHERE state = 'running' ORDER BY rowid"),
  ofItem: (item) => TURN.one(db, 'WHERE item = @item ORDER BY rowid DESC LIMIT 1', { item }),
  // The literal states are those of the partial indexes, which hold the amounts too.
  booked: (filter) => {
    const { where, parameters } = new Conditions()
      .always("state = 'settled'")
      .among('project_id', filter.projectIds)
      .when(filter.taskId, 'task_id = @taskId', (taskId) => ({ taskId }))
      .when(filter.since, 'ended_at >= @since', (since) => ({ since }))
      .when(filter.onlyAssumed, "cost_basis = 'assumed'", () => ({}));
    return sum(db.get(`SELECT sum(cost_micro_usd) AS amount FROM turn ${where}`, parameters));
  },
  reserved: (filter) => {
    const { where, parameters } = new Conditions()
      .always("state = 'running'")
      .among('project_id', filter.projectIds);
    return sum(db.get(`SELECT sum(reserved_micro_usd) AS amount FROM turn ${where}`, parameters));
  },
});
