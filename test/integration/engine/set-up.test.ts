import { afterEach, beforeEach, expect, test } from 'vitest';
import { hubLine } from '../../../src-main/hosts/cli/hub-lines.ts';
import type { ProjectSettingsInput } from '../../../src-shared/model/project.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import { EngineWorld, exited, PERSON } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;

beforeEach(() => {
  folder = makeTempFolder('set-up');
  world = new EngineWorld(folder.path);
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const NO_NETWORK = 'npm error code EAI_AGAIN\n\nnpm error request to https://packages.example failed\n\n';

async function parkedBySetUp(tail: string, settings: ProjectSettingsInput = {}): Promise<Item> {
  world.commands.outcomes = [exited(1, tail)];
  await world.engine.start();
  const project = world.addProject({ settings: { setupCommand: ['npm', 'ci'], ...settings } });
  const task = world.addTask(project.id);
  await world.untilState(task.id, 'parked');
  const item = world.open()[0];
  if (item === undefined) throw new Error('no item');
  return item;
}

test('a set-up command that fails for want of the network has an item with the command that allows it', async () => {
  const item = await parkedBySetUp(NO_NETWORK);
  expect(item).toMatchObject({ kind: 'manual', cause: 'setup-failed' });
  expect(item.details[0]).toMatch(/signalbox project set \S+ allowNetwork=true$/);
  expect(item.details.slice(1)).toEqual(NO_NETWORK.split('\n').filter((line) => line !== ''));
});

test.each<[string, string, ProjectSettingsInput]>([
  ['fails for another reason', 'npm error code EACCES\n', {}],
  ['has the network already', NO_NETWORK, { allowNetwork: true }],
])('nothing is said of the network where the command %s', async (_why, tail, settings) => {
  const item = await parkedBySetUp(tail, settings);
  expect(item.details.join('\n')).not.toContain('allowNetwork');
});

test('where no agent ran, no line of the terminal tells of the end of its turn', async () => {
  await parkedBySetUp('broken\n');
  const results = world.stores.ledger.page({ kind: 'harness.result' });
  expect(results).toHaveLength(1);
  expect(results.map((entry) => hubLine(entry, 1))).toEqual([null]);
});

test('where an agent ran, a line of the terminal tells of the end of its turn', async () => {
  await world.engine.start();
  const task = world.addTask(world.addProject().id);
  await world.untilState(task.id, 'awaiting_approval');
  const results = world.stores.ledger.page({ kind: 'harness.result' });
  expect(results.map((entry) => hubLine(entry, 1))).toEqual([
    expect.stringContaining("the agent's turn has ended"),
  ]);
});

test('what cannot be shared with a worktree is named in an item, and the task goes on once it can be', async () => {
  world.workspaces.prepareOutcome = {
    kind: 'not-shared',
    problems: ['.env is not in the main checkout (/home/asha/shop).'],
  };
  await world.engine.start();
  const project = world.addProject({ settings: { share: ['.env'] } });
  const task = world.addTask(project.id);
  await world.untilState(task.id, 'parked');
  const item = world.open()[0];
  expect(item).toMatchObject({ kind: 'manual', cause: 'step-failed' });
  expect(item?.details).toEqual([
    '.env is not in the main checkout (/home/asha/shop).',
    expect.stringContaining('signalbox project set'),
  ]);
  world.workspaces.prepareOutcome = null;
  world.core.inbox.resolve(item?.number ?? (0 as never), 'retry', null, PERSON);
  await world.untilState(task.id, 'awaiting_approval');
});
