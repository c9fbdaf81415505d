import { expect, test } from 'vitest';
import type {
  AttemptId,
  ItemNumber,
  JournalId,
  LaunchId,
  ProjectId,
  TaskId,
  TestRunId,
  TurnId,
} from '../../../src-shared/ids.ts';
import { microUsd } from '../../../src-shared/money.ts';
import type { LocalDay } from '../../../src-shared/time.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { makeAgent, makeSpike } from '../../support/core-builders.ts';
import {
  ATTEMPT,
  HOSTILE,
  PROJECT,
  RUN,
  SESSION,
  TASK,
  TURN,
  addGraph,
  attempt,
  item,
  journalRow,
  launch,
  project,
  run,
  task,
  testRun,
  tree,
  turn,
} from './models.ts';
import { StoreBench } from './opened.ts';

const DAY = '2026-03-02' as LocalDay;

test('projects come back as they were stored, and are found by name and root until they are removed', () => {
  using bench = new StoreBench();
  const { projects } = bench.open();
  const made = project({ disabledReason: 'safety stop', isPaused: true, isEnabled: false });
  projects.insert(made);
  expect(projects.get(PROJECT)).toEqual(made);
  expect([projects.byName('shop'), projects.byRoot(made.facts.root)]).toEqual([made, made]);
  const removed = { ...made, removedAt: epochMs(99) };
  projects.update(removed);
  expect([projects.byName('shop'), projects.byRoot(made.facts.root), projects.list()]).toEqual([
    null,
    null,
    [],
  ]);
  expect(projects.list({ withRemoved: true })).toEqual([removed]);
  // The name and the folder are free again.
  projects.insert(project({ id: 'prj_b' as ProjectId, facts: made.facts }));
  expect(projects.byName('shop')?.id).toBe('prj_b');
});

test('two projects cannot have one name or one repository', () => {
  using bench = new StoreBench();
  const { projects } = bench.open();
  const made = project();
  projects.insert(made);
  expect(() => projects.insert(project({ id: 'prj_b' as ProjectId }))).toThrow('refused');
  expect(() =>
    projects.insert(project({ id: 'prj_b' as ProjectId, name: 'other', facts: made.facts })),
  ).toThrow('refused');
});

test('agents are put and listed by name', () => {
  using bench = new StoreBench();
  const { agents } = bench.open();
  const claude = makeAgent({ testsUnderAccount: true });
  const other = makeAgent({ name: 'bee', callsPerDay: 0 });
  agents.put(claude);
  agents.put(other);
  agents.put({ ...claude, callsPerDay: 7 });
  expect(agents.list()).toEqual([other, { ...claude, callsPerDay: 7 }]);
  expect([agents.get('claude')?.callsPerDay, agents.get('nobody')]).toEqual([7, null]);
});

test('tasks get numbers from 1 and are listed by the queues of their projects', () => {
  using bench = new StoreBench();
  const { projects, tasks } = bench.open();
  projects.insert(project());
  projects.insert(project({ id: 'prj_b' as ProjectId, name: 'b' }));
  const first = tasks.insert(task({ position: 2 }));
  const second = tasks.insert(task({ id: 'tsk_b' as TaskId, position: 1, state: 'draft', readyAt: null }));
  const third = tasks.insert(task({ id: 'tsk_c' as TaskId, projectId: 'prj_b' as ProjectId, position: 1 }));
  expect([first.number, second.number, third.number]).toEqual([1, 2, 3]);
  expect(tasks.list()).toEqual([second, first, third]);
  expect(tasks.list({ projectId: PROJECT, states: ['ready', 'done'] })).toEqual([first]);
  expect(tasks.list({ states: [] })).toEqual([]);
  expect([tasks.get(TASK), tasks.byNumber(first.number)]).toEqual([first, first]);
  expect([tasks.endOfQueue(PROJECT), tasks.endOfQueue('prj_none' as ProjectId)]).toEqual([3, 1]);
  const changed = { ...first, state: 'done' as const, endedReason: HOSTILE };
  tasks.update(changed);
  expect(tasks.get(TASK)).toEqual(changed);
  expect([tasks.count(), tasks.count({ states: ['ready'] })]).toEqual([3, 1]);
});

test('runs, attempts and turns come back as they were stored', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  expect(stores.runs.get(RUN)).toEqual(run());
  expect(stores.runs.ofTask(TASK)).toEqual([run()]);
  expect(stores.attempts.running()).toEqual([attempt()]);
  expect(stores.turns.running()).toEqual([turn()]);
  const ended = attempt({ state: 'failed', endedReason: HOSTILE, endedAt: epochMs(50) });
  stores.attempts.update(ended);
  const next = attempt({ id: 'att_b' as AttemptId, number: 2, sessionId: null, model: null });
  stores.attempts.insert(next);
  expect([stores.attempts.ofRun(RUN), stores.attempts.ofTask(TASK)]).toEqual([
    [ended, next],
    [ended, next],
  ]);
  expect(stores.attempts.running()).toEqual([next]);
  const changed = run({ nextTurn: null, state: 'succeeded', endedAt: epochMs(60), commit: 'd'.repeat(40) });
  stores.runs.update(changed);
  expect(stores.runs.get(RUN)).toEqual(changed);
});

test('money is summed over the turns that settled, by project, task and time; reservations over those that run', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  const { turns } = stores;
  const settled = (id: string, cost: number, endedAt: number): void =>
    turns.insert(
      turn({
        id: id as TurnId,
        state: 'settled',
        costMicroUsd: microUsd(cost),
        costBasis: cost % 2 === 0 ? 'reported' : 'assumed',
        endedAt: epochMs(endedAt),
      }),
    );
  settled('trn_b', 100, 1000);
  settled('trn_c', 33, 2000);
  expect([
    turns.booked({}),
    turns.booked({ since: epochMs(2000) }),
    turns.booked({ projectIds: [PROJECT], since: epochMs(1000) }),
    turns.booked({ projectIds: ['prj_none' as ProjectId] }),
    turns.booked({ projectIds: [] }),
    turns.booked({ taskId: TASK }),
    turns.reserved({}),
    turns.reserved({ projectIds: [PROJECT] }),
  ]).toEqual([133, 33, 133, 0, 0, 133, 500_000, 500_000]);
  expect(turns.ofAttempt(ATTEMPT).map((each) => each.id)).toEqual([TURN, 'trn_b', 'trn_c']);
});

test('the turn that carried an answer is found by its item', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  const asked = stores.items.insert(item());
  expect(stores.turns.ofItem(asked.number)).toBeNull();
  const carrier = turn({ item: asked.number });
  stores.turns.update(carrier);
  expect(stores.turns.ofItem(asked.number)).toEqual(carrier);
});

test('launches that have not ended are live, and those whose prompt was written are calls of their day', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  const { launches } = stores;
  launches.insert(launch());
  expect([launches.live(), launches.ofTurn(TURN), launches.ofTask(TASK)]).toEqual([
    [launch()],
    [launch()],
    [launch()],
  ]);
  const ended = launch({ state: 'ended', exitCode: 0, signal: null, endedAt: epochMs(30) });
  launches.update(ended);
  expect(launches.live()).toEqual([]);
  launches.insert(launch({ id: 'lch_b' as LaunchId, isCall: false, pid: null, processStart: null }));
  expect([
    launches.callsOn(DAY, {}),
    launches.callsOn(DAY, { agent: 'claude', projectId: PROJECT, projectIds: [PROJECT], since: epochMs(7) }),
    launches.callsOn(DAY, { since: epochMs(8) }),
    launches.callsOn(DAY, { until: epochMs(7) }),
    launches.callsOn(DAY, { until: epochMs(6) }),
    launches.callsOn(DAY, { agent: 'other' }),
    launches.callsOn('2026-03-03' as LocalDay, {}),
  ]).toEqual([1, 1, 0, 1, 0, 0, 0]);
});

test('a turn never has two launches that live, nor an attempt two turns that run', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  stores.launches.insert(launch());
  expect(() => stores.launches.insert(launch({ id: 'lch_b' as LaunchId }))).toThrow('refused');
  expect(() => stores.turns.insert(turn({ id: 'trn_b' as TurnId }))).toThrow('refused');
});

test('sessions are put again with a new total', () => {
  using bench = new StoreBench();
  const { sessions } = bench.open();
  const session = {
    id: SESSION,
    taskId: TASK,
    harness: 'claude-code',
    cwd: '/tree',
    lastTotalMicroUsd: microUsd(0),
    createdAt: epochMs(1),
  };
  sessions.put(session);
  sessions.put({ ...session, lastTotalMicroUsd: microUsd(2900) });
  expect(sessions.get(SESSION)).toEqual({ ...session, lastTotalMicroUsd: 2900 });
});

test('items get numbers from 1, are listed oldest first by every filter, and wait with their response stored', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  const { items } = stores;
  const first = items.insert(item());
  const wide = items.insert(
    item({
      kind: 'manual',
      cause: 'login',
      projectId: null,
      taskId: null,
      runId: null,
      offer: null,
      cycle: null,
    }),
  );
  expect([first.number, wide.number, items.greatestNumber()]).toEqual([1, 2, 2]);
  expect(items.list()).toEqual([first, wide]);
  expect(items.list({ states: ['open'], kinds: ['manual'] })).toEqual([wide]);
  expect(items.list({ taskId: TASK, projectId: PROJECT })).toEqual([first]);
  const answered = {
    ...first,
    state: 'answered' as const,
    answer: HOSTILE,
    respondedAt: epochMs(20),
    respondedBy: 'asha',
    respondedVia: 'cli' as const,
    dispatchAt: epochMs(25),
    delivery: 'stored' as const,
  };
  items.update(answered);
  expect([items.get(first.number), items.stored()]).toEqual([answered, [answered]]);
  items.update({ ...answered, delivery: 'delivered' });
  expect([items.stored(), items.list({ states: ['open'] })]).toEqual([[], [wide]]);
});

test('holds are one of a kind', () => {
  using bench = new StoreBench();
  const { holds } = bench.open();
  const hold = {
    kind: 'login' as const,
    reason: HOSTILE,
    since: epochMs(2),
    until: null,
    probeAt: epochMs(3),
    item: 1 as ItemNumber,
  };
  holds.put(hold);
  holds.put({ ...hold, until: epochMs(9) });
  expect(holds.list()).toEqual([{ ...hold, until: 9 }]);
  holds.remove('login');
  holds.remove('disk');
  expect(holds.list()).toEqual([]);
});

test('a setting is any JSON, and null when there is none', () => {
  using bench = new StoreBench();
  const { settings } = bench.open();
  settings.set('kill', { reason: HOSTILE, list: [1, null] });
  settings.set('pause', true);
  settings.set('pause', false);
  expect([settings.get('kill'), settings.get('pause'), settings.get('none')]).toEqual([
    { reason: HOSTILE, list: [1, null] },
    false,
    null,
  ]);
  settings.remove('kill');
  expect(settings.get('kill')).toBeNull();
  expect(() => settings.set('x', undefined)).toThrow('JSON');
});

test('test runs come back as they were stored', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  stores.testRuns.insert(testRun());
  expect([stores.testRuns.running(), stores.testRuns.ofTask(TASK)]).toEqual([[testRun()], [testRun()]]);
  const ended = testRun({ state: 'timed-out', outputHash: 'e'.repeat(64), endedAt: epochMs(70), pid: 5 });
  stores.testRuns.update(ended);
  expect([stores.testRuns.get('tst_a' as TestRunId), stores.testRuns.running()]).toEqual([ended, []]);
});

test('trees, kept states and journal rows come back, and are stored without the rows they speak of', () => {
  using bench = new StoreBench();
  const { trees, kept, journal } = bench.open();
  trees.put(tree());
  trees.put(tree({ state: 'active', setupHash: 'h' }));
  expect([trees.get(TASK), trees.list(['active']), trees.list(['removed', 'making'])]).toEqual([
    tree({ state: 'active', setupHash: 'h' }),
    [tree({ state: 'active', setupHash: 'h' })],
    [],
  ]);
  const state = {
    ref: 'refs/signalbox/kept/1',
    taskId: TASK,
    projectId: PROJECT,
    commit: 'd'.repeat(40),
    reason: HOSTILE,
    files: 3,
    at: epochMs(5),
  };
  kept.put(state);
  expect(kept.list()).toEqual([state]);
  journal.insert(journalRow());
  journal.insert(journalRow({ id: 'jnl_b' as JournalId, taskId: null }));
  journal.settle('jnl_a' as JournalId, 'done', epochMs(12));
  journal.settle('jnl_a' as JournalId, 'done', epochMs(13));
  expect(journal.open()).toEqual([journalRow({ id: 'jnl_b' as JournalId, taskId: null })]);
  expect(() => journal.settle('jnl_a' as JournalId, 'undone', epochMs(14))).toThrow('settled otherwise');
});

test('the spike that runs is current, and the last one is latest', () => {
  using bench = new StoreBench();
  const { spikes } = bench.open();
  const spike = makeSpike({ projectIds: [PROJECT], keepCap: true });
  spikes.put(spike);
  expect([spikes.current(), spikes.latest()]).toEqual([spike, spike]);
  const ended = { ...spike, endedAt: epochMs(9), endedReason: 'success' };
  spikes.put(ended);
  expect([spikes.current(), spikes.latest()]).toEqual([null, ended]);
});

test('a lease has one holder, whose fencing number grows with every change of holder', () => {
  using bench = new StoreBench();
  const { leases } = bench.open();
  const mine = { name: 'account', owner: 'me', fencing: 1, beatAt: 1 };
  expect(leases.take('account', 'me', epochMs(1))).toEqual(mine);
  expect([leases.take('account', 'you', epochMs(2)), leases.get('account')]).toEqual([null, mine]);
  expect(leases.take('account', 'me', epochMs(3))).toEqual({ ...mine, beatAt: 3 });
  expect([leases.beat('account', 'me', 1, epochMs(4)), leases.beat('account', 'you', 1, epochMs(4))]).toEqual(
    [true, false],
  );
  expect(leases.takeOver('account', 'you', 7, epochMs(5))).toBeNull();
  expect(leases.takeOver('account', 'you', 1, epochMs(5))).toEqual({
    name: 'account',
    owner: 'you',
    fencing: 2,
    beatAt: 5,
  });
  // What the former holder still tries is refused.
  expect(leases.beat('account', 'me', 1, epochMs(6))).toBe(false);
  leases.release('account', 'me', 1);
  expect(leases.get('account')?.owner).toBe('you');
  leases.release('account', 'you', 2);
  expect([leases.get('account'), leases.take('account', 'me', epochMs(7))?.fencing]).toEqual([null, 3]);
});

test('an update of what is not there is an internal error, as is a row that refers to nothing', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  for (const work of [() => stores.runs.update(run()), () => stores.tasks.insert(task())]) {
    let code = 'none';
    try {
      work();
    } catch (error) {
      code = isAppError(error) ? error.code : String(error);
    }
    expect(code).toBe('internal');
  }
});
