import { expect, test } from 'vitest';
import {
  formatLine,
  parseLine,
  type GuardedTree,
} from '../../../../src-main/adapters/process/guardian-protocol.ts';
import { createGuardianWatch } from '../../../../src-main/adapters/process/guardian-watch.ts';
import { createProcessTable } from '../../../../src-main/adapters/process/process-table.ts';
import type { GuardianReceipt, KillFile } from '../../../../src-main/core/ports/world.ts';
import type { HubId } from '../../../../src-shared/ids.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { FakeProcesses, type FakeProcess } from '../../../support/fake-processes.ts';

function world(processes: readonly FakeProcess[]) {
  const clock = new FakeClock();
  const source = new FakeProcesses(processes);
  const receipts: GuardianReceipt[] = [];
  let isEngaged = false;
  let tell = (): void => undefined;
  const killFile: KillFile = {
    read: () => (isEngaged ? { reason: '', at: epochMs(0) } : null),
    write: () => undefined,
    remove: () => undefined,
    watch: (changed) => {
      tell = changed;
      return { dispose: () => undefined };
    },
  };
  const watch = createGuardianWatch({
    hub: 'hub' as HubId,
    clock,
    table: createProcessTable({ clock, source }),
    killFile,
    orderOf: (start) => source.orderOf(start),
    book: (receipt) => receipts.push(receipt),
  });
  const engage = (engaged: boolean): void => {
    isEngaged = engaged;
    tell();
  };
  return { clock, source, receipts, watch, engage };
}

const tree = (pid: number, kind: GuardedTree['kind'] = 'child'): GuardedTree => ({
  pid,
  processStart: `s${pid}`,
  mark: `hub:${pid}`,
  kind,
});

test('the hub has a second for the kill file, then the guardian ends what is there, and marked ones unknown to it', async () => {
  const { clock, source, receipts, watch, engage } = world([{ pid: 100 }, { pid: 200, mark: 'hub:lost' }]);
  watch.take({ kind: 'add', tree: tree(100) });
  engage(true);
  await clock.advanceAsync(990, 10);
  expect(source.signals).toEqual([]);
  await clock.advanceAsync(200, 10);
  expect(source.pids).toEqual([]);
  expect(receipts).toMatchObject([{ cause: 'kill-file', ended: [100, 200], alive: [] }]);
});

test('a hub that acted leaves the guardian nothing to do and nothing to tell', async () => {
  const { clock, source, receipts, watch, engage } = world([]);
  watch.take({ kind: 'add', tree: tree(100) });
  engage(true);
  watch.take({ kind: 'remove', pid: 100, processStart: 's100' });
  await clock.advanceAsync(10_000, 100);
  expect([source.signals, receipts]).toEqual([[], []]);
  // Engaged and idle, it looks at the processes no more.
  expect(source.looks).toBe(1);
});

test('a file that is withdrawn within the second stops nothing', async () => {
  const { clock, source, watch, engage } = world([{ pid: 100 }]);
  watch.take({ kind: 'add', tree: tree(100) });
  engage(true);
  await clock.advanceAsync(500, 50);
  engage(false);
  await clock.advanceAsync(5_000, 100);
  expect(source.signals).toEqual([]);
});

test('while engaged a later child is ended and a later command is not', async () => {
  const { clock, source, watch, engage } = world([{ pid: 100 }]);
  engage(true);
  await clock.advanceAsync(500, 50);
  source.put({ pid: 101, mark: 'hub:101' });
  source.put({ pid: 102, mark: 'hub:102' });
  watch.take({ kind: 'add', tree: tree(101, 'command') });
  watch.take({ kind: 'add', tree: tree(102, 'child') });
  await clock.advanceAsync(4_000, 50);
  expect(source.pids).toEqual([100, 101]);
});

test('a command from before the file is ended with the rest', async () => {
  const { clock, source, watch, engage } = world([{ pid: 100 }]);
  watch.take({ kind: 'add', tree: tree(100, 'command') });
  engage(true);
  await clock.advanceAsync(1_500, 50);
  expect(source.pids).toEqual([]);
});

test('the end of a hub ends known and marked processes, also one that got its mark a moment later', async () => {
  const { clock, source, receipts, watch } = world([
    { pid: 100 },
    { pid: 200, mark: 'hub:lost' },
    { pid: 300 },
  ]);
  watch.take({ kind: 'add', tree: tree(100) });
  const finished = watch.finish();
  await clock.advanceAsync(30, 10);
  source.put({ pid: 201, mark: 'hub:late' });
  await clock.advanceAsync(200, 10);
  expect(await finished).toEqual({ ended: [100, 200, 201], alive: [] });
  expect(receipts).toMatchObject([{ cause: 'hub-gone', ended: [100, 200, 201], alive: [] }]);
  expect(source.pids).toEqual([300]);
});

test('an end with nothing left is not told', async () => {
  const { clock, receipts, watch } = world([{ pid: 300 }]);
  const finished = watch.finish();
  await clock.advanceAsync(100, 10);
  expect(await finished).toEqual({ ended: [], alive: [] });
  expect(receipts).toEqual([]);
});

test('lines of the hub come back as they were sent, and a cut one is none', () => {
  const line = { kind: 'add', tree: tree(100) } as const;
  expect(formatLine(line).endsWith('\n')).toBe(true);
  expect(parseLine(formatLine(line))).toEqual(line);
  expect(['', '{"kind":"add","tr', '7', 'null', '{}'].map(parseLine)).toEqual(Array(5).fill(null));
});
