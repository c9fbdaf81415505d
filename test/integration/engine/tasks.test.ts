import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_AGENT } from '../../../src-shared/model/agent.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { EngineWorld, PERSON, done } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;

beforeEach(() => {
  folder = makeTempFolder('tasks');
  world = new EngineWorld(folder.path);
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const error = (code: string, message: RegExp): unknown =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as unknown });

const startSpike = (...projects: readonly Project[]): void => {
  world.core.spikes.start(
    {
      projectIds: projects.map((project) => project.id),
      budgetMicroUsd: microUsd(5_000_000),
      callsPerDay: 7,
      days: 3,
      keepCap: false,
    },
    PERSON,
  );
};
const addDraft = (project: Project) =>
  world.core.tasks.add({ projectId: project.id, title: 'later', description: 'x', isDraft: true }, PERSON);

describe('a spike', () => {
  test('ends its own tasks and leaves those from before, in whatever state they are', async () => {
    const project = world.addProject({ slots: 0 });
    const before = world.addTask(project.id);
    const draftBefore = addDraft(project);
    world.clock.advance(1000);
    startSpike(project);
    world.clock.advance(1000);
    const own = world.addTask(project.id);
    const ownDraft = addDraft(project);
    world.core.tasks.submit(draftBefore.id, PERSON);
    expect(world.core.spikes.status()?.openTasks.map((task) => task.id)).toEqual([own.id]);
    await world.core.spikes.stop('enough', PERSON);
    expect([before, draftBefore, own, ownDraft].map((task) => world.task(task.id).state)).toEqual([
      'ready',
      'ready',
      'cancelled',
      'draft',
    ]);
  });

  test('takes at most three tasks of each project, by adding and by submitting', async () => {
    const [project, other, elsewhere] = ['a', 'b', 'c'].map((name) => world.addProject({ name, slots: 0 }));
    if (project === undefined || other === undefined || elsewhere === undefined) throw new Error('none');
    world.addTask(project.id);
    world.clock.advance(1000);
    startSpike(project, other);
    world.clock.advance(1000);
    const [first] = [1, 2, 3].map(() => world.addTask(project.id));
    const tooMany = error('cap-reached', /at most 3 tasks of each project; it has #2, #3, #4 already/);
    expect(() => world.addTask(project.id)).toThrow(tooMany);
    const draft = addDraft(project);
    expect(() => world.core.tasks.submit(draft.id, PERSON)).toThrow(tooMany);
    expect(world.task(draft.id).state).toBe('draft');
    for (const { id } of [other, elsewhere, elsewhere, elsewhere, elsewhere]) world.addTask(id);
    // One that never ran gives its place back.
    if (first !== undefined) await world.core.tasks.cancel(first.id, PERSON);
    expect(world.core.tasks.submit(draft.id, PERSON).state).toBe('ready');
    await world.core.spikes.stop('enough', PERSON);
    expect(world.addTask(project.id).state).toBe('ready');
  });
});

describe('the account that tests run under', () => {
  const settings = { testCommand: ['npm', 'test'], runTestsAs: 'tests' };
  const switchOn = (): void => world.stores.agents.put({ ...DEFAULT_AGENT, testsUnderAccount: true });

  test('gone missing, it parks the task before a call is made, and trying again goes on', async () => {
    switchOn();
    await world.engine.start();
    world.commands.unusableAccounts.set('tests', 'There is no account "tests" on this machine.');
    world.executor.script = [{ outcome: done() }];
    const task = world.addTask(world.addProject({ name: 'my shop', settings }).id);
    await world.untilState(task.id, 'parked');
    const [item] = world.open();
    expect(item).toMatchObject({ kind: 'manual', cause: 'tests-unavailable' });
    expect(item?.question).toMatch(/"tests", which cannot be used. There is no account/);
    expect(item?.details[0]).toMatch(/signalbox project set 'my shop' runTestsAs=NAME$/);
    expect([world.stores.launches.ofTask(task.id).length, world.commands.requests.length]).toEqual([0, 0]);
    world.commands.unusableAccounts.clear();
    if (item !== undefined) world.core.inbox.resolve(item.number, 'retry', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.commands.requests.map((request) => request.account)).toEqual(['tests']);
  });

  test.each([true, false])('the offer says when it was not used (switched on: %s)', async (isOn) => {
    if (isOn) switchOn();
    await world.engine.start();
    world.executor.script = [{ outcome: done() }];
    const task = world.addTask(world.addProject({ settings }).id);
    await world.untilState(task.id, 'awaiting_approval');
    const notes = world.open()[0]?.offer?.notes ?? [];
    expect(notes.filter((note) => note.startsWith('Tests do not run as tests: '))).toHaveLength(isOn ? 0 : 1);
  });
});

test.each([false, true])('a task of a removed project cannot be retried (fresh: %s)', async (fresh) => {
  const project = world.addProject({ name: 'shop' });
  const task = world.addTask(project.id);
  await world.core.tasks.cancel(task.id, PERSON);
  world.stores.projects.update({ ...project, removedAt: epochMs(1) });
  await expect(world.core.tasks.retry(task.id, { fresh }, PERSON)).rejects.toThrow(
    error('task-wrong-state', /^Task #1 belongs to the project shop, which was removed/),
  );
  expect([world.task(task.id).state, world.ledgerKinds().includes('task.retry_asked')]).toEqual([
    'cancelled',
    false,
  ]);
});

test('a task is moved before another one of its queue, and is told why it cannot be elsewhere', () => {
  const [project, other] = ['a', 'b'].map((name) => world.addProject({ name, slots: 0 }));
  if (project === undefined || other === undefined) throw new Error('none');
  const first = world.addTask(project.id);
  const second = world.addTask(project.id);
  const third = world.addTask(other.id);
  expect(() => world.core.tasks.move(first.id, first.id, PERSON)).toThrow(
    error('usage', /^Task #1 cannot be moved before itself/),
  );
  expect(() => world.core.tasks.move(first.id, third.id, PERSON)).toThrow(
    error('usage', /^Both tasks must be in the same project/),
  );
  expect(world.core.tasks.move(second.id, first.id, PERSON).position).toBe(1);
});
