import type { ItemView } from '../../../../src-shared/api/item.ts';
import { isoTime, epochMs } from '../../../../src-shared/time.ts';

/** 2026-03-02T09:00:00Z, where the fake clock starts. */
export const START = Date.UTC(2026, 2, 2, 9);

const ITEM: Partial<ItemView> = {
  number: 52,
  kind: 'specify',
  state: 'open',
  project: 'invoice-service',
  projectId: 'prj_1',
  taskId: 'tsk_1',
  taskNumber: 14,
  taskTitle: 'Round line totals',
  raisedBy: 'claude',
  raisedByName: 'Claude Code',
  raisedAt: isoTime(epochMs(START + 1000)),
  respondedAt: null,
  respondedBy: null,
  respondedVia: null,
  waitedS: null,
  cause: null,
  question: 'Half up or half even?',
  questionBy: 'agent',
  options: ['Half up', 'Half even', 'Truncate'],
  summary: '',
  details: [],
  cycle: 1,
  answer: null,
  action: null,
  durable: true,
  actions: [],
  dispatchAt: null,
  delivery: 'none',
  runId: 'run_1',
  commit: null,
  offer: null,
  testTail: null,
};

/** As a hub tells it, without what notifications do not look at. */
export const anItem = (over: Partial<ItemView> = {}): ItemView => ({ ...ITEM, ...over }) as ItemView;
