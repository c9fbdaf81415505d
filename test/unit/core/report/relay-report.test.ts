import { expect, onTestFinished, test } from 'vitest';
import { epochMs } from '../../../../src-shared/time.ts';
import { createReportService } from '../../../../src-main/core/report/relay-report.ts';
import { ServiceWorld } from '../../../support/service-world.ts';

function setUp() {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  return { world, reports: createReportService(world.deps()) };
}

test('a task that relayed twice and was approved, in figures', () => {
  const { world, reports } = setUp();
  const project = world.addProject({ name: 'h1-a' });
  const task = world.addTask(project, { state: 'done', readyAt: epochMs(1000) });
  const answered = (raisedAt: number, respondedAt: number) =>
    world.addItem(task, {
      state: 'answered',
      raisedAt: epochMs(raisedAt),
      respondedAt: epochMs(respondedAt),
      respondedVia: 'cli',
    });
  answered(5000, 7500);
  answered(9000, 9125);
  world.addItem(task, {
    kind: 'approve',
    state: 'approved',
    raisedAt: epochMs(13_500),
    respondedAt: epochMs(20_000),
    respondedVia: 'cli',
  });
  world.addTurn(task, { from: 2000, to: 5000, costMicroUsd: 30_000 });
  world.addTurn(task, { from: 7600, to: 9000, costMicroUsd: 500_000, costBasis: 'assumed' });
  world.addTurn(task, { from: 9200, to: 13_000, costMicroUsd: 12_000 });
  world.stores.ledger.append({
    kind: 'account.lock_wait',
    projectId: project.id,
    project: project.name,
    taskId: task.id,
    data: { seconds: 3 },
  });
  expect(reports.relay(null).tasks).toEqual([
    {
      task,
      project: 'h1-a',
      cycles: 2,
      touches: 3,
      waitedS: [2.5, 0.125],
      readyToApproveS: 12.5,
      costMicroUsd: 542_000,
      assumedMicroUsd: 500_000,
      lockWaitS: 3,
    },
  ]);
});

test('an open question is a cycle without a wait, and what Signalbox closed by itself is no touch', () => {
  const { world, reports } = setUp();
  const task = world.addTask(world.addProject(), { state: 'awaiting_human', readyAt: null });
  world.addItem(task);
  world.addItem(task, {
    kind: 'manual',
    state: 'resolved',
    respondedAt: epochMs(5),
    respondedBy: 'signalbox',
    respondedVia: 'system',
  });
  world.addItem(task, { kind: 'review', state: 'cancelled' });
  const [row] = reports.relay(null).tasks;
  expect({
    cycles: row?.cycles,
    touches: row?.touches,
    waitedS: row?.waitedS,
    ready: row?.readyToApproveS,
  }).toEqual({ cycles: 1, touches: 0, waitedS: [], ready: null });
});

test('overlap is told to the millisecond, with the projects that met', () => {
  const { world, reports } = setUp();
  const [a, b, c] = ['h1-a', 'h1-b', 'h1-c'].map((name) => world.addProject({ name }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three projects');
  world.addTurn(world.addTask(a), { from: 0, to: 1000 });
  world.addTurn(world.addTask(b), { from: 766, to: 2000 });
  world.addTurn(world.addTask(c), { from: 5000, to: 6000 });
  world.addTurn(world.addTask(c), { from: 0, to: 9000, launch: { pid: null } });
  expect(reports.relay(null).overlap).toEqual({ projects: ['h1-a', 'h1-b'], seconds: 0.234 });
});

test('a process that still runs overlaps up to now', () => {
  const { world, reports } = setUp();
  const now = world.clock.now();
  world.addTurn(world.addTask(world.addProject()), { from: now - 500, to: null });
  world.addTurn(world.addTask(world.addProject()), { from: now - 300, to: null });
  expect(reports.relay(null).overlap.seconds).toBe(0.3);
});

test('a report over named projects holds only these, removed ones too', () => {
  const { world, reports } = setUp();
  const gone = world.addProject({ removedAt: epochMs(1) });
  const other = world.addProject();
  const goneTask = world.addTask(gone, { state: 'done' });
  const otherTask = world.addTask(other);
  const idsOf = (report: ReturnType<typeof reports.relay>) => report.tasks.map((row) => row.task.id);
  expect([idsOf(reports.relay([gone.id])), idsOf(reports.relay(null))]).toEqual([
    [goneTask.id],
    [otherTask.id],
  ]);
});
