import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProcessRow, ProcessSnapshot } from '../../../../src-main/adapters/process/process-rows.ts';
import {
  splitByGroup,
  treeMembers,
  type MembersQuery,
} from '../../../../src-main/adapters/process/tree-members.ts';

interface Made extends Partial<ProcessRow> {
  readonly pid: number;
  readonly mark?: string;
}

function snapshotOf(made: readonly Made[]): ProcessSnapshot {
  const rows = made.map(({ pid, ppid = 1, pgid = pid, sid = pgid, startOrder = pid, ...rest }) => ({
    pid,
    ppid,
    pgid,
    sid,
    startOrder,
    start: `boot/${startOrder}`,
    isDead: false,
    cpuMs: 0,
    ...rest,
  }));
  const marks = new Map(made.map(({ pid, mark }) => [pid, mark ?? null]));
  return { rows, markOf: (row) => marks.get(row.pid) ?? null };
}

const orderOf = (start: string): number | null => (start.startsWith('boot/') ? Number(start.slice(5)) : null);
const pidsOf = (made: readonly Made[], query: Partial<MembersQuery>): number[] =>
  treeMembers(snapshotOf(made), { refs: [], spare: new Set([9]), orderOf, ...query })
    .map((row) => row.pid)
    .sort((one, other) => one - other);
const root = { pid: 100, processStart: 'boot/100', mark: 'hub:a' };

test('a tree is the root, its group, its session, its descendants and what carries its mark', () => {
  const made: Made[] = [
    { pid: 9, ppid: 1 },
    { pid: 100, ppid: 9 },
    { pid: 101, ppid: 1, pgid: 100 },
    { pid: 102, ppid: 1, pgid: 102, sid: 100 },
    { pid: 103, ppid: 101, pgid: 103 },
    { pid: 104, ppid: 103, pgid: 104 },
    { pid: 105, ppid: 1, mark: 'hub:a' },
    { pid: 106, ppid: 105 },
    { pid: 107, ppid: 1, mark: 'hub:b' },
    { pid: 108, ppid: 9 },
  ];
  expect(pidsOf(made, { refs: [root] })).toEqual([100, 101, 102, 103, 104, 105, 106]);
});

test('a pid with another start time is another process, and so is its group', () => {
  const made: Made[] = [
    { pid: 100, ppid: 9, startOrder: 500 },
    { pid: 501, ppid: 100, pgid: 100 },
  ];
  expect(pidsOf(made, { refs: [root] })).toEqual([]);
  expect(pidsOf(made, { refs: [{ ...root, isWatched: true }] })).toEqual([]);
  expect(pidsOf(made, { refs: [{ ...root, processStart: 'otherboot/100' }] })).toEqual([]);
});

test('without a start time a pid counts by its mark only', () => {
  const ref = { ...root, processStart: null };
  expect(pidsOf([{ pid: 100 }], { refs: [ref] })).toEqual([]);
  expect(
    pidsOf(
      [
        { pid: 100, mark: 'hub:a' },
        { pid: 101, pgid: 100 },
      ],
      { refs: [ref] },
    ),
  ).toEqual([100, 101]);
});

test('the group of an ended root counts when it was watched, or has a marked member', () => {
  const bare: Made[] = [{ pid: 101, pgid: 100 }];
  expect(pidsOf(bare, { refs: [root] })).toEqual([]);
  expect(pidsOf(bare, { refs: [{ ...root, isWatched: true }] })).toEqual([101]);
  expect(pidsOf([...bare, { pid: 102, pgid: 100, mark: 'hub:a' }], { refs: [root] })).toEqual([101, 102]);
  // Older than the root: a group of another time.
  expect(pidsOf([{ pid: 50, pgid: 100 }], { refs: [{ ...root, isWatched: true }] })).toEqual([]);
});

test('children that name an ended parent belong to it when it was watched (Windows)', () => {
  const made: Made[] = [
    { pid: 101, ppid: 100, pgid: null, sid: null },
    { pid: 90, ppid: 100, pgid: null, sid: null },
  ];
  expect(pidsOf(made, { refs: [{ ...root, isWatched: true }] })).toEqual([101]);
});

test('a process older than its parent is no child of it', () => {
  const made: Made[] = [{ pid: 100 }, { pid: 60, ppid: 100 }, { pid: 101, ppid: 100 }];
  expect(pidsOf(made, { refs: [root] })).toEqual([100, 101]);
});

test('zombies are no members, but their groups are still known', () => {
  const made: Made[] = [
    { pid: 100, isDead: true },
    { pid: 101, pgid: 100 },
  ];
  expect(pidsOf(made, { refs: [root] })).toEqual([101]);
});

test('a mark prefix finds every process of a data folder', () => {
  const made: Made[] = [
    { pid: 100, mark: 'hub:a' },
    { pid: 101, mark: 'hub:b' },
    { pid: 102, mark: 'hub2:a' },
    { pid: 103, ppid: 101 },
  ];
  expect(pidsOf(made, { markPrefix: 'hub:' })).toEqual([100, 101, 103]);
});

test('spared processes are no members, and what they started neither', () => {
  const made: Made[] = [
    { pid: 9, ppid: 100, startOrder: 200, mark: 'hub:a' },
    { pid: 100 },
    { pid: 201, ppid: 9 },
  ];
  expect(pidsOf(made, { refs: [root] })).toEqual([100]);
});

test('members are never spared, dead, or the first process, and every child of a member is one', () => {
  const process = fc.record({
    pid: fc.integer({ min: 1, max: 30 }),
    ppid: fc.integer({ min: 0, max: 30 }),
    pgid: fc.integer({ min: 1, max: 30 }),
    sid: fc.integer({ min: 1, max: 30 }),
    startOrder: fc.integer({ min: 1, max: 10 }),
    isDead: fc.boolean(),
    mark: fc.constantFrom('hub:a', 'hub:b', 'x:y', ''),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(process, { selector: (made) => made.pid, maxLength: 25 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 10 }),
      fc.boolean(),
      (made, pid, start, isWatched) => {
        const snapshot = snapshotOf(made);
        const spare = new Set([9, 10]);
        const members = treeMembers(snapshot, {
          refs: [{ pid, processStart: `boot/${start}`, mark: 'hub:a', isWatched }],
          spare,
          orderOf,
        });
        const pids = new Set(members.map((row) => row.pid));
        for (const row of members) expect(row.pid > 1 && !spare.has(row.pid) && !row.isDead).toBe(true);
        for (const row of snapshot.rows) {
          const parent = members.find((member) => member.pid === row.ppid);
          const isChild = parent !== undefined && row.startOrder >= parent.startOrder;
          if (isChild && !row.isDead && row.pid > 1 && !spare.has(row.pid))
            expect(pids.has(row.pid)).toBe(true);
        }
        // A root with another start time leads to nothing that is not found by mark or by a group that has one.
        const isOther = snapshot.rows.some((row) => row.pid === pid && row.startOrder !== start);
        if (isOther && !made.some((each) => each.mark === 'hub:a')) expect(members).toEqual([]);
      },
    ),
  );
});

test('a group is signalled as one only when all of it are members', () => {
  const snapshot = snapshotOf([
    { pid: 100, pgid: 100 },
    { pid: 101, pgid: 100 },
    { pid: 102, pgid: 50 },
    { pid: 103, pgid: 50 },
    { pid: 104, pgid: null },
  ]);
  const members = snapshot.rows.filter((row) => row.pid !== 103);
  expect(splitByGroup(snapshot, members)).toEqual({ groups: [100], pids: [102, 104] });
});
