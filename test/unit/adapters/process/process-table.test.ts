import { expect, test } from 'vitest';
import {
  createProcessTable,
  type ProcessTable,
} from '../../../../src-main/adapters/process/process-table.ts';
import type { TreeRef } from '../../../../src-main/adapters/process/tree-members.ts';
import type { HubId } from '../../../../src-shared/ids.ts';
import { millis } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { FakeProcesses, type FakeProcess } from '../../../support/fake-processes.ts';

function world(processes: readonly FakeProcess[]): {
  clock: FakeClock;
  source: FakeProcesses;
  table: ProcessTable;
} {
  const clock = new FakeClock();
  const source = new FakeProcesses(processes);
  return { clock, source, table: createProcessTable({ clock, source, spare: () => [77] }) };
}

const ref: TreeRef = { pid: 100, processStart: 's100', mark: 'hub:a' };
const FIRM = ['SIGTERM'];

test('a tree that obeys gets one SIGTERM and no SIGKILL', async () => {
  const { clock, source, table } = world([{ pid: 100 }, { pid: 101, ppid: 100, pgid: 100 }]);
  const ended = table.endTrees([ref], millis(700));
  await clock.advanceAsync(100, 10);
  expect(await ended).toEqual({ ended: [100, 101], alive: [] });
  expect(source.signals).toEqual(['SIGTERM group 100']);
});

test('a tree that ignores SIGTERM gets SIGKILL after the grace, and not before', async () => {
  const { clock, source, table } = world([{ pid: 100, ignores: FIRM }]);
  const ended = table.endTrees([ref], millis(700));
  await clock.advanceAsync(690, 10);
  expect(source.signals).toEqual(['SIGTERM group 100']);
  await clock.advanceAsync(50, 10);
  expect(await ended).toEqual({ ended: [100], alive: [] });
  expect(source.signals).toEqual(['SIGTERM group 100', 'SIGKILL group 100']);
});

test('a process that is forked during the grace is asked too, and nobody twice', async () => {
  const { clock, source, table } = world([{ pid: 100, ignores: FIRM }]);
  source.beforeLook = () => {
    if (source.looks === 3) source.put({ pid: 105, ppid: 100, pgid: 105 });
  };
  const ended = table.endTrees([ref], millis(700));
  await clock.advanceAsync(800, 10);
  expect(await ended).toEqual({ ended: [100, 105], alive: [] });
  expect(source.signals).toEqual(['SIGTERM group 100', 'SIGTERM pid 105', 'SIGKILL group 100']);
});

test('what cannot be killed is told after two seconds', async () => {
  const { clock, table } = world([{ pid: 100, ignores: [...FIRM, 'SIGKILL'] }]);
  const begun = clock.monotonic();
  let tookMs: number | null = null;
  const ended = table.endTrees([ref], millis(700)).finally(() => {
    tookMs = clock.monotonic() - begun;
  });
  await clock.advanceAsync(2_100, 5);
  expect(await ended).toEqual({ ended: [], alive: [100] });
  expect(tookMs).toBeLessThanOrEqual(2_010);
});

test('after a kill a second look proves that nothing was forked meanwhile', async () => {
  const { clock, source, table } = world([{ pid: 100 }]);
  source.beforeLook = () => {
    if (source.looks === 3) source.put({ pid: 200, mark: 'hub:a' });
  };
  const ended = table.endTrees([ref], millis(0));
  await clock.advanceAsync(100, 5);
  expect(await ended).toEqual({ ended: [100, 200], alive: [] });
});

test('where nothing lives one look is enough', async () => {
  const { source, table } = world([{ pid: 100, start: 500 }]);
  expect(await table.endTrees([ref], millis(700))).toEqual({ ended: [], alive: [] });
  expect([source.looks, source.signals]).toEqual([1, []]);
  expect(await table.endTrees([], millis(700))).toEqual({ ended: [], alive: [] });
  expect(source.looks).toBe(1);
});

test('a leftover whose environment is not to be read during its exec is found by a later look', async () => {
  const { clock, source, table } = world([{ pid: 200, mark: 'hub:a', isExecUntilLook: 2 }]);
  const ended = table.endTrees([{ ...ref, isWatched: true }], millis(0));
  await clock.advanceAsync(300, 5);
  expect(await ended).toEqual({ ended: [200], alive: [] });
  expect(source.pids).toEqual([]);
});

test('a process that never shows an environment is waited for a bounded number of looks', async () => {
  const { clock, source, table } = world([{ pid: 200, isExecUntilLook: 1_000 }]);
  const ended = table.endTrees([ref], millis(0));
  await clock.advanceAsync(1_000, 5);
  expect(await ended).toEqual({ ended: [], alive: [] });
  expect([source.looks, source.pids]).toEqual([6, [200]]);
});

test('neither this process nor a spared one is ended by mark', async () => {
  const { clock, source, table } = world([
    { pid: process.pid, mark: 'hub:a' },
    { pid: 77, mark: 'hub:a' },
    { pid: 78, mark: 'hub:a' },
  ]);
  expect(await table.findMarked('hub' as HubId)).toEqual([{ pid: 78, processStart: 's78', mark: 'hub:a' }]);
  const ended = table.endAllMarked('hub' as HubId, millis(0));
  await clock.advanceAsync(50, 5);
  expect(await ended).toEqual({ ended: [78], alive: [] });
  expect(source.pids).toEqual([process.pid, 77]);
});

test('without a process table only watched trees are signalled, and they are told as alive', async () => {
  const { clock, source, table } = world([{ pid: 100 }]);
  source.isBroken = true;
  const ended = table.endTrees(
    [
      { ...ref, isWatched: true },
      { ...ref, pid: 200 },
    ],
    millis(700),
  );
  await clock.advanceAsync(3_000, 50);
  expect(await ended).toEqual({ ended: [], alive: [100] });
  expect(source.signals.slice(0, 2)).toEqual(['SIGTERM group 100', 'SIGTERM pid 100']);
  expect(source.signals.at(-1)).toBe('SIGKILL pid 100');
});

test('life and CPU time are those of the process with that start time', async () => {
  const { table } = world([{ pid: 100 }, { pid: 101, ppid: 100 }, { pid: 300, mark: 'hub:a' }]);
  expect(await table.isAlive(ref)).toBe(true);
  expect(await table.isAlive({ ...ref, processStart: 's99' })).toBe(false);
  expect(await table.isAlive({ ...ref, processStart: null })).toBe(false);
  expect(await table.isAlive({ pid: 300, processStart: null, mark: 'hub:a' })).toBe(true);
  expect(await table.cpuTime(ref)).toBe(30);
  expect(await table.cpuTime({ ...ref, processStart: 's1', mark: 'hub:gone' })).toBe(null);
});
