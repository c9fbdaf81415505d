import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { listBackups } from '../../../src-main/store/backup.ts';
import { MIGRATIONS } from '../../../src-main/store/migrations/all.ts';
import type { Migration } from '../../../src-main/store/migrations/migration.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import type { TestRunId } from '../../../src-shared/ids.ts';
import { makeAgent } from '../../support/core-builders.ts';
import {
  PROJECT,
  RUN,
  SESSION,
  TASK,
  TURN,
  item,
  journalRow,
  launch,
  run,
  testRun,
  tree,
  turn,
} from './models.ts';
import { StoreBench } from './opened.ts';
import { rawSql, rawValue } from './raw.ts';

/** A released migration is never edited: a red line here means that a new one must be written instead. */
const PINNED = [
  { number: 1, name: 'first', sha256: 'cbc694546294402cacd61aae9b9470e240d7241e3d2c150f310a9bc089077991' },
];

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
  return 'none';
};

const last = MIGRATIONS.length;
const another = (sql: string): readonly Migration[] => [
  ...MIGRATIONS,
  { number: last + 1, name: 'next', sql },
];

test('migrations are numbered without gaps and are as they were released', () => {
  expect(
    MIGRATIONS.map(({ number, name, sql }) => ({
      number,
      name,
      sha256: createHash('sha256').update(sql).digest('hex'),
    })),
  ).toEqual(PINNED);
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

test.each(PINNED)(
  'the database that migration $number left behind opens with all it holds',
  ({ number, name }) => {
    using bench = new StoreBench();
    const frozen = path.resolve(
      `test/fixtures/databases/${String(number).padStart(4, '0')}-${name}.sqlite.gz`,
    );
    mkdirSync(bench.folder);
    writeFileSync(bench.file, gunzipSync(readFileSync(frozen)));
    expect(rawValue(bench.file, 'PRAGMA user_version')).toBe(number);
    const stores = bench.open();
    expect(listBackups(bench.folder).length).toBe(number === last ? 0 : 1);
    expect(rawValue(bench.file, 'PRAGMA user_version')).toBe(last);
    expect(rawValue(bench.file, 'PRAGMA integrity_check')).toBe('ok');
    expect(stores.hubId).toBe('hub_00000000000000000000000001');
    expect(stores.projects.get(PROJECT)).toMatchObject({ name: 'shop', baseBranch: 'main' });
    expect(stores.tasks.list().map(({ number: each, state }) => [each, state])).toEqual([
      [1, 'ready'],
      [2, 'draft'],
    ]);
    expect([
      stores.agents.list(),
      stores.runs.get(RUN),
      stores.turns.get(TURN),
      stores.launches.live(),
      stores.testRuns.get('tst_a' as TestRunId),
      stores.trees.get(TASK),
      stores.journal.open(),
      stores.items.get(1 as never),
      stores.items.stored().map((each) => each.answer),
      stores.leases.get('account')?.fencing,
      stores.holds.list().map((hold) => hold.kind),
      stores.settings.get('kill'),
      stores.spikes.current()?.projectIds,
    ]).toEqual([
      [makeAgent()],
      run(),
      turn(),
      [launch()],
      testRun({ outputHash: 'e'.repeat(64) }),
      tree(),
      [journalRow()],
      { ...item(), number: 1 },
      ['yes'],
      1,
      ['login'],
      { reason: 'r' },
      [PROJECT],
    ]);
    expect(stores.events.page(TASK, 0, 10)).toEqual([
      { id: 1, taskId: TASK, turnId: TURN, seq: 1, at: 1, event: { kind: 'assistant', text: 'hello' } },
    ]);
    expect(stores.events.transcript(TASK, 0, 10)).toEqual([
      { id: 1, taskId: TASK, turnId: TURN, sessionId: SESSION, role: 'assistant', content: 'hello', at: 1 },
    ]);
    expect(stores.ledger.verify({ full: true })).toMatchObject({ ok: true, entries: 5 });
    expect(stores.totals.totals('day').map(({ key, sums }) => [key, sums.reportedMicroUsd])).toEqual([
      ['2026-03-04', 4000],
      ['2026-03-03', 5000],
      ['2026-03-02', 1000],
    ]);
  },
);

test('a store is backed up before it is upgraded, once, and a new one is not', () => {
  using bench = new StoreBench();
  const old = bench.open();
  old.ledger.append({ kind: 'a' });
  old.dispose();
  expect(listBackups(bench.folder)).toEqual([]);
  const next = bench.open({ migrations: another('CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT') });
  const [backup = ''] = listBackups(bench.folder);
  expect([listBackups(bench.folder).length, rawValue(backup, 'PRAGMA user_version')]).toEqual([1, last]);
  expect(rawValue(bench.file, 'PRAGMA user_version')).toBe(last + 1);
  expect(next.ledger.head().seq).toBe(1);
});

test('a migration that fails leaves the version before it, whole', () => {
  using bench = new StoreBench();
  const old = bench.open();
  old.ledger.append({ kind: 'a' });
  old.dispose();
  const broken = another(
    'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT; INSERT INTO nowhere VALUES (1)',
  );
  expect(codeOf(() => bench.open({ migrations: broken }))).toBe('internal');
  expect(rawValue(bench.file, "SELECT count(*) FROM sqlite_schema WHERE name = 'later'")).toBe(0);
  expect(bench.open().ledger.verify({ full: true })).toMatchObject({ ok: true, entries: 1 });
});

test('a migration that leaves references to nothing is refused', () => {
  using bench = new StoreBench();
  bench.open().dispose();
  const broken = another(
    "INSERT INTO run SELECT 'run_x', 'tsk_none', 'w', 's', 's', NULL, NULL, NULL, NULL, 0, 0, 0, '{}', 1, NULL",
  );
  expect(codeOf(() => bench.open({ migrations: broken }))).toBe('internal');
  expect(rawValue(bench.file, 'PRAGMA user_version')).toBe(last);
});

test('a store of a newer Signalbox is refused and not touched', () => {
  using bench = new StoreBench();
  bench.open().dispose();
  rawSql(bench.file, `PRAGMA user_version = ${last + 1}`);
  expect(codeOf(() => bench.open())).toBe('store-too-new');
  expect([rawValue(bench.file, 'PRAGMA user_version'), listBackups(bench.folder)]).toEqual([last + 1, []]);
});

test('an older store that is opened for reading is not upgraded', () => {
  using bench = new StoreBench();
  bench.open().dispose();
  const next = another('CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT');
  expect(codeOf(() => bench.open({ readonly: true, migrations: next }))).toBe('store-unusable');
  expect(rawValue(bench.file, 'PRAGMA user_version')).toBe(last);
});
