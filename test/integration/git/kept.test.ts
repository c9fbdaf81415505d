import { existsSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { WorkspaceOf } from '../../../src-main/core/ports/workspaces.ts';
import type { TaskState } from '../../../src-shared/model/task.ts';
import { makeWorkspaceWorld, put, read, type WorkspaceWorld } from '../../support/workspace-world.ts';

const BRANCH = 'signalbox/1-round-the-total';

function end(world: WorkspaceWorld, of: WorkspaceOf, state: TaskState): void {
  const task = world.stores.tasks.get(of.taskId);
  if (task === null) throw new Error('There is no such task.');
  world.stores.tasks.update({ ...task, state });
}

const refusal = async (world: WorkspaceWorld, of: WorkspaceOf) => {
  const error: unknown = await world.workspaces.restore(of).catch((thrown: unknown) => thrown);
  const { code, message, hint } = error as { code: string; message: string; hint: string };
  return { code, message, hint };
};

/** A task with one commit of two files, whose tree is gone. */
async function committedAndGone(
  world: WorkspaceWorld,
  state: TaskState,
): Promise<{ of: WorkspaceOf; commit: string }> {
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  put(tree.path, 'b.txt', 'b\n');
  const commit = await world.committed(of);
  end(world, of, state);
  await world.workspaces.remove(of, `task ${state}`);
  return { of, commit };
}

test.each(['cancelled', 'failed'] as const)(
  'commits of a %s task are kept, and named by their branch',
  async (state) => {
    await using world = await makeWorkspaceWorld();
    const { of, commit } = await committedAndGone(world, state);
    expect(await world.workspaces.kept()).toEqual([
      {
        ref: `refs/heads/${BRANCH}`,
        taskId: of.taskId,
        project: world.project.name,
        commit,
        reason: `task ${state}, its commits stand on their branch`,
        at: world.stores.tasks.get(of.taskId)?.updatedAt,
        files: 2,
      },
    ]);
    expect(await world.workspaces.restore(of)).toEqual({ branch: BRANCH, commit });
    expect(await world.repository.git('branch', '--list', 'signalbox/*', '--format=%(refname:short)')).toBe(
      BRANCH,
    );
  },
);

test('what was not committed is kept with the commits before it, and named once', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  await world.committed(of);
  put(tree.path, 'dirty.txt', 'dirty\n');
  end(world, of, 'cancelled');
  await world.workspaces.remove(of, 'task cancelled');
  expect((await world.workspaces.kept()).map(({ ref }) => ref)).toEqual([`refs/signalbox/kept/${of.taskId}`]);
  const { branch } = await world.workspaces.restore(of);
  expect(await world.repository.git('ls-tree', '-r', '--name-only', branch)).toContain('a.txt\ndirty.txt');
});

test('commits whose branch somebody removed come back onto a new one while git still has them', async () => {
  await using world = await makeWorkspaceWorld();
  const { of, commit } = await committedAndGone(world, 'cancelled');
  await world.repository.git('branch', '--quiet', '--delete', '--force', BRANCH);
  expect(await world.workspaces.kept()).toEqual([]);
  const restored = { branch: 'signalbox/restored-1-round-the-total', commit };
  expect(await world.workspaces.restore(of)).toEqual(restored);
  expect(await world.repository.git('rev-parse', restored.branch)).toBe(commit);
});

test('the files of a tree whose repository is gone are moved aside whole, once', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'dirty.txt', 'dirty\n');
  renameSync(world.project.facts.root, world.folder.join('elsewhere'));
  await expect(world.workspaces.remove(of, 'project-removed')).rejects.toMatchObject({
    code: 'project-folder-missing',
    message: expect.stringContaining(world.project.facts.root) as unknown,
  });
  const { leftIn } = await world.workspaces.abandon(of);
  expect(read(leftIn ?? '', 'dirty.txt')).toBe('dirty\n');
  expect(existsSync(tree.path)).toBe(false);
  expect(world.stores.trees.get(of.taskId)?.state).toBe('removed');
  expect(world.ledger('tree.removed')).toMatchObject([{ leftIn }]);
  expect(await world.workspaces.abandon(of)).toEqual({ leftIn: null });
});

test('where nothing is to be restored it is said where the work is, with a command that shows it', async () => {
  await using world = await makeWorkspaceWorld();
  const fresh = world.newTask('Never begun');
  expect(await refusal(world, fresh)).toEqual({
    code: 'not-found',
    message: 'Task 1 has never had a worktree; nothing of it is kept.',
    hint: 'See what is kept: signalbox task kept',
  });
  const begun = world.newTask('Begun');
  const tree = await world.prepared(begun);
  put(tree.path, 'dirty.txt', 'dirty\n');
  expect(await refusal(world, begun)).toMatchObject({
    code: 'not-found',
    message: expect.stringContaining(tree.path),
    hint: 'See what it changed: signalbox task diff 2',
  });
  const merged = world.newTask('Merged');
  const { path: place, baseCommit } = await world.prepared(merged);
  put(place, 'm.txt', 'm\n');
  await world.workspaces.merge(merged, await world.committed(merged), baseCommit);
  end(world, merged, 'done');
  await world.workspaces.remove(merged, 'task done');
  expect(await refusal(world, merged)).toEqual({
    code: 'not-found',
    message: 'The work of task 3 is in main; nothing else of it is kept.',
    hint: 'See what it changed: signalbox task diff 3',
  });
  const empty = world.newTask('Empty');
  await world.prepared(empty);
  end(world, empty, 'cancelled');
  await world.workspaces.remove(empty, 'task cancelled');
  expect(await refusal(world, empty)).toMatchObject({
    message: 'Task 4 left nothing behind that could be kept.',
  });
  expect(await world.workspaces.kept()).toEqual([]);
});

test('without its repository no branch of a project is named, and nothing fails', async () => {
  await using world = await makeWorkspaceWorld();
  await committedAndGone(world, 'cancelled');
  rmSync(world.project.facts.gitDir, { recursive: true });
  expect(await world.workspaces.kept()).toEqual([]);
});
