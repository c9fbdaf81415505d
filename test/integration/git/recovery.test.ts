import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { WorkspaceOf } from '../../../src-main/core/ports/workspaces.ts';
import { makeWorkspaceWorld, put, read, type WorkspaceWorld } from '../../support/workspace-world.ts';

class Death extends Error {}

/** The names of the steps that `act` goes through, in order. */
async function stepsOf(world: WorkspaceWorld, act: () => Promise<unknown>): Promise<readonly string[]> {
  const steps: string[] = [];
  world.restart({ step: (name) => void steps.push(name) });
  await act();
  return [...new Set(steps)];
}

/** Runs `act` until the step, where the hub dies; then a new hub starts and recovers. */
async function dieAt(world: WorkspaceWorld, step: string, act: () => Promise<unknown>): Promise<void> {
  world.restart({
    step: (name) => {
      if (name === step) throw new Death(name);
    },
  });
  await expect(act()).rejects.toThrow(Death);
  world.restart();
  await world.workspaces.recover([world.project]);
  expect(world.stores.journal.open().filter((row) => !['make-tree'].includes(row.intent))).toEqual([]);
}

const worktrees = (world: WorkspaceWorld): Promise<string> =>
  world.repository.git('worktree', 'list', '--porcelain');

async function dirtyTree(world: WorkspaceWorld): Promise<WorkspaceOf> {
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'committed.txt', 'committed\n');
  await world.committed(of);
  put(tree.path, 'staged.txt', 'staged version\n');
  await world.repository.git('-C', tree.path, 'add', 'staged.txt');
  put(tree.path, 'staged.txt', 'later version\n');
  put(tree.path, 'untracked.txt', 'untracked\n');
  put(tree.path, 'nested/inner.txt', 'inner\n');
  await world.repository.git('init', '--quiet', path.join(tree.path, 'nested'));
  return of;
}

test('a removal that dies at any step converges, and nothing dirty is lost', async () => {
  await using world = await makeWorkspaceWorld();
  const rehearsal = await dirtyTree(world);
  const steps = await stepsOf(world, () => world.workspaces.remove(rehearsal, 'rehearsed'));
  expect(steps).toEqual([
    'keep:journaled',
    'keep:updated',
    'remove:kept',
    'remove:tombstone',
    'remove:folder',
    'remove:admin',
    'remove:merge-ref',
    'remove:branch',
    'remove:index',
  ]);
  for (const step of steps) {
    const of = await dirtyTree(world);
    const tree = world.stores.trees.get(of.taskId);
    await dieAt(world, step, () => world.workspaces.remove(of, 'cancelled'));
    await world.workspaces.remove(of, 'cancelled');
    const kept = (await world.workspaces.kept()).find((each) => each.taskId === of.taskId);
    expect(kept, step).toMatchObject({ ref: `refs/signalbox/kept/${of.taskId}`, reason: 'cancelled' });
    const { git, show } = world.repository;
    expect(await show(kept?.ref ?? '', 'untracked.txt')).toBe('untracked');
    expect(await show(kept?.ref ?? '', 'staged.txt')).toBe('later version');
    expect(await show(`${kept?.ref ?? ''}^2`, 'staged.txt')).toBe('staged version');
    expect(await git('log', '-1', '--format=%s', `${kept?.ref ?? ''}^1`)).toBe('Round the total');
    expect(existsSync(tree?.path ?? '')).toBe(false);
    expect(await worktrees(world)).not.toContain(of.taskId);
    expect(world.stores.trees.get(of.taskId)?.state).toBe('removed');
    const restored = await world.workspaces.restore(of);
    expect(await git('rev-parse', restored.branch)).toBe(kept?.commit);
    expect(await world.workspaces.restore(of)).toEqual(restored);
  }
  expect(world.stores.kept.list()).toHaveLength(steps.length + 1);
  expect(await world.repository.git('fsck', '--no-dangling')).toBe('');
}, 240_000);

test('making a tree that dies at any step ends in one good tree', async () => {
  await using world = await makeWorkspaceWorld();
  const steps = await stepsOf(world, () => world.workspaces.prepare(world.newTask()));
  expect(steps).toEqual([
    'make-tree:branch',
    'make-tree:add',
    'make-tree:mark',
    'make-tree:files',
    'make-tree:settle',
  ]);
  for (const step of steps) {
    const of = world.newTask(`Dies at ${step}`);
    await dieAt(world, step, () => world.workspaces.prepare(of));
    const tree = await world.prepared(of);
    expect(await world.repository.git('-C', tree.path, 'status', '--porcelain', '--branch')).toBe(
      `## ${tree.branch}`,
    );
    expect((await worktrees(world)).split(of.taskId)).toHaveLength(2);
  }
  expect(world.stores.journal.open()).toEqual([]);
}, 120_000);

test('a commit that dies at any step is made exactly once', async () => {
  await using world = await makeWorkspaceWorld();
  const rehearsal = world.newTask();
  put((await world.prepared(rehearsal)).path, 'a.txt', 'a\n');
  const steps = await stepsOf(world, () => world.commit(rehearsal));
  expect(steps).toEqual(['commit:applied', 'commit:journaled', 'commit:updated']);
  for (const step of steps) {
    const of = world.newTask(`Dies at ${step}`);
    const tree = await world.prepared(of);
    put(tree.path, 'a.txt', 'a\n');
    put(tree.path, 'b.txt', 'b\n');
    const requested = { remove: ['b.txt'], rename: [{ from: 'a.txt', to: 'c.txt' }] };
    await dieAt(world, step, () => world.commit(of, requested));
    expect(await world.commit(of, requested)).toEqual({
      kind: 'committed',
      commit: await world.repository.git('rev-parse', tree.branch),
      files: [{ path: 'c.txt', status: 'added', bytes: 2 }],
      notes: [],
    });
    expect(await world.repository.git('rev-list', '--count', `main..${tree.branch}`)).toBe('1');
    expect(world.stores.ledger.page({ kind: 'git.committed', taskId: of.taskId })).toHaveLength(1);
  }
}, 120_000);

test('a merge that dies at any step is made exactly once, and the checkout of base ends clean', async () => {
  await using world = await makeWorkspaceWorld({ files: { 'sub/gone.txt': 'gone\n' } });
  const work = async (name: string): Promise<() => Promise<unknown>> => {
    const of = world.newTask(name);
    const tree = await world.prepared(of);
    put(tree.path, 'invoice.mjs', `// ${name}\n`);
    put(tree.path, `${name}/new.txt`, 'new\n');
    rmSync(path.join(tree.path, 'sub'), { recursive: true, force: true });
    const commit = await world.committed(of);
    return () => world.workspaces.merge(of, commit, tree.baseCommit);
  };
  const steps = await stepsOf(world, await work('rehearsed'));
  expect(steps).toEqual(['merge:journaled', 'merge:locked', 'merge:updated', 'merge:along']);
  for (const step of steps) {
    const before = await world.repository.git('rev-parse', 'main');
    const name = `at-${step.replace(':', '-')}`;
    const merge = await work(name);
    await dieAt(world, step, merge);
    expect(await merge()).toMatchObject({ kind: 'merged' });
    expect(await world.repository.git('rev-list', '--count', '--first-parent', `${before}..main`)).toBe('1');
    expect(await world.repository.git('status', '--porcelain')).toBe('');
    expect(read(world.repository.path, `${name}/new.txt`)).toBe('new\n');
    expect(existsSync(path.join(world.repository.path, '.git/index.lock'))).toBe(false);
  }
  expect(world.ledger('git.merged')).toHaveLength(steps.length + 1);
}, 120_000);

test('a checkout that was brought along half-way is finished, and a file that a person changed since is not touched', async () => {
  await using world = await makeWorkspaceWorld({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  const root = world.repository.path;
  const work = async (text: string): Promise<() => Promise<unknown>> => {
    const of = world.newTask();
    const tree = await world.prepared(of);
    for (const name of ['a.txt', 'b.txt', `${text}.txt`]) put(tree.path, name, `${text}\n`);
    const commit = await world.committed(of);
    return () => world.workspaces.merge(of, commit, tree.baseCommit);
  };
  const halfWay = async (merge: () => Promise<unknown>, meanwhile: () => void): Promise<void> => {
    world.restart({
      step: (name) => {
        if (name === 'merge:updated') throw new Death();
      },
    });
    await expect(merge()).rejects.toThrow(Death);
    meanwhile();
    world.restart();
    await world.workspaces.recover([world.project]);
  };
  await halfWay(await work('one'), () => {
    put(root, 'a.txt', 'one\n');
    put(root, 'one.txt', 'one\n');
  });
  expect(await world.repository.git('status', '--porcelain')).toBe('');
  expect(read(root, 'b.txt')).toBe('one\n');
  await halfWay(await work('two'), () => put(root, 'a.txt', 'by the person\n'));
  expect(read(root, 'a.txt')).toBe('by the person\n');
  expect(existsSync(path.join(root, '.git/index.lock'))).toBe(false);
  expect(await world.repository.show('main', 'b.txt')).toBe('two');
});

test('laying a merge into the tree survives its death at any step, and goes back for the work alone', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'work.txt', 'work\n');
  const commit = await world.committed(of);
  put(world.repository.path, 'base.txt', 'base\n');
  await world.repository.git('add', 'base.txt');
  await world.repository.git('commit', '--quiet', '--message', 'base moves');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual({
    kind: 'base-moved',
    base: await world.repository.git('rev-parse', 'main'),
  });
  await dieAt(world, 'lay-merge:ref', () => world.workspaces.mergePreview(of, commit));
  expect(read(tree.path, 'base.txt')).toBe('base\n');
  const preview = await world.workspaces.mergePreview(of, commit);
  expect(await world.workspaces.mergePreview(of, commit)).toEqual(preview);
  if (preview.kind !== 'clean') throw new Error('a clean merge was expected');
  expect(await world.repository.git('rev-parse', tree.branch)).toBe(commit);
  put(tree.path, 'base.txt', 'changed by tests\n');
  put(tree.path, 'left/by-tests.txt', 'x\n');
  await dieAt(world, 'lay-merge:back', () => world.workspaces.restoreAfterTests(of, commit));
  expect(await world.workspaces.restoreAfterTests(of, commit)).toEqual({ restored: [], moved: [] });
  expect(existsSync(path.join(tree.path, 'base.txt'))).toBe(false);
  expect(read(tree.path, 'work.txt')).toBe('work\n');
  expect(await world.workspaces.merge(of, commit, preview.base)).toMatchObject({ kind: 'merged' });
  expect(await world.workspaces.remove(of, 'done')).toEqual({ kept: null });
});

test('tests that change files, hide others and start repositories leave the tree as the commit has it', async () => {
  await using world = await makeWorkspaceWorld({
    files: { '.gitignore': 'ignored/\n', 'keep/me.txt': 'keep\n' },
  });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  const commit = await world.committed(of);
  put(tree.path, 'invoice.mjs', 'changed\n');
  rmSync(path.join(tree.path, 'keep'), { recursive: true });
  put(tree.path, '.gitignore', 'ignored/\nhidden/\n');
  put(tree.path, 'hidden/new.txt', 'hidden\n');
  put(tree.path, 'ignored/cache.txt', 'cache\n');
  put(tree.path, 'report.txt', 'report\n');
  mkdirSync(path.join(tree.path, 'repo'));
  await world.repository.git('init', '--quiet', path.join(tree.path, 'repo'));
  expect(await world.workspaces.restoreAfterTests(of, commit)).toEqual({
    restored: ['.gitignore', 'invoice.mjs', 'keep/me.txt'],
    moved: ['hidden/new.txt', 'repo', 'report.txt'],
  });
  expect(await world.repository.git('-C', tree.path, 'status', '--porcelain')).toBe('');
  expect(read(tree.path, 'ignored/cache.txt')).toBe('cache\n');
  expect(await world.workspaces.restoreAfterTests(of, commit)).toEqual({ restored: [], moved: [] });
});

test('a tree deleted by hand, pruned, or moved is said to be so, and made anew from its last commit', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'work.txt', 'work\n');
  const commit = await world.committed(of);
  const unusable = (problem: string) => expect.objectContaining({ kind: 'unusable', problem }) as unknown;

  rmSync(tree.path, { recursive: true });
  expect(await world.workspaces.prepare(of)).toEqual(unusable('gone'));
  expect(await world.commit(of)).toMatchObject({ kind: 'unusable' });
  expect(await world.workspaces.recreate(of)).toMatchObject({ kind: 'ready', isNew: true, tree });
  expect(read(tree.path, 'work.txt')).toBe('work\n');

  rmSync(tree.path, { recursive: true });
  await world.repository.git('worktree', 'prune');
  expect(await world.workspaces.prepare(of)).toEqual(unusable('gone'));
  expect(await world.workspaces.recreate(of)).toMatchObject({ kind: 'ready' });

  const elsewhere = world.folder.join('elsewhere');
  await world.repository.git('worktree', 'move', tree.path, elsewhere);
  expect(await world.workspaces.prepare(of)).toEqual(unusable('moved'));
  await expect(world.workspaces.remove(of, 'cancelled')).rejects.toMatchObject({ code: 'tree-not-ours' });
  expect(existsSync(path.join(elsewhere, 'work.txt'))).toBe(true);
  await world.repository.git('worktree', 'move', elsewhere, tree.path);
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'ready' });

  await world.repository.git('-C', tree.path, 'switch', '--quiet', '--detach');
  put(tree.path, 'lost.txt', 'nearly lost\n');
  await world.repository.git('-C', tree.path, 'add', 'lost.txt');
  await world.repository.git('-C', tree.path, 'commit', '--quiet', '--message', 'on no branch');
  put(tree.path, 'dirty.txt', 'dirty\n');
  expect(await world.workspaces.prepare(of)).toEqual(unusable('other-branch'));
  expect(await world.workspaces.recreate(of)).toMatchObject({ kind: 'ready' });
  expect(existsSync(path.join(tree.path, 'dirty.txt'))).toBe(false);
  const ref = `refs/signalbox/kept/${of.taskId}`;
  expect(await world.repository.show(ref, 'dirty.txt')).toBe('dirty');
  expect(await world.repository.git('log', '--format=%s', ref)).toContain('on no branch');
  expect(await world.repository.git('rev-parse', tree.branch)).toBe(commit);

  rmSync(tree.path, { recursive: true });
  expect(await world.workspaces.remove(of, 'cancelled')).toEqual({ kept: null });
  expect(await worktrees(world)).not.toContain(of.taskId);
  expect(await world.repository.git('rev-parse', tree.branch)).toBe(commit);
}, 120_000);

test('a removed branch is no end: the last commit is known and kept', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'work.txt', 'work\n');
  const commit = await world.committed(of);
  await world.repository.git('update-ref', '-d', `refs/heads/${tree.branch}`);
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'unusable', problem: 'gone' });
  expect(await world.commit(of)).toMatchObject({ kind: 'unusable' });
  expect(await world.workspaces.remove(of, 'cancelled')).toMatchObject({ kept: { taskId: of.taskId } });
  expect(await world.repository.git('log', '--format=%H', `refs/signalbox/kept/${of.taskId}`)).toContain(
    commit,
  );
});

test('a repository that is not there is an error with its name, and recovery of the others goes on', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  const aside = world.folder.join('repository-aside');
  renameSync(world.repository.path, aside);
  await expect(world.workspaces.prepare(of)).rejects.toMatchObject({ code: 'project-folder-missing' });
  await world.workspaces.recover([world.project]);
  renameSync(aside, world.repository.path);
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'ready', tree });
});

test('locks that a killed git of ours left are removed, and those of others are not', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  const locks: string[] = [];
  world.restart({
    step: (name) => {
      if (name !== 'commit:journaled') return;
      // As a git leaves it that was killed with its new value written.
      const [row] = world.stores.journal.open();
      const lock = path.join(world.repository.path, '.git', `${row?.data['ref'] ?? ''}.lock`);
      writeFileSync(lock, `${row?.data['new'] ?? ''}\n`);
      locks.push(lock);
      throw new Death();
    },
  });
  await expect(world.commit(of)).rejects.toThrow(Death);
  const foreign = path.join(world.repository.path, '.git/index.lock');
  writeFileSync(foreign, '');
  world.restart();
  await world.workspaces.recover([world.project]);
  expect(locks.map((lock) => existsSync(lock))).toEqual([false]);
  expect(existsSync(foreign)).toBe(true);
  expect(await world.commit(of)).toMatchObject({ kind: 'committed' });
});

test('a tree whose pointer was altered is made anew, and what was not committed in it is kept', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'work.txt', 'not committed\n');
  writeFileSync(path.join(tree.path, '.git'), `gitdir: ${world.repository.path}/.git\n`);
  expect(await world.workspaces.prepare(of)).toMatchObject({
    kind: 'unusable',
    problem: 'pointer-altered',
  });
  expect(await world.workspaces.recreate(of)).toMatchObject({ kind: 'ready', tree });
  expect(existsSync(path.join(tree.path, 'work.txt'))).toBe(false);
  expect(await world.repository.show(`refs/signalbox/kept/${of.taskId}`, 'work.txt')).toBe('not committed');
  expect(await world.commit(of)).toEqual({ kind: 'nothing' });
});
