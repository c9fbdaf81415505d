import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_AGENT } from '../../../../src-shared/model/agent.ts';
import type { TaskId } from '../../../../src-shared/ids.ts';
import type { Project } from '../../../../src-shared/model/project.ts';
import { microUsd } from '../../../../src-shared/money.ts';
import { agentOfSpike } from '../../../../src-main/core/spike/spike-tasks.ts';
import { createSpikeService } from '../../../../src-main/core/spike/spike-service.ts';
import type { StartSpike } from '../../../../src-main/core/services.ts';
import { PERSON, ServiceWorld } from '../../../support/service-world.ts';

function setUp() {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  const cancelled: TaskId[] = [];
  let onCancel: () => void = () => {};
  const cancelTask = (id: TaskId): Promise<void> => {
    onCancel();
    cancelled.push(id);
    const task = world.stores.tasks.get(id);
    if (task !== null) world.stores.tasks.update({ ...task, state: 'cancelled' });
    return Promise.resolve();
  };
  const serviceOf = (isHub = true) => createSpikeService(world.deps(isHub), { cancelTask });
  return {
    world,
    cancelled,
    serviceOf,
    spikes: serviceOf(),
    a: world.addProject({ name: 'h1-a' }),
    b: world.addProject({ name: 'h1-b' }),
    whenCancelling: (run: () => void) => {
      onCancel = run;
    },
  };
}

const limits = (projects: readonly Project[], given: Partial<StartSpike> = {}): StartSpike => ({
  projectIds: projects.map((project) => project.id),
  budgetMicroUsd: microUsd(5_000_000),
  callsPerDay: 7,
  days: 3,
  keepCap: false,
  ...given,
});
const callsOf = (world: ServiceWorld): number | undefined => world.stores.agents.get('claude')?.callsPerDay;

/** A task of the project that relayed once and waits for approval, its process having run for this time. */
function relayed(world: ServiceWorld, project: Project, from: number, to: number): TaskId {
  const now = world.clock.now();
  const task = world.addTask(project, { state: 'awaiting_approval' });
  world.addTurn(task, { from: now + from, to: now + to, costMicroUsd: 100_000 });
  world.addItem(task, { state: 'answered', respondedAt: now, respondedVia: 'cli' });
  world.addItem(task, { kind: 'approve' });
  world.addTree(task);
  return task.id;
}

test('a spike sets its number of calls in the agent and lasts whole calendar days', () => {
  const { world, spikes, a, b } = setUp();
  const spike = spikes.start(limits([a, b]), PERSON);
  expect([callsOf(world), spike.callsBefore, spike.endsAt]).toEqual([7, 20, Date.UTC(2026, 2, 5)]);
  expect(world.ledger().map((entry) => entry.kind)).toEqual(['spike.started', 'policy.agent_changed']);
  expect(world.ledger('policy.agent_changed')[0]?.data).toMatchObject({
    by: 'asha',
    changes: { callsPerDay: { old: 20, new: 7 } },
  });
});

test('a spike keeps the agent that it was started with, also when its project uses another one later', async () => {
  const { world, spikes, a } = setUp();
  world.stores.agents.put({ ...DEFAULT_AGENT, name: 'second', callsPerDay: 11 });
  const spike = spikes.start(limits([a]), PERSON);
  expect(world.ledger('spike.started')[0]?.data).toMatchObject({ agent: 'claude' });
  world.stores.projects.update({ ...a, settings: { ...a.settings, agent: 'second' } });
  await spikes.stop('enough', PERSON);
  expect(agentOfSpike(world.stores, spike)).toBe('claude');
  expect([callsOf(world), world.stores.agents.get('second')?.callsPerDay]).toEqual([20, 11]);
  expect(world.ledger('spike.ended')[0]?.data).toMatchObject({ agent: 'claude' });
});

test('only one spike runs at a time', () => {
  const { spikes, a, b } = setUp();
  spikes.start(limits([a]), PERSON);
  expect(() => spikes.start(limits([b]), PERSON)).toThrow(expect.objectContaining({ code: 'spike-running' }));
});

test('projects with different agents are no spike', () => {
  const { world, spikes, a } = setUp();
  world.stores.agents.put({ ...DEFAULT_AGENT, name: 'second' });
  const other = world.addProject({ settings: { agent: 'second' } });
  expect(() => spikes.start(limits([a, other]), PERSON)).toThrow(expect.objectContaining({ code: 'usage' }));
  expect(world.stores.spikes.latest()).toBe(null);
});

test('success ends it: tasks cancelled, trees cleaned, the number put back, figures in the ledger', async () => {
  const { world, spikes, cancelled, a, b } = setUp();
  spikes.start(limits([a, b]), PERSON);
  const first = relayed(world, a, 0, 1000);
  const second = relayed(world, b, 500, 1500);
  const draft = world.addTask(a, { state: 'draft' });
  world.clock.advance(2000);
  await spikes.check();
  expect(spikes.status()).toMatchObject({
    succeeded: true,
    spentMicroUsd: 200_000,
    callsToday: 2,
    spike: { endedReason: 'success: Each project relayed a question and reached approval.' },
  });
  expect(cancelled).toEqual([first, second]);
  expect([...world.removedTrees].sort()).toEqual([first, second].sort());
  expect(world.stores.tasks.get(draft.id)?.state).toBe('draft');
  expect(callsOf(world)).toBe(20);
  expect(world.ledger('policy.agent_changed').at(-1)?.data).toMatchObject({
    changes: { callsPerDay: { old: 7, new: 20 } },
  });
  expect(world.ledger('spike.ended')[0]?.data).toMatchObject({
    by: 'signalbox',
    report: { tasks: 2, cycles: 2, touches: 2, costMicroUsd: 200_000, isSuccess: true },
  });
});

test('the number goes back to 0 when the spike set it from 0', async () => {
  const { world, spikes, a } = setUp();
  world.stores.agents.put({ ...DEFAULT_AGENT, callsPerDay: 0 });
  spikes.start(limits([a]), PERSON);
  await spikes.stop('enough', PERSON);
  expect(callsOf(world)).toBe(0);
});

test('with keepCap the number stays', async () => {
  const { world, spikes, a } = setUp();
  spikes.start(limits([a], { keepCap: true }), PERSON);
  await spikes.stop('enough', PERSON);
  expect(callsOf(world)).toBe(7);
});

test('a number that a person set meanwhile stays', async () => {
  const { world, spikes, a } = setUp();
  spikes.start(limits([a]), PERSON);
  world.stores.agents.put({ ...DEFAULT_AGENT, callsPerDay: 3 });
  await spikes.stop('enough', PERSON);
  expect(callsOf(world)).toBe(3);
});

test('stopping without a spike says so', async () => {
  const { spikes } = setUp();
  await expect(spikes.stop('enough', PERSON)).rejects.toMatchObject({ code: 'spike-not-running' });
});

test('a spike ends by its budget, its calls, its days', async () => {
  const reasons: (string | null | undefined)[] = [];
  for (const kind of ['budget', 'calls', 'time'] as const) {
    const { world, spikes, a } = setUp();
    spikes.start(limits([a], { callsPerDay: 2, days: 1 }), PERSON);
    await spikes.check();
    reasons.push(world.stores.spikes.latest()?.endedReason);
    const task = world.addTask(a);
    const now = world.clock.now();
    if (kind === 'budget') world.addTurn(task, { from: now, to: now + 1, costMicroUsd: 4_999_999 });
    if (kind === 'calls') {
      world.addTurn(task, { from: now, to: now + 1 });
      world.addTurn(task, { from: now, to: now + 1 });
    }
    if (kind === 'time') world.clock.advance(16 * 3600 * 1000);
    await spikes.check();
    reasons.push(world.stores.spikes.latest()?.endedReason);
  }
  expect(reasons).toEqual([
    null,
    'budget: Its budget is used up.',
    null,
    'calls: It made its 2 calls of a day.',
    null,
    'time: Its days are over.',
  ]);
});

test('a safety stop in one of its projects ends it, one elsewhere does not', async () => {
  const { world, spikes, a, b } = setUp();
  spikes.start(limits([a]), PERSON);
  world.addItem(world.addTask(b), { kind: 'review', cause: 'safety-stop' });
  await spikes.check();
  expect(world.stores.spikes.current()).not.toBe(null);
  world.addItem(world.addTask(a), { kind: 'review', cause: 'conversation-lost' });
  await spikes.check();
  expect(world.stores.spikes.latest()?.endedReason).toBe('safety: conversation-lost (item 2)');
});

test('what was spent and called before its start is not its own', async () => {
  const { world, spikes, a } = setUp();
  const task = world.addTask(a);
  const now = world.clock.now();
  world.addTurn(task, { from: now - 2000, to: now - 1000, costMicroUsd: 9_000_000 });
  spikes.start(limits([a]), PERSON);
  expect(spikes.status()).toMatchObject({ spentMicroUsd: 0, callsToday: 0 });
});

test('what its projects spend and call after its end is not its own, what they called before stays', async () => {
  const { world, spikes, a } = setUp();
  spikes.start(limits([a]), PERSON);
  world.clock.advance(1000);
  const task = world.addTask(a, { state: 'done' });
  const now = world.clock.now();
  world.addTurn(task, { from: now - 900, to: now - 100, costMicroUsd: 30_000 });
  await spikes.stop('enough', PERSON);
  world.clock.advance(1000);
  world.addTurn(task, { from: now + 500, to: now + 900, costMicroUsd: 40_000 });
  expect(spikes.status()).toMatchObject({ spentMicroUsd: 30_000, callsToday: 1 });
  world.clock.advance(24 * 3_600_000);
  expect(spikes.status()).toMatchObject({ spentMicroUsd: 30_000, callsToday: 0 });
});

test('an end that calls for a check of its own does not wait for itself', async () => {
  const { world, spikes, a, whenCancelling } = setUp();
  spikes.start(limits([a]), PERSON);
  world.addTask(a);
  const checks: Promise<void>[] = [];
  whenCancelling(() => checks.push(spikes.check()));
  const [first, second] = await Promise.all([spikes.stop('one', PERSON), spikes.stop('two', PERSON)]);
  await Promise.all(checks);
  expect([first.endedReason, second.endedReason, world.ledger('spike.ended').length]).toEqual([
    'one',
    'one',
    1,
  ]);
});

test('an end that a crash cut off goes on with its reason', async () => {
  const { world, spikes, serviceOf, cancelled, a, whenCancelling } = setUp();
  spikes.start(limits([a]), PERSON);
  const task = world.addTask(a);
  whenCancelling(() => {
    throw new Error('the process died here');
  });
  await expect(spikes.stop('enough', PERSON)).rejects.toThrow('died');
  expect(callsOf(world)).toBe(7);
  whenCancelling(() => {});
  await serviceOf().check();
  expect([cancelled, callsOf(world), world.stores.spikes.latest()?.endedReason]).toEqual([
    [task.id],
    20,
    'enough',
  ]);
});

test('without a hub tasks are cancelled and trees are left for the hub', async () => {
  const { world, serviceOf, cancelled, a } = setUp();
  const spikes = serviceOf(false);
  spikes.start(limits([a]), PERSON);
  const id = relayed(world, a, 0, 10);
  await spikes.stop('enough', PERSON);
  expect([cancelled, world.removedTrees]).toEqual([[id], []]);
});
