import { existsSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorkspaceWorld, put, read, type WorkspaceWorld } from '../../support/workspace-world.ts';

const IGNORING = { '.gitignore': 'mine*\n', 'lib/code.txt': 'code\n' };

/** Work that ignores nothing any more and does what is asked with the files. */
async function approved(world: WorkspaceWorld, work: (folder: string) => void) {
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, '.gitignore', '');
  work(tree.path);
  const commit = await world.committed(of);
  return { merge: () => world.workspaces.merge(of, commit, tree.baseCommit), base: tree.baseCommit };
}

interface Case {
  readonly title: string;
  /** What lies in the person's checkout, ignored. */
  readonly theirs: readonly string[];
  readonly work: (folder: string) => void;
}

const CASES: readonly Case[] = [
  {
    title: 'a file of the same name',
    theirs: ['mine.txt'],
    work: (folder) => put(folder, 'mine.txt', 'theirs\n'),
  },
  {
    title: 'a file of the same name in a folder',
    theirs: ['lib/mine.txt'],
    work: (folder) => put(folder, 'lib/mine.txt', 'theirs\n'),
  },
  {
    title: 'a folder where a file comes',
    theirs: ['mine/deep/a.txt', 'mine/b.txt'],
    work: (folder) => put(folder, 'mine', 'theirs\n'),
  },
  {
    title: 'a file where a folder comes',
    theirs: ['mine'],
    work: (folder) => put(folder, 'mine/a.txt', 'theirs\n'),
  },
  {
    title: 'a file in a folder that becomes a file',
    theirs: ['lib/mine.txt'],
    work: (folder) => {
      rmSync(path.join(folder, 'lib'), { recursive: true });
      put(folder, 'lib', 'theirs\n');
    },
  },
];

describe('ignored files of the person in the checkout of the base branch', () => {
  test.each(CASES)('$title: nothing is merged, and it is named', async ({ theirs, work }) => {
    await using world = await makeWorkspaceWorld({ files: IGNORING });
    const root = world.repository.path;
    const { merge, base } = await approved(world, work);
    for (const file of theirs) put(root, file, 'the only copy\n');
    expect(await world.repository.git('status', '--porcelain')).toBe('');
    expect(await merge()).toEqual({ kind: 'base-occupied', checkout: root, paths: theirs.toSorted() });
    for (const file of theirs) expect(read(root, file)).toBe('the only copy\n');
    expect(await world.repository.git('rev-parse', 'main')).toBe(base);
    expect(existsSync(path.join(root, '.git/index.lock'))).toBe(false);
    for (const file of theirs) rmSync(path.join(root, file));
    expect(await merge()).toMatchObject({ kind: 'merged' });
    expect(await world.repository.git('status', '--porcelain')).toBe('');
  });

  test('a link is as much in the way as a file, and what it leads to is left alone', async () => {
    await using world = await makeWorkspaceWorld({ files: IGNORING });
    const root = world.repository.path;
    const { merge } = await approved(world, (folder) => put(folder, 'mine/a.txt', 'theirs\n'));
    const elsewhere = world.folder.join('elsewhere');
    put(elsewhere, 'a.txt', 'the only copy\n');
    symlinkSync(elsewhere, path.join(root, 'mine'));
    expect(await merge()).toMatchObject({ kind: 'base-occupied', paths: ['mine'] });
    expect(readlinkSync(path.join(root, 'mine'))).toBe(elsewhere);
    expect(read(elsewhere, 'a.txt')).toBe('the only copy\n');
  });

  test('a file that comes when the branch has moved already is not overwritten either', async () => {
    const root = { path: '' };
    await using world = await makeWorkspaceWorld({
      files: IGNORING,
      options: {
        step: (name) => {
          if (name === 'merge:updated') put(root.path, 'mine.txt', 'the only copy\n');
        },
      },
    });
    root.path = world.repository.path;
    const { merge } = await approved(world, (folder) => put(folder, 'mine.txt', 'theirs\n'));
    expect(await merge()).toMatchObject({ kind: 'merged' });
    expect(read(root.path, 'mine.txt')).toBe('the only copy\n');
  });

  test('ignored files that the work does not touch stay, and do not keep it from being merged', async () => {
    await using world = await makeWorkspaceWorld({ files: IGNORING });
    const root = world.repository.path;
    const { merge } = await approved(world, (folder) => put(folder, 'lib/other.txt', 'theirs\n'));
    put(root, 'lib/mine.txt', 'the only copy\n');
    expect(await merge()).toMatchObject({ kind: 'merged' });
    expect(read(root, 'lib/mine.txt')).toBe('the only copy\n');
    expect(read(root, 'lib/other.txt')).toBe('theirs\n');
  });
});
