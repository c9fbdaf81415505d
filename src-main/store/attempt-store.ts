import type { Attempt } from '../../src-shared/model/task.ts';
import type { AttemptStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, plain } from './table.ts';

const ATTEMPT = new Table<Attempt>('attempt', ['id'], {
  id: plain('id'),
  runId: plain('run_id'),
  taskId: plain('task_id'),
  step: plain('step'),
  number: plain('number'),
  state: plain('state'),
  sessionId: plain('session_id'),
  model: plain('model'),
  endedReason: plain('ended_reason'),
  startedAt: plain('started_at'),
  endedAt: plain('ended_at'),
});

/** Lists are in the order in which the attempts were made. */
export const createAttemptStore = (db: Connection): AttemptStore => ({
  insert: (attempt) => ATTEMPT.insert(db, attempt),
  update: (attempt) => ATTEMPT.update(db, attempt),
  get: (id) => ATTEMPT.one(db, 'WHERE id = @id', { id }),
  ofRun: (runId) => ATTEMPT.many(db, 'WHERE run_id = @runId ORDER BY rowid', { runId }),
  ofTask: (taskId) => ATTEMPT.many(db, 'WHERE task_id = @taskId ORDER BY rowid', { taskId }),
  running: () => ATTEMPT.many(db, "WHERE state = 'running' ORDER BY rowid"),
});
