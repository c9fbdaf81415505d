import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonlLines } from '../../../src-main/core/ledger/export.ts';
import { NO_SUMS, addSums, sumsOfEntry } from '../../../src-main/core/ledger/totals.ts';
import type { LedgerFilter } from '../../../src-main/core/ports/ledger-store.ts';
import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { LedgerEntry, LedgerFact } from '../../../src-shared/model/ledger-entry.ts';
import type { LocalDay } from '../../../src-shared/time.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { anyFact } from '../../unit/core/ledger/arbitrary.ts';
import { StoreBench } from './opened.ts';
import { rawSql, rawValue, tamper } from './raw.ts';

const HOUR_MS = 3600 * 1000;
const seqs = (entries: readonly LedgerEntry[]): readonly number[] => entries.map((entry) => entry.seq);

const COLUMNS = 'seq, happened_at, latest_at, local_day, kind, data_json, schema, prev_hash, hash';

test.each([
  ["UPDATE ledger_entry SET kind = 'x'", 'append-only'],
  ['UPDATE OR REPLACE ledger_entry SET seq = 2 WHERE seq = 3', 'append-only'],
  ['DELETE FROM ledger_entry WHERE seq = 2', 'append-only'],
  ['DELETE FROM ledger_entry', 'append-only'],
  [
    `INSERT OR REPLACE INTO ledger_entry (${COLUMNS})
      SELECT seq, happened_at, latest_at, local_day, 'x', data_json, schema, prev_hash, hash
        FROM ledger_entry WHERE seq = 1`,
    'follows the head',
  ],
  [`INSERT INTO ledger_entry (${COLUMNS}) VALUES (4, 1, 1, 'd', 'x', '{}', 1, 'p', 'h')`, 'follows the head'],
  [
    `INSERT INTO ledger_entry (${COLUMNS})
      SELECT 9, 1, 1, 'd', 'x', '{}', 1, hash, 'h' FROM ledger_entry WHERE seq = 3`,
    'follows the head',
  ],
])('the database itself refuses: %s', (sql, why) => {
  using bench = new StoreBench();
  const { ledger } = bench.open();
  for (const kind of ['a', 'b', 'c']) ledger.append({ kind });
  const before = [...ledger.all()];
  expect(() => rawSql(bench.file, sql)).toThrow(new RegExp(why));
  expect([...ledger.all()]).toEqual(before);
});

test('entries come back exactly, verify, and read the same as an export', () => {
  using bench = new StoreBench();
  const { ledger } = bench.open();
  fc.assert(
    fc.property(anyFact, fc.nat(HOUR_MS), (fact, later) => {
      bench.clock.advance(later);
      const appended = ledger.append(fact);
      const [read] = ledger.page({ afterSeq: appended.seq - 1, limit: 1 });
      expect(read).toEqual(appended);
      expect([...jsonlLines(read === undefined ? [] : [read])]).toEqual([...jsonlLines([appended])]);
    }),
    { numRuns: 60 },
  );
  expect(ledger.verify({ full: true })).toMatchObject({ ok: true, entries: 60, head: ledger.head().hash });
});

test.each(['policy.data_class_accepted', 'policy.data-class-accepted'])(
  'the filter %s finds entries of either spelling, of its own kind alone, and the chain with both verifies',
  (kind) => {
    using bench = new StoreBench();
    const { ledger } = bench.open();
    const written = [
      'policy.data-class-accepted',
      'policy.data_class',
      'policy.data_class_accepted',
      'policy.unconfined_tests',
    ];
    for (const each of written) ledger.append({ kind: each, projectId: 'prj_1' as ProjectId });
    const accepted = ['policy.data-class-accepted', 'policy.data_class_accepted'];
    expect(ledger.page({ kind }).map((entry) => entry.kind)).toEqual(accepted);
    expect(ledger.page({ kind, projectId: 'prj_1' as ProjectId, newest: true, limit: 1 })).toMatchObject([
      { kind: accepted[1] },
    ]);
    expect(ledger.page({ kind: 'policy.' })).toHaveLength(4);
    expect(ledger.verify({ full: true })).toMatchObject({ ok: true, entries: 4 });
  },
);

test('a page holds what the filter says, whatever is combined in it', () => {
  using bench = new StoreBench();
  const { ledger } = bench.open();
  const kinds = ['harness.start', 'harness.result', 'harness.x.y', 'harness', 'harnessed.not', 'item.raised'];
  const facts: LedgerFact<string>[] = [];
  for (let index = 0; index < 120; index += 1) {
    facts.push({
      kind: kinds[index % kinds.length] ?? '',
      projectId: index % 3 === 0 ? null : (`prj_${index % 4}` as ProjectId),
      taskId: index % 5 === 0 ? null : (`tsk_${index % 7}` as TaskId),
    });
  }
  const all = facts.map((fact, index) => {
    // Now and then the clock is set back.
    bench.clock.set(Date.UTC(2026, 2, 2) + index * 1000 - (index % 10 === 9 ? 30_000 : 0));
    return ledger.append(fact);
  });
  const optional = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
    fc.option(fc.constantFrom(...values), { nil: undefined });
  const anyFilter = fc.record({
    kind: optional(...kinds, 'harness.', 'harness.x.', 'item.', 'none', 'none.'),
    projectId: optional('prj_1' as ProjectId, 'prj_2' as ProjectId),
    taskId: optional('tsk_1' as TaskId, 'tsk_6' as TaskId),
    since: optional(...[0, 41, 60, 119, 500].map((s) => epochMs(Date.UTC(2026, 2, 2) + s * 1000))),
    afterSeq: optional(0, 1, 50, 119, 200),
    limit: optional(1, 3, 1000),
    newest: fc.boolean(),
  });
  fc.assert(
    fc.property(anyFilter, (given) => {
      const filter = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as LedgerFilter;
      const { kind, projectId, taskId, since = 0, afterSeq, limit = Infinity, newest } = filter;
      const matching = all.filter(
        (entry) =>
          (kind === undefined || (kind.endsWith('.') ? entry.kind.startsWith(kind) : entry.kind === kind)) &&
          (projectId === undefined || entry.projectId === projectId) &&
          (taskId === undefined || entry.taskId === taskId) &&
          entry.at >= since &&
          entry.seq > (afterSeq ?? 0),
      );
      const isTail = newest === true && afterSeq === undefined && Number.isFinite(limit);
      const expected = isTail ? matching.slice(-limit) : matching.slice(0, limit);
      expect(seqs(ledger.page(filter))).toEqual(seqs(expected));
    }),
    { numRuns: 400 },
  );
});

test('a clock that goes back keeps the latest day, and the moment is the clock’s', () => {
  using bench = new StoreBench();
  const { ledger } = bench.open();
  expect(ledger.latestDay()).toBeNull();
  ledger.append({ kind: 'a' });
  bench.clock.advance(24 * HOUR_MS);
  ledger.append({ kind: 'b' });
  bench.clock.set(bench.clock.now() - 48 * HOUR_MS);
  const back = ledger.append({ kind: 'c' });
  expect([back.localDay, back.at, ledger.latestDay()]).toEqual([
    '2026-03-03',
    bench.clock.now(),
    '2026-03-03',
  ]);
});

test('totals by day, project and model are the sums over the entries', () => {
  using bench = new StoreBench();
  const { ledger, totals } = bench.open();
  const money = fc.record({
    kind: fc.constantFrom('harness.result', 'harness.start', 'item.responded', 'kill.engaged'),
    projectId: fc.constantFrom(null, 'prj_a' as ProjectId, 'prj_b' as ProjectId),
    data: fc.record({
      costBasis: fc.constantFrom('reported', 'assumed', 'none'),
      costMicroUsd: fc.nat(5_000_000),
      waitedMs: fc.nat(100_000),
      model: fc.constantFrom('sonnet', 'opus', ''),
    }),
  }) as fc.Arbitrary<LedgerFact>;
  fc.assert(
    fc.property(money, fc.nat(6 * HOUR_MS), (fact, later) => {
      bench.clock.advance(later);
      ledger.append(fact);
    }),
    { numRuns: 80 },
  );
  const sumsBy = (keyOf: (entry: LedgerEntry) => string | null): Map<string | null, object> => {
    const sums = new Map<string | null, typeof NO_SUMS>();
    for (const entry of ledger.all()) {
      const key = keyOf(entry);
      sums.set(key, addSums(sums.get(key) ?? NO_SUMS, sumsOfEntry(entry).sums));
    }
    return sums;
  };
  const stored = (by: 'day' | 'project' | 'model'): Map<string | null, object> =>
    new Map(totals.totals(by).map(({ key, sums }) => [key, sums]));
  expect(stored('day')).toEqual(sumsBy((entry) => entry.localDay));
  expect(stored('project')).toEqual(sumsBy((entry) => entry.projectId));
  expect(stored('model')).toEqual(sumsBy((entry) => sumsOfEntry(entry).key.model));

  const days = totals.totals('day').map(({ key }) => key as LocalDay);
  expect(days).toEqual([...days].sort().reverse());
  const [newest] = days;
  const [oldest] = days.slice(-1);
  if (newest === undefined || oldest === undefined) throw new Error('no days');
  expect(totals.totals('day', { limit: 2 }).map(({ key }) => key)).toEqual(days.slice(0, 2));
  expect(totals.totals('day', { from: newest, to: newest }).map(({ key }) => key)).toEqual([newest]);
  expect(totals.totals('day', { projectId: 'prj_none' as ProjectId })).toEqual([]);
  const costs = totals.totals('project').map(({ sums }) => sums.reportedMicroUsd + sums.assumedMicroUsd);
  expect(costs).toEqual([...costs].sort((a, b) => b - a));
});

test('a verification goes on from the last one, and a full one looks at everything', () => {
  using bench = new StoreBench();
  const first = bench.open();
  first.transaction(() => {
    for (let index = 0; index < 1203; index += 1) first.ledger.append({ kind: 'a', data: { index } });
  });
  expect(first.ledger.verify({ full: false })).toEqual({
    ok: true,
    entries: 1203,
    head: first.ledger.head().hash,
    brokenAt: null,
    checkedFrom: 1,
  });
  first.ledger.append({ kind: 'b' });
  first.dispose();
  // Before the checkpoint: only a full verification reads it.
  tamper(bench.file, "UPDATE ledger_entry SET data_json = '{}' WHERE seq = 700");
  const second = bench.open();
  expect(second.ledger.verify({ full: false })).toMatchObject({
    ok: true,
    entries: 1204,
    checkedFrom: 1204,
  });
  expect(second.ledger.verify({ full: true })).toMatchObject({ ok: false, entries: 699, brokenAt: 700 });
});

test.each([
  ['altered before the checkpoint', "UPDATE ledger_entry SET kind = 'x' WHERE seq = 2", 2],
  ['cut off', 'DELETE FROM ledger_entry WHERE seq > 3', 4],
  ['all deleted', 'DELETE FROM ledger_entry', 1],
])('once a check has found entries %s, every later one says so too', (_name, sql, brokenAt) => {
  using bench = new StoreBench();
  const first = bench.open();
  for (const kind of ['a', 'b', 'c', 'd']) first.ledger.append({ kind });
  expect(first.ledger.verify({ full: false }).ok).toBe(true);
  first.dispose();
  tamper(bench.file, sql);
  const broken = { ok: false, brokenAt, checkedFrom: 1 };
  const second = bench.open();
  expect(second.ledger.verify({ full: true })).toMatchObject(broken);
  expect(second.ledger.verify({ full: false })).toMatchObject(broken);
  second.dispose();
  // Also after a restart, and after more was written.
  const third = bench.open();
  third.ledger.append({ kind: 'later' });
  expect(third.ledger.verify({ full: false })).toMatchObject({ ok: false, checkedFrom: 1 });
});

test.each([
  ['altered after it', "UPDATE ledger_entry SET kind = 'x' WHERE seq = 5", 5],
  ['altered into what is not JSON', "UPDATE ledger_entry SET data_json = '{' WHERE seq = 5", 5],
  ['altered at it', "UPDATE ledger_entry SET project = 'x' WHERE seq = 4", 4],
  ['deleted after it', 'DELETE FROM ledger_entry WHERE seq = 5', 5],
  ['cut off behind it', 'DELETE FROM ledger_entry WHERE seq > 2', 3],
  ['all deleted', 'DELETE FROM ledger_entry', 1],
])('a verification that goes on from a checkpoint finds entries %s', (_name, sql, brokenAt) => {
  using bench = new StoreBench();
  const first = bench.open();
  for (const kind of ['a', 'b', 'c', 'd']) first.ledger.append({ kind });
  expect(first.ledger.verify({ full: true }).ok).toBe(true);
  for (const kind of ['e', 'f']) first.ledger.append({ kind });
  first.dispose();
  tamper(bench.file, sql);
  const { ledger } = bench.open();
  expect(ledger.verify({ full: false })).toMatchObject({ ok: false, brokenAt });
  expect(ledger.verify({ full: true })).toMatchObject({ ok: false, brokenAt });
});

test('a chain that was written anew with right hashes does not fit the checkpoint', () => {
  using bench = new StoreBench();
  const first = bench.open();
  for (const kind of ['a', 'b', 'c']) first.ledger.append({ kind });
  first.ledger.verify({ full: true });
  first.dispose();
  tamper(bench.file, 'DELETE FROM ledger_entry');
  const second = bench.open();
  for (const kind of ['a', 'x', 'c']) second.ledger.append({ kind });
  expect(second.ledger.verify({ full: true })).toMatchObject({ ok: false, brokenAt: 3 });
});

test('a verification in steps pauses between pages and sees entries that came meanwhile', () => {
  using bench = new StoreBench();
  const { ledger, transaction } = bench.open();
  transaction(() => {
    for (let index = 0; index < 1000; index += 1) ledger.append({ kind: 'a' });
  });
  const steps = ledger.verifySteps({ full: true });
  if (steps === undefined) throw new Error('the store has no steps');
  expect(steps.next().done).toBe(false);
  ledger.append({ kind: 'meanwhile' });
  let last = steps.next();
  while (last.done !== true) last = steps.next();
  expect(last.value).toMatchObject({ ok: true, entries: 1001 });
});

test('a fact with a fraction is refused and leaves nothing behind', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  expect(() => stores.ledger.append({ kind: 'a', data: { costUsd: 0.5 } })).toThrow('whole numbers');
  expect([stores.ledger.head().seq, stores.totals.totals('day')]).toEqual([0, []]);
});

test('two stores of one folder write one chain', () => {
  using bench = new StoreBench();
  const one = bench.open();
  const other = bench.open();
  for (let index = 0; index < 20; index += 1) (index % 3 === 0 ? other : one).ledger.append({ kind: 'a' });
  expect(one.ledger.verify({ full: true })).toMatchObject({ ok: true, entries: 20 });
  expect(one.hubId).toBe(other.hubId);
  expect(rawValue(bench.file, 'SELECT count(DISTINCT prev_hash) FROM ledger_entry')).toBe(20);
});
