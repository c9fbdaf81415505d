import type {
  AttemptId,
  DeliveryId,
  JournalId,
  LaunchId,
  ProjectId,
  RunId,
  SessionId,
  TaskId,
  TestRunId,
  TurnId,
} from '../../../src-shared/ids.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Attempt, Launch, Run, Task, Turn } from '../../../src-shared/model/task.ts';
import { NO_CHANGES } from '../../../src-shared/model/task.ts';
import { microUsd } from '../../../src-shared/money.ts';
import type { LocalDay } from '../../../src-shared/time.ts';
import { epochMs } from '../../../src-shared/time.ts';
import type { JournalRow, TestRun, TreeRecord } from '../../../src-main/core/ports/stores.ts';
import type { SqliteStores } from '../../../src-main/store/open-store.ts';
import { makeProject } from '../../support/core-builders.ts';

export const PROJECT = 'prj_a' as ProjectId;
export const TASK = 'tsk_a' as TaskId;
export const RUN = 'run_a' as RunId;
export const ATTEMPT = 'att_a' as AttemptId;
export const TURN = 'trn_a' as TurnId;
export const SESSION = '5e551017-0000-4000-8000-000000000001' as SessionId;

/** Text that finds the places where something is cut, quoted or decoded wrongly. */
export const HOSTILE = `'";--\0 \u001b[31m\u202e 😀 \r\n%s {{}} \\u0000 ${'x'.repeat(300)}`;

export const project = (given: Partial<Project> = {}): Project =>
  makeProject({
    ...given,
    id: given.id ?? PROJECT,
    name: given.name ?? 'shop',
    settings: given.settings ?? { denyNames: ['Asha Rao'], testCommand: ['npm', 'test', HOSTILE] },
  });

export const task = (given: Partial<Task> = {}): Omit<Task, 'number'> => ({
  id: TASK,
  projectId: PROJECT,
  title: HOSTILE,
  description: HOSTILE,
  state: 'ready',
  position: 1,
  runId: null,
  endedReason: null,
  createdAt: epochMs(1),
  updatedAt: epochMs(2),
  readyAt: epochMs(3),
  ...given,
});

export const run = (given: Partial<Run> = {}): Run => ({
  id: RUN,
  taskId: TASK,
  workflow: 'relay',
  state: 'running',
  step: 'agent',
  nextTurn: { kind: 'conflict', paths: [HOSTILE] },
  sessionId: SESSION,
  baseCommit: 'b'.repeat(40),
  commit: null,
  questions: 1,
  extraQuestions: 3,
  countedAttempts: 2,
  pendingChanges: { ...NO_CHANGES, rename: [{ from: 'a', to: HOSTILE }], summary: HOSTILE },
  startedAt: epochMs(4),
  endedAt: null,
  ...given,
});

export const attempt = (given: Partial<Attempt> = {}): Attempt => ({
  id: ATTEMPT,
  runId: RUN,
  taskId: TASK,
  step: 'agent',
  number: 1,
  state: 'running',
  sessionId: SESSION,
  model: 'sonnet',
  endedReason: null,
  startedAt: epochMs(5),
  endedAt: null,
  ...given,
});

export const turn = (given: Partial<Turn> = {}): Turn => ({
  id: TURN,
  attemptId: ATTEMPT,
  runId: RUN,
  taskId: TASK,
  projectId: PROJECT,
  agent: 'claude',
  number: 1,
  kind: 'start',
  sessionId: SESSION,
  prompt: HOSTILE,
  deliveryId: `delivery of ${given.id ?? TURN}` as DeliveryId,
  item: null,
  state: 'running',
  outcome: null,
  reservedMicroUsd: microUsd(500_000),
  costMicroUsd: microUsd(0),
  totalMicroUsd: null,
  costBasis: 'none',
  startedAt: epochMs(6),
  endedAt: null,
  ...given,
});

export const launch = (given: Partial<Launch> = {}): Launch => ({
  id: 'lch_a' as LaunchId,
  turnId: TURN,
  taskId: TASK,
  projectId: PROJECT,
  agent: 'claude',
  ownerMark: 'hub_a:att_a',
  pid: 4321,
  processStart: '998877',
  argv: ['claude', '-p', HOSTILE],
  state: 'launched',
  isCall: true,
  localDay: '2026-03-02' as LocalDay,
  exitCode: null,
  signal: null,
  startedAt: epochMs(7),
  endedAt: null,
  ...given,
});

export const item = (given: Partial<Item> = {}): Omit<Item, 'number'> => ({
  kind: 'specify',
  state: 'open',
  projectId: PROJECT,
  taskId: TASK,
  runId: RUN,
  raisedBy: 'claude',
  raisedAt: epochMs(8),
  cause: null,
  question: HOSTILE,
  options: ['yes', HOSTILE],
  summary: HOSTILE,
  cycle: 1,
  offer: {
    commit: 'c'.repeat(40),
    baseCommit: 'b'.repeat(40),
    testRunId: null,
    testOutcome: 'passed',
    changedFiles: 2,
    notes: [HOSTILE],
  },
  actions: [{ name: 'retry', title: 'Retry', consequence: 'It is tried again.', value: 'how often' }],
  details: [HOSTILE],
  answer: null,
  action: null,
  respondedAt: null,
  respondedBy: null,
  respondedVia: null,
  dispatchAt: null,
  delivery: 'none',
  ...given,
});

export const testRun = (given: Partial<TestRun> = {}): TestRun => ({
  id: 'tst_a' as TestRunId,
  taskId: TASK,
  runId: RUN,
  attemptId: ATTEMPT,
  purpose: 'test',
  commit: 'c'.repeat(40),
  pid: null,
  processStart: null,
  state: 'running',
  exitCode: null,
  confinement: 'bubblewrap',
  outputHash: null,
  tail: HOSTILE,
  lockWaitMs: 12,
  startedAt: epochMs(9),
  endedAt: null,
  ...given,
});

export const tree = (given: Partial<TreeRecord> = {}): TreeRecord => ({
  taskId: TASK,
  projectId: PROJECT,
  path: '/data/trees/prj_a/tsk_a',
  branch: 'signalbox/1-x',
  baseCommit: 'b'.repeat(40),
  mark: 'random word',
  lastCommit: 'c'.repeat(40),
  setupHash: null,
  state: 'making',
  createdAt: epochMs(10),
  ...given,
});

export const journalRow = (given: Partial<JournalRow> = {}): JournalRow => ({
  id: 'jnl_a' as JournalId,
  projectId: PROJECT,
  taskId: TASK,
  intent: 'merge',
  data: { ref: 'refs/heads/main', old: 'a', new: null },
  state: 'open',
  createdAt: epochMs(11),
  settledAt: null,
  ...given,
});

/** A project with one task, one run, one attempt and one turn of each. */
export function addGraph(stores: SqliteStores): void {
  stores.transaction(() => {
    stores.projects.insert(project());
    stores.tasks.insert(task({ runId: RUN }));
    stores.runs.insert(run());
    stores.attempts.insert(attempt());
    stores.turns.insert(turn());
  });
}
