import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PrepareOutcome } from '../../../src-main/core/ports/workspaces.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import { EngineWorld, PERSON, done } from '../../support/engine-world.ts';
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
