import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TurnOutcome } from '../../../src-main/core/ports/harness.ts';
import type { PrepareOutcome } from '../../../src-main/core/ports/workspaces.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { EngineWorld, PERSON, done, question, report } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;

beforeEach(() => {
  folder = makeTempFolder('item-actions');
  world = new EngineWorld(folder.path);
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const opened = (): Item => {
  const item = world.open()[0];
  if (item === undefined) throw new Error('no item');
  return item;
};

async function offered() {
  await world.engine.start();
  const project = world.addProject();
  const task = world.addTask(project.id);
  await world.untilState(task.id, 'awaiting_approval');
  return { project, task };
}

const names = (item: Item): readonly string[] => item.actions.map((action) => action.name);

describe('the item of a merge that would touch files of the person', () => {
  const KINDS = {
    'uncommitted changes': { kind: 'base-dirty', checkout: '/home/asha/shop', paths: ['note.txt'] },
    'files that git ignores': { kind: 'base-occupied', checkout: '/home/asha/shop', paths: ['.env'] },
  } as const;

  test.each(Object.entries(KINDS))(
    'names what is in the way (%s) and an action that it has',
    async (_name, given) => {
      const { task } = await offered();
      world.workspaces.mergeOutcomes = [given];
      world.core.inbox.approve(opened().number, {}, PERSON);
      await world.untilState(task.id, 'parked');
      const item = opened();
      expect(item).toMatchObject({ kind: 'manual', cause: 'base-dirty' });
      expect(item.details).toEqual([given.checkout, ...given.paths]);
      const named = /action "([^"]+)"/.exec(item.question)?.[1] ?? '';
      expect(names(item)).toContain(named);
      world.core.inbox.resolve(item.number, named, null, PERSON);
      await world.untilState(task.id, 'done');
    },
  );
});

describe('a safety stop', () => {
  const altered: PrepareOutcome = {
    kind: 'unusable',
    problem: 'pointer-altered',
    message: 'The file .git is not as Signalbox made it.',
  };

  test('for an altered tree offers what helps: the tree is made anew, and the project goes on', async () => {
    world.workspaces.prepareOutcome = altered;
    await world.engine.start();
    const project = world.addProject();
    const task = world.addTask(project.id);
    await world.untilState(task.id, 'parked');
    expect(names(opened())).toEqual(['recreate', 'cancel']);
    world.core.inbox.resolve(opened().number, 'recreate', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.stores.projects.get(project.id)?.isEnabled).toBe(true);
    expect(world.workspaces.calls).toContain('recreate');
  });

  test('for a tree that is altered when its work is to be committed has the work done again', async () => {
    world.workspaces.commitOutcomes = [
      { kind: 'violations', violations: [{ rule: 'pointer-altered', place: '.git' }] },
    ];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'parked');
    expect(names(opened())).toEqual(['recreate', 'cancel']);
    world.core.inbox.resolve(opened().number, 'recreate', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent[1]?.prompt).toContain('made anew from the last commit');
  });

  const MISMATCH = {
    ...done(),
    report: report({ sessionId: 'another' }),
  } as TurnOutcome;
  const UNKNOWN: TurnOutcome = {
    kind: 'failed',
    category: 'unknown-session',
    message: 'There is no such session.',
    resetsAt: null,
    report: report({ isError: true }),
  };
  /** What a first turn ends with, or an answered question, so that each safety stop comes about. */
  const STOPS: Readonly<Record<string, () => Promise<Task>>> = {
    'session-mismatch': async () => {
      world.executor.script = [{ outcome: MISMATCH }, { outcome: done() }];
      return world.addTask(world.addProject().id);
    },
    'conversation-lost': async () => {
      world.executor.script = [{ outcome: question('Round?') }, { outcome: UNKNOWN }, { outcome: done() }];
      const task = world.addTask(world.addProject().id);
      await world.untilState(task.id, 'awaiting_human');
      world.core.inbox.answer(opened().number, 'yes', PERSON);
      return task;
    },
    'safety-stop': () => {
      world.workspaces.commitOutcomes = [
        { kind: 'violations', violations: [{ rule: 'forbidden-path', place: '.claude/x' }] },
      ];
      return Promise.resolve(world.addTask(world.addProject().id));
    },
  };
  const WAYS_ON = ['the first action', 'the last but cancelling', 'task retry'] as const;

  test.each(Object.keys(STOPS).flatMap((cause) => WAYS_ON.map((way) => [cause, way] as const)))(
    'by %s names how the project is enabled, and going on by %s enables it',
    async (cause, way) => {
      await world.engine.start();
      const task = await STOPS[cause]?.();
      if (task === undefined) throw new Error('no task');
      await world.untilState(task.id, 'parked');
      const item = opened();
      const project = () => world.stores.projects.get(task.projectId);
      expect([item.cause, project()?.isEnabled]).toEqual([cause, false]);
      expect([item.question, ...item.details].join(' ')).toContain(
        `signalbox project enable ${project()?.name ?? ''}`,
      );
      const on = names(item).filter((name) => name !== 'cancel');
      if (way === 'task retry') await world.core.tasks.retry(task.id, { fresh: false }, PERSON);
      else {
        const action = way === 'the first action' ? on[0] : on.at(-1);
        world.core.inbox.resolve(item.number, action ?? '', null, PERSON);
      }
      expect(project()).toMatchObject({ isEnabled: true, disabledReason: null });
      await world.untilState(task.id, 'awaiting_approval');
      expect(world.ledgerKinds().filter((kind) => kind === 'project.enabled')).toHaveLength(1);
    },
  );

  test('keeps the project off when its task is cancelled', async () => {
    await world.engine.start();
    const task = await STOPS['session-mismatch']?.();
    if (task === undefined) throw new Error('no task');
    await world.untilState(task.id, 'parked');
    world.core.inbox.resolve(opened().number, 'cancel', null, PERSON);
    await world.untilState(task.id, 'cancelled');
    expect(world.stores.projects.get(task.projectId)?.isEnabled).toBe(false);
  });

  test('for a tree that is not ours offers no removal of it', async () => {
    world.workspaces.prepareOutcome = { ...altered, problem: 'not-ours' };
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'parked');
    expect(names(opened())).toEqual(['keep', 'cancel']);
  });

  test('for a tool outside the tree that a person looked at does not stop the same work again', async () => {
    world.executor.script = [
      {
        outcome: done(),
        events: [
          { kind: 'tool', id: 't1', name: 'Write', input: '{}', path: '/etc/hosts' },
          { kind: 'tool-result', id: 't1', isError: false, text: 'ok' },
        ],
      },
    ];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'parked');
    world.core.inbox.resolve(opened().number, 'keep', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
  });
});

describe('the delivery of an approval', () => {
  test('is stored until the hub has merged, and goes to no agent', async () => {
    const { task } = await offered();
    const { number } = opened();
    await world.engine.stop(100);
    expect(world.core.inbox.approve(number, {}, PERSON)).toMatchObject({
      state: 'approved',
      delivery: 'stored',
    });
    expect(world.task(task.id).state).toBe('merging');
    world.crash();
    world = new EngineWorld(folder.path, { seed: 2 });
    expect(world.item(number).delivery).toBe('stored');
    await world.engine.start();
    world.engine.wake();
    await world.untilState(task.id, 'done');
    expect(world.item(number).delivery).toBe('none');
  });

  test('of a merge that waits and is cancelled is failed: nobody acted on it', async () => {
    const { task } = await offered();
    const { number } = opened();
    await world.core.switches.kill('lunch', PERSON);
    world.core.inbox.approve(number, {}, PERSON);
    await world.core.tasks.cancel(task.id, PERSON);
    expect(world.item(number).delivery).toBe('failed');
  });

  test('of work that changed nothing is none at once, as nothing is left to do', async () => {
    world.workspaces.commitOutcomes = [{ kind: 'nothing' }];
    await offered();
    expect(world.core.inbox.approve(opened().number, {}, PERSON).delivery).toBe('none');
  });
});
