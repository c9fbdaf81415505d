import { AppError } from '../../src-shared/errors.ts';
import type { JournalRow, JournalStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, json, plain } from './table.ts';

const JOURNAL = new Table<JournalRow>('journal', ['id'], {
  id: plain('id'),
  projectId: plain('project_id'),
  taskId: plain('task_id'),
  intent: plain('intent'),
  data: json('data_json'),
  state: plain('state'),
  createdAt: plain('created_at'),
  settledAt: plain('settled_at'),
});

export const createJournalStore = (db: Connection): JournalStore => ({
  insert: (row) => JOURNAL.insert(db, row),
  settle: (id, state, at) => {
    const changed = db.run(
      "UPDATE journal SET state = @state, settled_at = @at WHERE id = @id AND state = 'open'",
      { id, state, at },
    );
    if (changed === 1) return;
    // Recovery may come to a row a second time; settling it the same way again is no news.
    const row = JOURNAL.one(db, 'WHERE id = @id', { id });
    if (row?.state !== state)
      throw new AppError('internal', 'This git change is not open, or settled otherwise.');
  },
  open: () => JOURNAL.many(db, "WHERE state = 'open' ORDER BY rowid"),
});
