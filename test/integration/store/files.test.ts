import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import Database from 'better-sqlite3';
import type { AppError } from '../../../src-shared/errors.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { backup, listBackups } from '../../../src-main/store/backup.ts';
import { examineStore } from '../../../src-main/store/examine-store.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import { addGraph, project, task } from './models.ts';
import { StoreBench } from './opened.ts';
import { rawSql, rawValue } from './raw.ts';

const errorOf = (work: () => unknown): AppError => {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};
const codeOf = (work: () => unknown): string => errorOf(work).code;

const modeOf = (place: string): string => (statSync(place).mode & 0o777).toString(8);

test.runIf(process.platform !== 'win32')('files are for us alone, also those that were not before', () => {
  using bench = new StoreBench();
  const first = bench.open();
  first.ledger.append({ kind: 'a' });
  const copy = first.backup();
  expect(
    [bench.folder, bench.file, `${bench.file}-wal`, `${bench.file}-shm`, path.dirname(copy), copy].map(
      modeOf,
    ),
  ).toEqual(['700', '600', '600', '600', '700', '600']);
  first.dispose();
  chmodSync(bench.folder, 0o755);
  chmodSync(bench.file, 0o644);
  bench.open();
  expect([modeOf(bench.folder), modeOf(bench.file)]).toEqual(['700', '600']);
});

test('the hub id is made once', () => {
  using bench = new StoreBench();
  const first = bench.open();
  first.dispose();
  expect(bench.open().hubId).toBe(first.hubId);
});

test('a backup is a store of its own with everything in it, and three are kept', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  stores.ledger.append({ kind: 'a' });
  const made = [stores.backup()];
  // The clock stands still, then goes back: names go on.
  made.push(backup({ folder: bench.folder, clock: bench.clock }));
  bench.clock.set(0);
  for (let index = 0; index < 3; index += 1) made.push(backup({ folder: bench.folder, clock: bench.clock }));
  expect(listBackups(bench.folder)).toEqual(made.slice(2).reverse());

  const folder = path.join(path.dirname(bench.folder), 'restored');
  mkdirSync(folder);
  copyFileSync(made.at(-1) ?? '', path.join(folder, 'signalbox.sqlite'));
  const restored = bench.open({ folder });
  expect([restored.hubId, restored.tasks.list(), restored.ledger.verify({ full: true })]).toEqual([
    stores.hubId,
    stores.tasks.list(),
    stores.ledger.verify({ full: true }),
  ]);
  expect(restored.tasks.insert(task({ id: 'tsk_b' as TaskId })).number).toBe(2);
});

test('a backup that cannot be written leaves the older ones and nothing half', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  const good = stores.backup();
  stores.dispose();
  // Damage that only a reader of everything meets.
  const size = statSync(bench.file).size;
  const bytes = readFileSync(bench.file);
  bytes.fill(0xff, 4096, size);
  writeFileSync(bench.file, bytes);
  expect(codeOf(() => backup({ folder: bench.folder, clock: bench.clock }))).toBe('store-unusable');
  expect(readdirSync(path.dirname(good))).toEqual([path.basename(good)]);
});

test('what is no database is left as it is, and the hint names the newest backup', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  const newest = stores.backup();
  stores.dispose();
  writeFileSync(bench.file, 'this is a letter, not a database. '.repeat(200));
  const error = errorOf(() => bench.open());
  expect([error.code, error.message, error.hint]).toEqual([
    'store-unusable',
    expect.stringContaining('not a database'),
    expect.stringContaining(newest),
  ]);
  expect(readFileSync(bench.file, 'utf8')).toContain('a letter');
});

test('a damaged page is reported when it is read, with the newest backup', () => {
  using bench = new StoreBench();
  const first = bench.open();
  first.transaction(() => {
    for (let index = 0; index < 400; index += 1) first.ledger.append({ kind: 'a', data: { index } });
  });
  const newest = first.backup();
  first.dispose();
  const bytes = readFileSync(bench.file);
  // The first page holds the schema's head; all others are overwritten, as by a bad disk.
  bytes.fill(0x5a, 4096);
  writeFileSync(bench.file, bytes);
  const error = errorOf(() => bench.open().ledger.verify({ full: true }));
  expect([error.code, error.hint]).toEqual(['store-unusable', expect.stringContaining(newest)]);
});

test('a store that was cut short is damaged, not empty', () => {
  using bench = new StoreBench();
  const first = bench.open();
  first.transaction(() => {
    for (let index = 0; index < 400; index += 1) first.ledger.append({ kind: 'a' });
  });
  first.dispose();
  truncateSync(bench.file, 8192);
  const error = errorOf(() => bench.open().ledger.verify({ full: true }));
  expect([error.code, error.hint]).toEqual(['store-unusable', expect.stringContaining('There is no backup')]);
});

test.each(['removed', 'emptied'])(
  'a store that was %s is not replaced by an empty one while backups tell of it',
  (how) => {
    using bench = new StoreBench();
    const first = bench.open();
    const newest = first.backup();
    first.dispose();
    if (how === 'removed') rmSync(bench.file);
    else truncateSync(bench.file, 0);
    const error = errorOf(() => bench.open());
    expect([error.code, error.hint]).toEqual(['store-unusable', expect.stringContaining(newest)]);
    expect(existsSync(bench.file) && statSync(bench.file).size > 0).toBe(false);
  },
);

const TRACES = [
  'trees/prj_1/tsk_1/.git',
  'git/prj_1/bench/HEAD',
  `artifacts/ab/ab${'0'.repeat(62)}`,
  'leftovers/tsk_1/1/secret.txt',
  'guardian-receipts/1-2-hub-gone.json',
  'signalbox.sqlite-wal',
];

test.each(['removed', 'emptied'])(
  'a store that was %s is not replaced by an empty one while something of its tasks lies beside it',
  (how) => {
    for (const trace of TRACES) {
      using bench = new StoreBench();
      bench.open().dispose();
      if (how === 'removed') rmSync(bench.file);
      else truncateSync(bench.file, 0);
      const file = path.join(bench.folder, trace);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'x');
      const name = trace.split('/')[0] ?? '';
      for (const readonly of [false, true]) {
        const error = errorOf(() => bench.open({ readonly }));
        expect([error.code, error.message, error.hint]).toEqual([
          'store-unusable',
          expect.stringMatching(new RegExp(`gone or empty.*\\(${name}\\)\\.$`)),
          `There is no backup. If you have a copy of your own, put it back as ${bench.file}. To start from nothing, move these out of ${bench.folder}: ${name}.`,
        ]);
      }
      expect(() => examineStore(bench.folder)).toThrow('gone or empty');
      expect(existsSync(bench.file) && statSync(bench.file).size > 0).toBe(false);

      rmSync(path.join(bench.folder, name), { recursive: true });
      expect(bench.open().tasks.list()).toEqual([]);
    }
  },
);

test('folders that hold nothing, and files of a person, are no trace of a store', () => {
  using bench = new StoreBench();
  for (const folder of ['trees/prj_1', 'artifacts/ab', 'leftovers', 'logs'])
    mkdirSync(path.join(bench.folder, folder), { recursive: true });
  for (const file of ['config.toml', 'KILL', 'logs/signalbox.log', 'hub.lock'])
    writeFileSync(path.join(bench.folder, file), '');
  expect(bench.open().tasks.list()).toEqual([]);
});

test('a database of another program is refused and not touched', () => {
  using bench = new StoreBench();
  mkdirSync(bench.folder);
  rawSql(bench.file, 'CREATE TABLE bookmark (url TEXT)');
  const error = errorOf(() => bench.open());
  expect([error.code, error.message]).toEqual([
    'store-unusable',
    expect.stringContaining('not a Signalbox store'),
  ]);
  expect(rawValue(bench.file, "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'")).toBe(
    'bookmark',
  );
});

test('a store that another process holds is reported as locked', () => {
  using bench = new StoreBench();
  const stores = bench.open({ busyTimeoutMs: 20 });
  const holder = new Database(bench.file);
  try {
    holder.exec('BEGIN IMMEDIATE');
    const error = errorOf(() => stores.ledger.append({ kind: 'a' }));
    expect([error.code, error.message]).toEqual([
      'store-unusable',
      expect.stringContaining('another process'),
    ]);
    // Reading goes on meanwhile.
    expect(stores.ledger.head().seq).toBe(0);
    holder.exec('ROLLBACK');
    expect(stores.ledger.append({ kind: 'a' }).seq).toBe(1);
    stores.dispose();
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE; COMMIT');
    expect(codeOf(() => bench.open({ busyTimeoutMs: 20 }))).toBe('store-unusable');
  } finally {
    holder.close();
  }
});

test('a full disk is an error of its own, changes nothing, and is over when there is room', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  const seq = stores.ledger.append({ kind: 'a' }).seq;
  stores.dispose();
  const limited = bench.open({ maxPages: Number(rawValue(bench.file, 'PRAGMA page_count')) });
  const write = (): void =>
    limited.transaction(() => {
      limited.ledger.append({ kind: 'b' });
      limited.settings.set('big', 'x'.repeat(500_000));
      limited.ledger.append({ kind: 'c' });
    });
  const error = errorOf(write);
  expect([error.code, limited.ledger.head().seq, limited.settings.get('big')]).toEqual([
    'disk-full',
    seq,
    null,
  ]);
  // Whatever fits still works.
  limited.settings.set('small', 1);
  limited.dispose();
  const roomy = bench.open();
  expect([roomy.settings.get('small'), roomy.ledger.verify({ full: true }).ok]).toEqual([1, true]);
});

test('a store that is opened for reading reads, and refuses to write', () => {
  using bench = new StoreBench();
  expect(codeOf(() => bench.open({ readonly: true }))).toBe('store-unusable');
  const stores = bench.open();
  stores.projects.insert(project());
  stores.ledger.append({ kind: 'a' });
  const reader = bench.open({ readonly: true });
  expect([reader.hubId, reader.projects.list(), reader.ledger.verify({ full: true }).ok]).toEqual([
    stores.hubId,
    stores.projects.list(),
    true,
  ]);
  expect(codeOf(() => reader.ledger.append({ kind: 'b' }))).toBe('store-unusable');
  expect(codeOf(() => reader.settings.set('a', 1))).toBe('store-unusable');
});

test('a data folder that is a file is reported as unusable', () => {
  using bench = new StoreBench();
  writeFileSync(bench.folder, '');
  expect(codeOf(() => openStore({ folder: bench.folder, clock: bench.clock, ids: bench.ids }))).toBe(
    'data-folder-unusable',
  );
});

test('a process that is killed in the middle of transactions leaves a whole store whose chain verifies', async () => {
  using bench = new StoreBench();
  const first = bench.open();
  addGraph(first);
  first.dispose();
  let tasks = 1;
  let entries = 0;
  for (let round = 0; round < 4; round += 1) {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'writer-main.ts'), bench.folder, String(round + 1)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    // Each line is printed within a transaction, so the kill comes between two of its statements or soon after.
    const lines = 3 + round * 7;
    let seen = 0;
    for await (const chunk of child.stdout) {
      seen += String(chunk).split('\n').length - 1;
      if (seen >= lines) break;
    }
    child.kill('SIGKILL');
    await exited;
    const stores = bench.open();
    const check = stores.ledger.verify({ full: true });
    expect(check.ok).toBe(true);
    // A transaction adds one task and two entries, or nothing.
    const added = stores.tasks.count() - tasks;
    expect(check.entries - entries).toBe(2 * added);
    expect(added).toBeGreaterThan(0);
    expect(stores.tasks.list().map((each) => each.number)).toEqual(
      Array.from({ length: stores.tasks.count() }, (_, index) => index + 1),
    );
    tasks += added;
    entries = check.entries;
    stores.dispose();
  }
});
