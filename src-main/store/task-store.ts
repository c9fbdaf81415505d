import type { TaskNumber } from '../../src-shared/ids.ts';
import type { Task } from '../../src-shared/model/task.ts';
import type { TaskFilter, TaskStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Conditions, Table, plain } from './table.ts';

const TASK = new Table<Task>('task', ['number', 'id'], {
  id: plain('id'),
  number: plain('number'),
  projectId: plain('project_id'),
  title: plain('title'),
  description: plain('description'),
  state: plain('state'),
  position: plain('position'),
  runId: plain('run_id'),
  endedReason: plain('ended_reason'),
  createdAt: plain('created_at'),
  updatedAt: plain('updated_at'),
  readyAt: plain('ready_at'),
});

const conditions = (filter: TaskFilter): Conditions =>
  new Conditions()
    .when(filter.projectId, 'project_id = @projectId', (projectId) => ({ projectId }))
    .among('state', filter.states);

export const createTaskStore = (db: Connection): TaskStore => ({
  insert: (task) => {
    const number = TASK.insertNumbered(db, { ...task, number: null });
    return { ...task, number: number as TaskNumber };
  },
  update: (task) => TASK.update(db, task),
  get: (id) => TASK.one(db, 'WHERE id = @id', { id }),
  byNumber: (number) => TASK.one(db, 'WHERE number = @number', { number }),
  list: (filter = {}) => {
    const { where, parameters } = conditions(filter);
    return TASK.many(db, `${where} ORDER BY project_id, position, number LIMIT @limit`, {
      ...parameters,
      limit: filter.limit ?? -1,
    });
  },
  endOfQueue: (projectId) => {
    const row = db.get('SELECT max(position) AS last FROM task WHERE project_id = @projectId', { projectId });
    return Number(row?.['last'] ?? 0) + 1;
  },
  count: (filter = {}) => {
    const { where, parameters } = conditions(filter);
    return Number(db.get(`SELECT count(*) AS n FROM task ${where}`, parameters)?.['n'] ?? 0);
  },
});
