import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkspaces } from '../../../src-main/adapters/git/workspaces.ts';
import { createProcessTable } from '../../../src-main/adapters/process/process-table.ts';
import { createSpawner } from '../../../src-main/adapters/process/spawn-owned.ts';
import { sha256 } from '../../../src-main/adapters/sha256.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import type { TurnOutcome } from '../../../src-main/core/ports/harness.ts';
import type { Workspaces } from '../../../src-main/core/ports/workspaces.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import type { ProjectSettingsInput } from '../../../src-shared/model/project.ts';
import { EngineWorld, FakeExecutor, PERSON, done } from '../../support/engine-world.ts';
import { makeRepository, type SampleRepository } from '../../support/sample-repositories.ts';
import { makeTempFolder, type TempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { put, read, SILENT } from '../../support/workspace-world.ts';

/** An agent with file tools: each call does the next thing in the folder it was started in. */
class EditingExecutor extends FakeExecutor {
  readonly edits: ((folder: string) => void)[] = [];
  private folder = '';

  override launch(request: Parameters<FakeExecutor['launch']>[0]) {
    this.folder = request.cwd;
    return super.launch(request);
  }

  protected override outcomeFor(): TurnOutcome {
    this.edits.shift()?.(this.folder);
    return done();
  }
}

const PRICES = 'prices.txt';
const BEFORE = 'apple 1\nbread 2\ncheese 3\n';

let folder: TempFolder;
let repository: SampleRepository;
let executor: EditingExecutor;
let world: EngineWorld;

const data = (): string => folder.join('data');

function open(seed: number): EngineWorld {
  return new EngineWorld(data(), {
    seed,
    executor,
    workspaces: ({ stores, clock, ids }) => {
      const table = createProcessTable({ clock: systemClock });
      const spawner = createSpawner({ hub: stores.hubId, table, guardian: null, clock: systemClock });
      return createWorkspaces({
        ...{ stores, clock, ids, hash: sha256, log: SILENT, spawner },
        dataFolder: data(),
        homeFolder: folder.join('home'),
        inheritedEnv: { PATH: process.env['PATH'] },
      });
    },
  });
}

beforeEach(async () => {
  folder = makeTempFolder('conflict');
  for (const each of ['home', 'repository', 'data']) mkdirSync(folder.join(each));
  repository = await makeRepository(folder.join('repository'), 'javascript', {
    [PRICES]: BEFORE,
    'old.txt': 'old\n',
  });
  executor = new EditingExecutor();
  world = open(1);
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const workspaces = (): Workspaces => world.deps.workspaces;

async function until(task: Task, state: Task['state']): Promise<void> {
  await waitUntil(`the task is ${state}`, () => world.task(task.id).state === state, { withinMs: 30_000 });
}

async function commitInCheckout(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [file, text] of Object.entries(files)) put(repository.path, file, text);
  await repository.git('add', '--all');
  await repository.git(
    ...['-c', 'user.name=Asha', '-c', 'user.email=asha@example.com'],
    ...['commit', '--quiet', '--message', 'meanwhile'],
  );
  return (await repository.git('rev-parse', 'HEAD')).trim();
}

/** A task whose approved commit conflicts with what came to the base, at its item. */
async function conflicted(settings: ProjectSettingsInput = {}) {
  executor.edits.push((tree) => put(tree, PRICES, BEFORE.replace('bread 2', 'bread 20')));
  const found = await workspaces().inspectRepository(repository.path, null);
  const project = world.addProject({
    path: repository.path,
    baseBranch: found.baseBranch,
    facts: found.facts,
    settings,
  });
  await world.engine.start();
  const task = world.addTask(project.id);
  await until(task, 'awaiting_approval');
  const base = await commitInCheckout({
    [PRICES]: BEFORE.replace('bread 2', 'bread 200'),
    'news.txt': 'from the base\n',
  });
  const work = approve();
  await until(task, 'parked');
  const item = world.open()[0];
  expect(item).toMatchObject({ cause: 'merge-conflict', details: [PRICES] });
  return { task, base, work, item: item?.number ?? 0 };
}

function approve(): string {
  const item = world.open()[0];
  const commit = item?.offer?.commit ?? '';
  if (item === undefined) throw new Error('nothing to approve');
  world.core.inbox.approve(item.number, { commit }, PERSON);
  return commit;
}

const sendToAgent = (item: number): void => {
  world.core.inbox.resolve(item as Parameters<typeof world.core.inbox.resolve>[0], 'send-back', null, PERSON);
};

const resolved = (tree: string): void => put(tree, PRICES, BEFORE.replace('bread 2', 'bread 220'));

test.each(['merge', 'ff'] as const)(
  'a conflict that is sent to the agent is resolved with file tools alone and then merged (by %s)',
  async (merge) => {
    const { task, base, work, item } = await conflicted({ merge: 'merge' });
    const seen: Record<string, string> = {};
    executor.edits.push((tree) => {
      for (const file of [PRICES, 'news.txt']) seen[file] = read(tree, file);
      resolved(tree);
    });
    const project = world.stores.projects.list()[0];
    if (project === undefined) throw new Error('no project');
    world.stores.projects.update({ ...project, settings: { ...project.settings, merge } });
    sendToAgent(item);
    await until(task, 'awaiting_approval');

    const marked = [`<<<<<<< ${base}`, 'bread 200', '=======', 'bread 20', `>>>>>>> ${work}`];
    expect(seen).toEqual({
      [PRICES]: ['apple 1', ...marked, 'cheese 3', ''].join('\n'),
      'news.txt': 'from the base\n',
    });
    const prompt = executor.sent.at(-1)?.prompt ?? '';
    expect(prompt).toContain(`> CONFLICT (content): Merge conflict in ${PRICES}`);
    expect(prompt).toContain([`${PRICES}, line 2:`, ...marked].map((line) => `> ${line}`).join('\n'));

    const offered = approve();
    expect((await repository.git('log', '-1', '--format=%P', offered)).trim()).toBe(`${work} ${base}`);
    await until(task, 'done');
    expect(read(repository.path, PRICES)).toBe('apple 1\nbread 220\ncheese 3\n');
    expect(read(repository.path, 'news.txt')).toBe('from the base\n');
    expect(await repository.git('status', '--porcelain')).toBe('');
    await world.engine.idle();
    expect(await repository.git('for-each-ref', 'refs/signalbox')).toBe('');
    expect(await repository.git('fsck', '--no-dangling')).toBe('');
  },
  120_000,
);

test('marks that the agent leaves are not committed: it is asked again, and the marks are never merged', async () => {
  const { task, item, work } = await conflicted();
  executor.edits.push(
    (tree) => put(tree, 'note.txt', 'half done\n'),
    (tree) => resolved(tree),
  );
  sendToAgent(item);
  await until(task, 'awaiting_approval');
  expect(executor.sent.at(-1)?.prompt).toContain(`still hold marks of the merge conflict: ${PRICES}`);
  expect(world.stores.runs.get(world.task(task.id).runId ?? ('' as never))?.countedAttempts).toBe(1);
  expect(approve()).not.toBe(work);
  await until(task, 'done');
  expect(read(repository.path, PRICES)).not.toContain('<<<<<<<');
  expect(read(repository.path, 'note.txt')).toBe('half done\n');
}, 120_000);

test('a hub that dies while the conflict lies in the tree goes on with it as it is', async () => {
  const { task, item } = await conflicted();
  executor.script = [{ hold: true }];
  sendToAgent(item);
  await waitUntil('the agent was told', () => executor.sent.length === 2, { withinMs: 30_000 });
  const tree = executor.requests.at(-1)?.cwd ?? '';
  expect(read(tree, PRICES)).toContain('<<<<<<<');
  put(tree, 'note.txt', 'begun\n');
  // The prompt was written and never arrived.
  executor.traceOf = () => 'absent';
  world.crash();
  await commitInCheckout({ 'later.txt': 'later\n' });
  world = open(2);
  executor.edits.push(resolved);
  await world.engine.start();
  world.engine.wake();
  await until(task, 'awaiting_approval');
  expect(executor.sent.at(-1)?.prompt).toBe(executor.sent.at(-2)?.prompt);
  approve();
  await until(task, 'done');
  expect(['note.txt', 'later.txt', 'news.txt'].map((file) => read(repository.path, file))).toEqual([
    'begun\n',
    'later\n',
    'from the base\n',
  ]);
}, 120_000);

test('a person who merges after all, with the conflict laid out, merges no marks', async () => {
  const { task, item, work } = await conflicted({ maxAttempts: 1 });
  sendToAgent(item);
  await until(task, 'parked');
  const project = world.stores.projects.list()[0];
  if (project === undefined) throw new Error('no project');
  const of = { taskId: task.id, taskNumber: task.number, title: task.title, project };
  expect(await workspaces().mergePreview(of, work)).toEqual({ kind: 'conflict', paths: [PRICES] });
  expect(await workspaces().merge(of, work, await workspaces().baseHead(project))).toEqual({
    kind: 'conflict',
    paths: [PRICES],
  });
  await world.core.tasks.cancel(task.id, PERSON);
  await world.engine.idle();
  expect(await repository.git('for-each-ref', 'refs/signalbox/conflict', 'refs/signalbox/merge')).toBe('');
  expect(read(repository.path, path.join('.', PRICES))).toBe(BEFORE.replace('bread 2', 'bread 200'));
}, 120_000);
