import type { ItemNumber } from '../../src-shared/ids.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { ItemStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Conditions, Table, json, plain } from './table.ts';

const ITEM = new Table<Item>('item', ['number'], {
  number: plain('number'),
  kind: plain('kind'),
  state: plain('state'),
  projectId: plain('project_id'),
  taskId: plain('task_id'),
  runId: plain('run_id'),
  raisedBy: plain('raised_by'),
  raisedAt: plain('raised_at'),
  cause: plain('cause'),
  question: plain('question'),
  options: json('options_json'),
  summary: plain('summary'),
  cycle: plain('cycle'),
  offer: json('offer_json'),
  actions: json('actions_json'),
  details: json('details_json'),
  answer: plain('answer'),
  action: plain('action'),
  respondedAt: plain('responded_at'),
  respondedBy: plain('responded_by'),
  respondedVia: plain('responded_via'),
  dispatchAt: plain('dispatch_at'),
  delivery: plain('delivery'),
});

/** Oldest first is by number: numbers are given in the order in which items are raised. */
export const createItemStore = (db: Connection): ItemStore => ({
  insert: (item) => {
    const number = ITEM.insertNumbered(db, { ...item, number: null });
    return { ...item, number: number as ItemNumber };
  },
  update: (item) => ITEM.update(db, item),
  get: (number) => ITEM.one(db, 'WHERE number = @number', { number }),
  list: (filter = {}) => {
    const { where, parameters } = new Conditions()
      .when(filter.taskId, 'task_id = @taskId', (taskId) => ({ taskId }))
      .when(filter.projectId, 'project_id = @projectId', (projectId) => ({ projectId }))
      .among('state', filter.states)
      .among('kind', filter.kinds);
    return ITEM.many(db, `${where} ORDER BY number`, parameters);
  },
  stored: () => ITEM.many(db, "WHERE delivery = 'stored' AND dispatch_at IS NOT NULL ORDER BY number"),
  greatestNumber: () => Number(db.get('SELECT max(number) AS n FROM item')?.['n'] ?? 0),
});
