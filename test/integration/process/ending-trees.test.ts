import { expect, test } from 'vitest';
import { firstLine, makeProcessWorld, TREES } from '../../support/process-world.ts';
import { isRunning, pidsInGroup, pidsWithMark, stateOf } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { millis } from '../../../src-shared/time.ts';

const stubborn = { file: '/bin/sh', args: [`${TREES}/stubborn.sh`] };

test('twenty trees that ignore SIGTERM and fork are dead within two seconds', async () => {
  await using world = await makeProcessWorld();
  const children = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const child = await world.start({ ...stubborn, mark: world.mark(`att_${index}`) });
      await firstLine(child);
      return child;
    }),
  );
  const before = pidsWithMark(`${world.hub}:`);
  expect(before.length).toBeGreaterThanOrEqual(20 * 4);

  const begun = performance.now();
  const receipt = await world.table.endTrees(children, millis(700));
  const tookMs = performance.now() - begun;

  expect(pidsWithMark(`${world.hub}:`)).toEqual([]);
  expect(children.flatMap((child) => pidsInGroup(child.pid))).toEqual([]);
  expect(before.filter(isRunning)).toEqual([]);
  expect(receipt.alive).toEqual([]);
  for (const child of children) expect(receipt.ended).toContain(child.pid);
  expect(tookMs).toBeLessThan(2_000);
  await Promise.all(children.map((child) => child.closed));
});

test('everything with a mark of the hub is ended, and nothing of another hub', async () => {
  await using world = await makeProcessWorld();
  await using other = await makeProcessWorld();
  const ours = await world.start(stubborn);
  const theirs = await other.start({ file: 'sleep', args: ['600'] });
  await firstLine(ours);

  const found = await world.table.findMarked(world.hub);
  expect(found.map((ref) => ref.pid)).toContain(ours.pid);
  expect(found.every((ref) => ref.mark === world.mark('att_test'))).toBe(true);
  await world.table.endAllMarked(world.hub, millis(100));

  expect(pidsWithMark(`${world.hub}:`)).toEqual([]);
  expect(pidsWithMark(`${other.hub}:`)).toEqual([theirs.pid]);
  expect(await other.table.isAlive(theirs)).toBe(true);
});

test('a process that got the pid of an ended one is not touched', async () => {
  await using world = await makeProcessWorld();
  const child = await world.start({ file: 'sleep', args: ['600'] });
  const stale = { pid: child.pid, processStart: `${child.processStart}1`, mark: world.mark('att_gone') };

  expect(await world.table.isAlive(stale)).toBe(false);
  expect(await world.table.endTrees([stale], millis(0))).toEqual({ ended: [], alive: [] });
  expect(await world.table.endTrees([{ ...stale, isWatched: true }], millis(0))).toEqual({
    ended: [],
    alive: [],
  });
  expect(await world.table.endTrees([{ ...stale, processStart: null }], millis(0))).toEqual({
    ended: [],
    alive: [],
  });
  expect(isRunning(child.pid)).toBe(true);
});

test('this process and the guardian are never ended, whatever a reference names', async () => {
  await using world = await makeProcessWorld();
  const self = await world.table.startOfChild(process.pid);
  const guardianPid = world.guardian.pid ?? 0;
  const guardianStart = await world.table.startOfChild(guardianPid);
  const receipt = await world.table.endTrees(
    [
      { pid: process.pid, processStart: self, mark: 'x', isWatched: true },
      { pid: guardianPid, processStart: guardianStart, mark: 'x', isWatched: true },
      { pid: 1, processStart: await world.table.startOfChild(1), mark: 'x', isWatched: true },
    ],
    millis(0),
  );
  expect(receipt.ended).not.toContain(guardianPid);
  expect(isRunning(guardianPid)).toBe(true);
});

test('a tree that is stopped by a signal of its own (SIGSTOP) is ended', async () => {
  await using world = await makeProcessWorld();
  const child = await world.start({ file: 'sleep', args: ['600'] });
  process.kill(child.pid, 'SIGSTOP');
  await waitUntil('it stands still', () => stateOf(child.pid) === 'T');
  expect(await child.stop(millis(100))).toEqual({ ended: [child.pid], alive: [] });
  expect(await child.closed).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
});

test('CPU time of a tree counts its descendants', async () => {
  await using world = await makeProcessWorld();
  const child = await world.start({ file: 'sh', args: ['-c', '(while :; do :; done) & echo on; wait'] });
  await firstLine(child);
  await expect
    .poll(async () => (await world.table.cpuTime(child)) ?? 0, { timeout: 10_000 })
    .toBeGreaterThan(50);
  await child.stop(millis(0));
  expect(await world.table.cpuTime(child)).toBe(null);
});
