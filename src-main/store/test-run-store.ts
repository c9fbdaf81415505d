import type { TestRun, TestRunStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, plain } from './table.ts';

const TEST_RUN = new Table<TestRun>('test_run', ['id'], {
  id: plain('id'),
  taskId: plain('task_id'),
  runId: plain('run_id'),
  attemptId: plain('attempt_id'),
  purpose: plain('purpose'),
  commit: plain('commit_id'),
  pid: plain('pid'),
  processStart: plain('process_start'),
  state: plain('state'),
  exitCode: plain('exit_code'),
  confinement: plain('confinement'),
  outputHash: plain('output_hash'),
  tail: plain('tail'),
  lockWaitMs: plain('lock_wait_ms'),
  startedAt: plain('started_at'),
  endedAt: plain('ended_at'),
});

/** Lists are in the order in which the runs were made. */
export const createTestRunStore = (db: Connection): TestRunStore => ({
  insert: (testRun) => TEST_RUN.insert(db, testRun),
  update: (testRun) => TEST_RUN.update(db, testRun),
  get: (id) => TEST_RUN.one(db, 'WHERE id = @id', { id }),
  ofTask: (taskId) => TEST_RUN.many(db, 'WHERE task_id = @taskId ORDER BY rowid', { taskId }),
  running: () => TEST_RUN.many(db, "WHERE state = 'running' ORDER BY rowid"),
});
