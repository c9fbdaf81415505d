import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkspaceWorld, put, read } from '../../support/workspace-world.ts';

test('a task gets a marked tree on its own branch, and preparing again proves it', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask('Runde die Beträge: größer & "schöner"!');
  const first = await world.workspaces.prepare(of);
  expect(first).toEqual({
    kind: 'ready',
    isNew: true,
    needsSetup: false,
    tree: {
      path: world.folder.join('data', 'trees', world.project.id, of.taskId),
      branch: 'signalbox/1-runde-die-betrage-gro-er-schoner',
      baseCommit: await world.repository.git('rev-parse', 'main'),
    },
  });
  if (first.kind !== 'ready') return;
  expect(read(first.tree.path, 'invoice.mjs')).toContain('export const total');
  expect(await world.repository.git('-C', first.tree.path, 'status', '--porcelain=v2', '--branch')).toBe(
    [`# branch.oid ${first.tree.baseCommit}`, `# branch.head ${first.tree.branch}`].join('\n'),
  );
  expect(await world.workspaces.prepare(of)).toEqual({ ...first, isNew: false });
  expect(world.stores.journal.open()).toEqual([]);
});

test('work is committed as the person, made by Signalbox, and the same content again is the same commit', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  expect(await world.commit(of)).toEqual({ kind: 'nothing' });
  put(tree.path, 'src/round.mjs', 'export const round = Math.round;\n');
  put(tree.path, 'invoice.mjs', 'export const total = () => 0;\n');
  const outcome = await world.commit(of);
  expect(outcome).toEqual({
    kind: 'committed',
    commit: await world.repository.git('rev-parse', tree.branch),
    notes: [],
    files: [
      { path: 'invoice.mjs', status: 'modified', bytes: 30 },
      { path: 'src/round.mjs', status: 'added', bytes: 33 },
    ],
  });
  expect(await world.commit(of)).toEqual(outcome);
  expect(await world.repository.git('log', '-1', '--format=%an <%ae>|%cn <%ce>|%s', tree.branch)).toBe(
    'Test Person <person@example.com>|Signalbox <signalbox@localhost>|Round the total',
  );
  expect(await world.repository.git('-C', tree.path, 'status', '--porcelain')).toBe('');
  expect(await world.repository.git('status', '--porcelain')).toBe('');
  expect(world.ledger('git.committed')).toHaveLength(1);
});

test('removes and renames that the agent asked for are part of the commit, and may be repeated', async () => {
  await using world = await makeWorkspaceWorld({
    files: { 'old.txt': 'a\n', 'b.txt': 'b\n', 'dir/c.txt': 'c\n' },
  });
  const of = world.newTask();
  const tree = await world.prepared(of);
  const requested = {
    remove: ['dir/', 'b.txt', 'never.txt'],
    rename: [
      { from: 'old.txt', to: 'b.txt' },
      { from: 'gone.txt', to: 'x.txt' },
    ],
  };
  const outcome = await world.commit(of, requested);
  expect(outcome).toMatchObject({ kind: 'committed', notes: ['Not renamed, as it is not there: gone.txt'] });
  expect(await world.repository.git('ls-tree', '-r', '--name-only', tree.branch)).toBe(
    ['b.txt', 'invoice.mjs', 'invoice.test.mjs'].join('\n'),
  );
  expect(read(tree.path, 'b.txt')).toBe('a\n');
  expect(await world.commit(of, requested)).toMatchObject({ kind: 'committed' });
  expect(read(tree.path, 'b.txt')).toBe('a\n');
});

test('the diff shows the work since the base, what is not committed yet included', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  expect(await world.workspaces.diff(of)).toBe('');
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'one\n');
  await world.committed(of);
  put(tree.path, 'b.txt', 'two\n');
  const diff = await world.workspaces.diff(of);
  expect(diff).toContain('+one');
  expect(diff).toContain('+two');
});

test.each([
  ['merge', 'checked out'],
  ['merge', 'not checked out'],
  ['ff', 'checked out'],
  ['ff', 'not checked out'],
] as const)('a merge by %s brings the work to a base branch that is %s', async (mode, where) => {
  await using world = await makeWorkspaceWorld({ settings: { merge: mode } });
  if (where === 'not checked out') await world.repository.git('switch', '--quiet', '--create', 'other');
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'new.txt', 'new\n');
  const commit = await world.committed(of);
  const outcome = await world.workspaces.merge(of, commit, tree.baseCommit);
  const head = await world.repository.git('rev-parse', 'main');
  expect(outcome).toEqual({ kind: 'merged', commit: head, baseBefore: tree.baseCommit });
  expect(await world.repository.git('log', '-1', '--format=%P', 'main')).toBe(
    mode === 'ff' ? tree.baseCommit : `${tree.baseCommit} ${commit}`,
  );
  expect(existsSync(world.folder.join('repository', 'new.txt'))).toBe(where === 'checked out');
  expect(await world.repository.git('status', '--porcelain')).toBe('');
  expect(await world.repository.git('fsck', '--no-dangling')).toBe('');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual(outcome);
  expect(world.ledger('git.merged')).toHaveLength(1);
  expect(await world.workspaces.remove(of, 'done')).toEqual({ kept: null });
  expect(existsSync(tree.path)).toBe(false);
  expect(await world.repository.git('branch', '--list', 'signalbox/*')).toBe('');
  expect(await world.repository.git('worktree', 'list')).not.toContain(of.taskId);
});

test('the subjects of commit and merge show what a title hides, and the branch leaves it out', async () => {
  await using world = await makeWorkspaceWorld({ settings: { merge: 'merge' } });
  const of = world.newTask('Round\u202E slatot\u001B[2J\nnow');
  const tree = await world.prepared(of);
  put(tree.path, 'new.txt', 'new\n');
  const commit = await world.committed(of);
  await world.workspaces.merge(of, commit, tree.baseCommit);
  const subject = (ref: string) => world.repository.git('log', '-1', '--format=%s', ref);
  expect([await subject(commit), await subject('main'), tree.branch]).toEqual([
    'Round<U+202E> slatot␛[2J now',
    `Merge task ${of.taskNumber}: Round<U+202E> slatot␛[2J now`,
    `signalbox/${of.taskNumber}-round-slatot-2j-now`,
  ]);
});

test('a base branch that is checked out and dirty is not touched, whatever the change is', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'new.txt', 'new\n');
  const commit = await world.committed(of);
  const root = world.repository.path;
  const dirty = (...paths: string[]) => ({ kind: 'base-dirty', checkout: root, paths });
  put(root, 'note.txt', 'mine\n');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual(dirty('note.txt'));
  await world.repository.git('add', 'note.txt');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual(dirty('note.txt'));
  await world.repository.git('rm', '--quiet', '--cached', 'note.txt');
  await world.repository.git('clean', '--quiet', '--force');
  put(root, 'invoice.mjs', 'changed\n');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual(dirty('invoice.mjs'));
  expect(read(root, 'invoice.mjs')).toBe('changed\n');
  for (let at = 10; at < 35; at += 1) put(root, `note ${at}.txt`, 'mine\n');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual(
    dirty(
      'invoice.mjs',
      ...Array.from({ length: 19 }, (_each, index) => `note ${index + 10}.txt`),
      '… and 6 more',
    ),
  );
  await world.repository.git('clean', '--quiet', '--force');
  expect(await world.repository.git('rev-parse', 'main')).toBe(tree.baseCommit);
  await world.repository.git('checkout', '--quiet', 'invoice.mjs');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toMatchObject({ kind: 'merged' });
  expect(existsSync(path.join(root, '.git', 'index.lock'))).toBe(false);
});

test('a base branch checked out in a worktree of the person is brought along there', async () => {
  await using world = await makeWorkspaceWorld();
  await world.repository.git('switch', '--quiet', '--create', 'other');
  const elsewhere = world.folder.join('persons worktree');
  await world.repository.git('worktree', 'add', '--quiet', elsewhere, 'main');
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'new.txt', 'new\n');
  const commit = await world.committed(of);
  put(elsewhere, 'new.txt', 'in the way\n');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual({
    kind: 'base-dirty',
    checkout: elsewhere,
    paths: ['new.txt'],
  });
  await world.repository.git('-C', elsewhere, 'clean', '--quiet', '--force');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toMatchObject({ kind: 'merged' });
  expect(read(elsewhere, 'new.txt')).toBe('new\n');
  expect(await world.repository.git('-C', elsewhere, 'status', '--porcelain')).toBe('');
});

test('a project that does not merge leaves the work on its branch, also after the tree is removed', async () => {
  await using world = await makeWorkspaceWorld({ settings: { merge: 'none' } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'new.txt', 'new\n');
  const commit = await world.committed(of);
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual({ kind: 'left-on-branch' });
  expect(await world.workspaces.remove(of, 'done')).toEqual({ kept: null });
  expect(await world.repository.git('rev-parse', tree.branch)).toBe(commit);
});
