import type { SessionRecord } from '../../src-shared/model/task.ts';
import type { SessionStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, plain } from './table.ts';

const SESSION = new Table<SessionRecord>('session', ['id'], {
  id: plain('id'),
  taskId: plain('task_id'),
  harness: plain('harness'),
  cwd: plain('cwd'),
  lastTotalMicroUsd: plain('last_total_micro_usd'),
  createdAt: plain('created_at'),
});

export const createSessionStore = (db: Connection): SessionStore => ({
  put: (session) => SESSION.put(db, session),
  get: (id) => SESSION.one(db, 'WHERE id = @id', { id }),
});
