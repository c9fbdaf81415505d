import type { Run } from '../../src-shared/model/task.ts';
import type { RunStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, json, plain } from './table.ts';

const RUN = new Table<Run>('run', ['id'], {
  id: plain('id'),
  taskId: plain('task_id'),
  workflow: plain('workflow'),
  state: plain('state'),
  step: plain('step'),
  nextTurn: json('next_turn_json'),
  sessionId: plain('session_id'),
  baseCommit: plain('base_commit'),
  commit: plain('head_commit'),
  questions: plain('questions'),
  extraQuestions: plain('extra_questions'),
  countedAttempts: plain('counted_attempts'),
  pendingChanges: json('pending_changes_json'),
  startedAt: plain('started_at'),
  endedAt: plain('ended_at'),
});

/** Lists are in the order in which the runs were made. */
export const createRunStore = (db: Connection): RunStore => ({
  insert: (run) => RUN.insert(db, run),
  update: (run) => RUN.update(db, run),
  get: (id) => RUN.one(db, 'WHERE id = @id', { id }),
  ofTask: (taskId) => RUN.many(db, 'WHERE task_id = @taskId ORDER BY rowid', { taskId }),
});
