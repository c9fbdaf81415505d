import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SqliteStores } from '../../../src-main/store/open-store.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { StoreBench } from './opened.ts';
import { rawSql } from './raw.ts';

const seqsOf = (stores: SqliteStores): readonly number[] => [...stores.ledger.all()].map(({ seq }) => seq);
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

/** The store's files as a crash leaves them, in a folder where SQLite can make nothing beside them. */
function copyWithoutRoom(bench: StoreBench, name: string): string {
  const folder = path.join(path.dirname(bench.folder), name);
  mkdirSync(folder);
  const file = path.join(folder, 'signalbox.sqlite');
  for (const end of ['', '-wal']) {
    if (existsSync(`${bench.file}${end}`)) copyFileSync(`${bench.file}${end}`, `${file}${end}`);
  }
  mkdirSync(`${file}-shm`);
  return folder;
}

test('a store is read where nothing can be written beside it, with all that was committed', () => {
  using bench = new StoreBench();
  const live = bench.open();
  const seen: (readonly number[])[] = [];
  for (let round = 0; round < 6; round += 1) {
    live.transaction(() => {
      for (let index = 0; index < 40; index += 1) live.ledger.append({ kind: 'a', data: { round, index } });
    });
    // The next transaction begins a new round of the log, over the frames of the old one.
    if (round === 2) rawSql(bench.file, 'PRAGMA wal_checkpoint(RESTART)');
    const folder = copyWithoutRoom(bench, `round-${round}`);
    const copy = bench.open({ folder, readonly: true });
    seen.push(seqsOf(copy));
    expect(copy.ledger.verify({ full: true })).toMatchObject({ ok: true, head: live.ledger.head().hash });
    expect(copy.hubId).toBe(live.hubId);
  }
  expect(seen).toEqual(seen.map((_, round) => upTo((round + 1) * 40)));
});

test('a store that was closed is read the same way, and stays as it is', () => {
  using bench = new StoreBench();
  const live = bench.open();
  live.ledger.append({ kind: 'a' });
  live.dispose();
  const folder = copyWithoutRoom(bench, 'closed');
  const before = readFileSync(path.join(folder, 'signalbox.sqlite'));
  const copy = bench.open({ folder, readonly: true });
  expect(seqsOf(copy)).toEqual([1]);
  expect(() => copy.ledger.append({ kind: 'b' })).toThrow('cannot be written');
  expect(readFileSync(path.join(folder, 'signalbox.sqlite')).equals(before)).toBe(true);
});

test.each([
  ['cut within its last commit', (log: string) => truncateSync(log, statSync(log).size - 100)],
  [
    'altered in its last commit',
    (log: string) => {
      const bytes = readFileSync(log);
      bytes[bytes.length - 2000] = (bytes.at(-2000) ?? 0) ^ 0xff;
      writeFileSync(log, bytes);
    },
  ],
])('a log that was %s gives what was committed before', (_what, harm) => {
  using bench = new StoreBench();
  const live = bench.open();
  live.ledger.append({ kind: 'a' });
  live.ledger.append({ kind: 'b' });
  const folder = copyWithoutRoom(bench, 'torn');
  harm(path.join(folder, 'signalbox.sqlite-wal'));
  expect(seqsOf(bench.open({ folder, readonly: true }))).toEqual([1]);
});

test.each([
  ['damaged', Buffer.alloc(8192, 0x5a)],
  ['empty', Buffer.alloc(0)],
])('a store that is %s is called unusable there too', (_what, content) => {
  using bench = new StoreBench();
  const folder = path.join(path.dirname(bench.folder), 'bad');
  mkdirSync(path.join(folder, 'signalbox.sqlite-shm'), { recursive: true });
  writeFileSync(path.join(folder, 'signalbox.sqlite'), content);
  try {
    bench.open({ folder, readonly: true });
    expect.unreachable();
  } catch (error) {
    expect(isAppError(error, 'store-unusable')).toBe(true);
  }
});
