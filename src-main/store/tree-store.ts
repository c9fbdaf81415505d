import type { KeptRecord, KeptStore, TreeRecord, TreeStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Conditions, Table, plain } from './table.ts';

const TREE = new Table<TreeRecord>('tree', ['task_id'], {
  taskId: plain('task_id'),
  projectId: plain('project_id'),
  path: plain('path'),
  branch: plain('branch'),
  baseCommit: plain('base_commit'),
  mark: plain('mark'),
  lastCommit: plain('last_commit'),
  setupHash: plain('setup_hash'),
  state: plain('state'),
  createdAt: plain('created_at'),
});

const KEPT = new Table<KeptRecord>('kept', ['project_id', 'ref'], {
  ref: plain('ref'),
  taskId: plain('task_id'),
  projectId: plain('project_id'),
  commit: plain('commit_id'),
  reason: plain('reason'),
  files: plain('files'),
  at: plain('kept_at'),
});

/** One tree a task. */
export const createTreeStore = (db: Connection): TreeStore => ({
  put: (tree) => TREE.put(db, tree),
  get: (taskId) => TREE.one(db, 'WHERE task_id = @taskId', { taskId }),
  list: (states) => {
    const { where, parameters } = new Conditions().among('state', states);
    return TREE.many(db, `${where} ORDER BY task_id`, parameters);
  },
});

/** One row a ref of a repository; oldest first. */
export const createKeptStore = (db: Connection): KeptStore => ({
  put: (kept) => KEPT.put(db, kept),
  list: () => KEPT.many(db, 'ORDER BY kept_at, project_id, ref'),
});
