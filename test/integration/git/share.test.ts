import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkspaceWorld, put, read, type WorkspaceWorld } from '../../support/workspace-world.ts';

const IGNORES = '.env\n.venv/\nnode_modules/\n/deep/data/*.bin\n';

const sharing = (share: readonly string[]): Promise<WorkspaceWorld> =>
  makeWorkspaceWorld({
    settings: { share: [...share] },
    files: { '.gitignore': IGNORES, 'deep/own.txt': 'own\n' },
  });

/** What is said of a shared path that cannot be copied. */
async function problemOf(world: WorkspaceWorld): Promise<string> {
  const outcome = await world.workspaces.prepare(world.newTask());
  return outcome.kind === 'not-shared' ? outcome.problems.join('\n') : outcome.kind;
}

test('ignored files and folders that a project shares are in each worktree, before its set-up command, as they were', async () => {
  await using world = await sharing(['.env', './node_modules/', 'deep/data/big.bin']);
  const root = world.repository.path;
  put(root, '.env', 'KEY=1\n');
  put(root, 'node_modules/left/index.js', 'left\n');
  symlinkSync('../left/index.js', path.join(root, 'node_modules/.link'));
  put(root, 'deep/data/big.bin', 'big\n');
  utimesSync(path.join(root, 'node_modules/left/index.js'), 1_700_000_000, 1_700_000_000);
  world.changeSettings({ setupCommand: ['npm', 'ci'] });
  const of = world.newTask();
  const outcome = await world.workspaces.prepare(of);
  expect(outcome).toMatchObject({ kind: 'ready', needsSetup: true });
  const tree = outcome.kind === 'ready' ? outcome.tree.path : '';
  expect([read(tree, '.env'), read(tree, 'deep/data/big.bin')]).toEqual(['KEY=1\n', 'big\n']);
  expect(statSync(path.join(tree, 'node_modules/left/index.js')).mtimeMs).toBe(1_700_000_000_000);
  expect(readlinkSync(path.join(tree, 'node_modules/.link'))).toBe('../left/index.js');
  put(tree, 'work.txt', 'work\n');
  expect(await world.commit(of)).toMatchObject({
    kind: 'committed',
    files: [{ path: 'work.txt', status: 'added' }],
  });
});

test('a copy stays as a task has made it, and what is gone of it comes back', async () => {
  await using world = await sharing(['.env', 'node_modules']);
  const root = world.repository.path;
  put(root, '.env', 'KEY=1\n');
  put(root, 'node_modules/a.js', 'a\n');
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, '.env', 'KEY=2\n');
  rmSync(path.join(tree.path, 'node_modules'), { recursive: true });
  await world.prepared(of);
  expect([read(tree.path, '.env'), read(tree.path, 'node_modules/a.js')]).toEqual(['KEY=2\n', 'a\n']);
  expect(read(root, '.env')).toBe('KEY=1\n');
});

test('a link to an interpreter outside is shared as it is; once a task points it elsewhere it is a violation', async () => {
  await using world = await sharing(['.venv']);
  const root = world.repository.path;
  mkdirSync(path.join(root, '.venv/bin'), { recursive: true });
  symlinkSync('/usr/bin/env', path.join(root, '.venv/bin/python'));
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  expect(await world.commit(of)).toMatchObject({ kind: 'committed' });
  rmSync(path.join(tree.path, '.venv/bin/python'));
  symlinkSync('/etc/shadow', path.join(tree.path, '.venv/bin/python'));
  expect(await world.commit(of)).toMatchObject({
    kind: 'violations',
    violations: [{ rule: 'link-leads-outside', place: '.venv/bin/python' }],
  });
});

test.each<[string, string, (root: string, elsewhere: string) => void, RegExp]>([
  ['is not there', '.env', () => undefined, /\.env is not in the main checkout/],
  ['is in git', 'deep', () => undefined, /deep is in git \(deep\/own\.txt\)/],
  ['git does not ignore', 'notes', (root) => put(root, 'notes/a.txt', 'a'), /notes is not ignored by git/],
  ['belongs to git', '.git/config', () => undefined, /no path that can be shared/],
  ['is the whole checkout', '.', () => undefined, /no path that can be shared/],
  [
    'is a link',
    '.env',
    (root, elsewhere) => symlinkSync(path.join(elsewhere, 'secret.txt'), path.join(root, '.env')),
    /neither a file nor a folder/,
  ],
  [
    'lies behind a link',
    'node_modules/inner',
    (root, elsewhere) => symlinkSync(elsewhere, path.join(root, 'node_modules')),
    /behind the link node_modules/,
  ],
  [
    'holds a link to a folder outside',
    'node_modules',
    (root, elsewhere) => {
      put(root, 'node_modules/a.js', 'a');
      symlinkSync(elsewhere, path.join(root, 'node_modules/out'));
    },
    /node_modules\/out is a link to/,
  ],
  [
    'holds a link back into the main checkout',
    'node_modules',
    (root) => {
      put(root, 'node_modules/a.js', 'a');
      symlinkSync(path.join(root, 'deep/own.txt'), path.join(root, 'node_modules/back'));
    },
    /node_modules\/back is a link to/,
  ],
])('a shared path that %s is named and not copied', async (_what, share, arrange, said) => {
  await using world = await sharing([share]);
  const elsewhere = world.folder.join('elsewhere');
  put(elsewhere, 'secret.txt', 'secret\n');
  put(elsewhere, 'inner/a.txt', 'a\n');
  arrange(world.repository.path, elsewhere);
  expect(await problemOf(world)).toMatch(said);
});

test('the copy of a crash is made anew, and nothing of it is left beside the worktree', async () => {
  await using world = await sharing(['node_modules']);
  put(world.repository.path, 'node_modules/a.js', 'a\n');
  const of = world.newTask();
  const draft = world.folder.join('data', 'git', world.project.id, `${of.taskId}.share.tmp`);
  put(draft, 'half.js', 'half\n');
  await world.workspaces.recover([world.project]);
  expect(existsSync(draft)).toBe(false);
  put(draft, 'half.js', 'half\n');
  const tree = await world.prepared(of);
  expect(existsSync(draft)).toBe(false);
  expect(lstatSync(path.join(tree.path, 'node_modules')).isDirectory()).toBe(true);
  expect(existsSync(path.join(tree.path, 'node_modules/half.js'))).toBe(false);
});

test('a task that takes a shared file out of .gitignore does not get it into a commit', async () => {
  await using world = await sharing(['.env']);
  put(world.repository.path, '.env', 'KEY=1\n');
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, '.gitignore', 'node_modules/\n');
  expect(await world.commit(of)).toEqual({
    kind: 'violations',
    violations: [{ rule: 'forbidden-path', place: '.env' }],
  });
});
