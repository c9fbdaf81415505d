import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import type { Clock } from '../../../src-main/core/ports/world.ts';
import { millis } from '../../../src-shared/time.ts';
import { makeWorkspaceWorld, put } from '../../support/workspace-world.ts';

test('ten agents committing in ten trees of one repository, with polling, never fail because of us', async () => {
  await using world = await makeWorkspaceWorld();
  const tasks = Array.from({ length: 10 }, (_, at) => world.newTask(`Task ${at}`));
  let isOver = false;
  const polling = (async () => {
    const polled: string[] = [];
    while (!isOver) {
      polled.push(await world.repository.git('--no-optional-locks', 'status', '--porcelain'));
      for (const of of tasks.slice(0, 2)) await world.workspaces.diff(of);
    }
    return polled;
  })();
  const commits = await Promise.all(
    tasks.map(async (of) => {
      const tree = await world.prepared(of);
      const made: string[] = [];
      for (const round of [1, 2]) {
        put(tree.path, `round-${round}.txt`, `${of.taskId}\n`);
        made.push(await world.committed(of));
      }
      return made;
    }),
  );
  isOver = true;
  expect(new Set(await polling)).toEqual(new Set(['']));
  expect(new Set(commits.flat()).size).toBe(20);
  const waits = world.ledger('git.lock_wait');
  for (const wait of waits) {
    expect(wait).toEqual({
      what: 'repository',
      holder: expect.stringMatching(/^tsk_/) as unknown,
      durationMs: expect.any(Number) as unknown,
    });
  }
  expect(waits.length).toBeGreaterThan(0);
  expect(await world.repository.git('fsck', '--no-dangling')).toBe('');
}, 240_000);

/** Time passes only by waiting, and at once. */
function hastyClock(): Clock {
  let elapsed = 0;
  return {
    ...systemClock,
    monotonic: () => millis(elapsed),
    after: (delay, run) => {
      elapsed += delay;
      const timer = setImmediate(run);
      return { dispose: () => clearImmediate(timer) };
    },
  };
}

test('a lock of another program is waited for, then it is an outcome, and never removed', async () => {
  await using world = await makeWorkspaceWorld({ options: { clock: hastyClock() } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  const git = path.join(world.repository.path, '.git');
  const locks = {
    tree: path.join(git, 'worktrees', of.taskId, 'index.lock'),
    branch: path.join(git, 'refs/heads', `${tree.branch}.lock`),
    base: path.join(git, 'index.lock'),
  };
  for (const lock of [locks.tree, locks.branch]) {
    writeFileSync(lock, '');
    expect(await world.commit(of)).toEqual({ kind: 'locked', message: `Another program holds ${lock}.` });
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
  }
  const commit = await world.committed(of);
  writeFileSync(locks.base, '');
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toEqual({
    kind: 'locked',
    message: `Another program holds ${locks.base}.`,
  });
  rmSync(locks.base);
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toMatchObject({ kind: 'merged' });
  expect(world.ledger('git.lock_wait')).toEqual(
    [1, 2, 3].map(() => ({ what: 'lock-file', holder: 'another program', durationMs: 20_000 })),
  );
});

test('a lock that is let go in time delays and no more', async () => {
  let lock = '';
  const clock: Clock = {
    ...hastyClock(),
    after: (delay, run) => {
      rmSync(lock, { force: true });
      return systemClock.after(delay, run);
    },
    monotonic: systemClock.monotonic,
  };
  await using world = await makeWorkspaceWorld({ options: { clock } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  lock = path.join(world.repository.path, '.git', 'refs/heads', `${tree.branch}.lock`);
  writeFileSync(lock, '');
  expect(await world.commit(of)).toMatchObject({ kind: 'committed' });
});

test('two data folders on one repository take different branches for the same task number', async () => {
  await using world = await makeWorkspaceWorld();
  await world.repository.git('branch', 'signalbox/1-round-the-total');
  expect((await world.prepared(world.newTask())).branch).toBe('signalbox/1-round-the-total-2');
});

test('a repository with SHA-256 names works like any other', async () => {
  await using world = await makeWorkspaceWorld({
    arrange: async ({ path: root, git }) => {
      rmSync(path.join(root, '.git'), { recursive: true });
      await git('init', '--quiet', '--initial-branch=main', '--object-format=sha256');
      await git('add', '--all');
      await git(
        '-c',
        'user.name=T',
        '-c',
        'user.email=t@example.com',
        'commit',
        '--quiet',
        '--message',
        'one',
      );
    },
  });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.txt', 'a\n');
  const commit = await world.committed(of);
  expect(commit).toHaveLength(64);
  expect(await world.workspaces.merge(of, commit, tree.baseCommit)).toMatchObject({ kind: 'merged' });
  put(tree.path, 'b.txt', 'b\n');
  expect(await world.workspaces.remove(of, 'done')).toMatchObject({ kept: { files: 1 } });
  expect(await world.workspaces.restore(of)).toMatchObject({
    branch: 'signalbox/restored-1-round-the-total',
  });
});
