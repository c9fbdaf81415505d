import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createArtifactFiles } from '../../../src-main/adapters/artifact-files.ts';
import { createFileLog } from '../../../src-main/adapters/file-log.ts';
import { createKillFile } from '../../../src-main/adapters/kill-file.ts';
import { sha256 } from '../../../src-main/adapters/sha256.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import { writeFileAtomic, writeFileAtomicSync } from '../../../src-main/adapters/write-file.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { modeOf } from '../../support/modes.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

test('a file is replaced whole, for this user only, and nothing temporary stays', async () => {
  using folder = makeTempFolder();
  const file = folder.join('f');
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeFileAtomic(file, 'new');
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', 0o600]);
  writeFileAtomicSync(file, new Uint8Array([0, 255]));
  expect([...readFileSync(file)]).toEqual([0, 255]);
  mkdirSync(folder.join('in the way'));
  await expect(writeFileAtomic(folder.join('in the way'), 'x')).rejects.toThrow();
  expect(() => writeFileAtomicSync(folder.join('in the way'), 'x')).toThrow();
  expect(readdirSync(folder.path).sort()).toEqual(['f', 'in the way']);
});

test('an artifact is found by its hash, and written once', async () => {
  using folder = makeTempFolder();
  const artifacts = createArtifactFiles(folder.path);
  const text = 'line\n\u{1F511}'.repeat(1_000);
  const [one, two] = await Promise.all([artifacts.write(text), artifacts.write(text)]);
  expect([one, two]).toEqual([sha256(text), sha256(text)]);
  expect(await artifacts.read(one)).toBe(text);
  expect(modeOf(folder.join(one.slice(0, 2), one))).toBe(0o600);
  expect(readdirSync(folder.join(one.slice(0, 2)))).toEqual([one]);
  expect(await artifacts.read(sha256('other'))).toBe(null);
  await artifacts.remove(one);
  await artifacts.remove(one);
  expect(await artifacts.read(one)).toBe(null);
});

test('a damaged artifact reads as absent, and the next write repairs it', async () => {
  using folder = makeTempFolder();
  const artifacts = createArtifactFiles(folder.path);
  const hash = await artifacts.write('text');
  writeFileSync(folder.join(hash.slice(0, 2), hash), 'tex');
  expect(await artifacts.read(hash)).toBe(null);
  await artifacts.write('text');
  expect(await artifacts.read(hash)).toBe('text');
});

test('what is no hash is no path', async () => {
  using folder = makeTempFolder();
  writeFileSync(folder.join('secret'), 'x');
  const artifacts = createArtifactFiles(folder.join('artifacts'));
  expect(await artifacts.read('../secret')).toBe(null);
  await artifacts.remove('../secret');
  expect(existsSync(folder.join('secret'))).toBe(true);
});

test('old temporary files of killed writers are swept, young ones and artifacts stay', async () => {
  using folder = makeTempFolder();
  const artifacts = createArtifactFiles(folder.path);
  const hash = await artifacts.write('text');
  const inside = (name: string): string => folder.join(hash.slice(0, 2), name);
  writeFileSync(inside('old.tmp'), '');
  utimesSync(inside('old.tmp'), 1, 1);
  utimesSync(inside(hash), 1, 1);
  writeFileSync(inside('young.tmp'), '');
  await artifacts.sweep(Date.now());
  expect(readdirSync(folder.join(hash.slice(0, 2))).sort()).toEqual([hash, 'young.tmp'].sort());
  await createArtifactFiles(folder.join('none')).sweep(Date.now());
});

test('the kill file is its reason, and its time is when it was made', () => {
  using folder = makeTempFolder();
  const kill = createKillFile(folder.path, systemClock);
  expect(kill.read()).toBe(null);
  kill.write('too expensive');
  expect(kill.read()?.reason).toBe('too expensive');
  expect(Math.abs((kill.read()?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(modeOf(folder.join('KILL'))).toBe(0o600);
  kill.remove();
  kill.remove();
  expect(kill.read()).toBe(null);
});

test('anything of that name means engaged', () => {
  using folder = makeTempFolder();
  const kill = createKillFile(folder.path, systemClock);
  writeFileSync(folder.join('KILL'), '');
  expect(kill.read()).toMatchObject({ reason: '' });
  rmSync(folder.join('KILL'));
  mkdirSync(folder.join('KILL'));
  expect(kill.read()).toMatchObject({ reason: '' });
  kill.write('a folder is in the way, and is as good');
  expect(kill.read()).not.toBe(null);
  kill.remove();
  expect(spawnSync('mkfifo', [folder.join('KILL')]).status).toBe(0);
  expect(kill.read()).toMatchObject({ reason: '' });
  kill.remove();
  writeFileSync(folder.join('KILL'), 'x'.repeat(1_000_000));
  expect(kill.read()?.reason).toHaveLength(4_096);
});

test('a watcher is told of a file that comes and of one that goes, until it is disposed', async () => {
  using folder = makeTempFolder();
  const kill = createKillFile(folder.path, systemClock);
  const seen: boolean[] = [];
  const watch = kill.watch(() => seen.push(kill.read() !== null));
  writeFileSync(folder.join('other'), '');
  writeFileSync(folder.join('KILL'), 'by hand');
  await waitUntil('the file is told', () => seen.at(-1) === true);
  rmSync(folder.join('KILL'));
  await waitUntil('its end is told', () => seen.at(-1) === false);
  watch.dispose();
});

test('the poll tells of the file where nothing is told by the system', () => {
  using folder = makeTempFolder();
  const clock = new FakeClock();
  const kill = createKillFile(folder.path, clock);
  let changes = 0;
  const watch = kill.watch(() => (changes += 1));
  clock.advance(5_000);
  expect(changes).toBe(0);
  // Within one turn of the event loop no message of the system can arrive.
  writeFileSync(folder.join('KILL'), '');
  clock.advance(1_000);
  expect(changes).toBe(1);
  clock.advance(5_000);
  expect(changes).toBe(1);
  watch.dispose();
  rmSync(folder.join('KILL'));
  clock.advance(5_000);
  expect(changes).toBe(1);
});

function logOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a log line is one JSON object with time, level, message and fields', () => {
  using folder = makeTempFolder();
  const file = folder.join('logs', 'hub.log');
  const log = createFileLog({ file, clock: new FakeClock() });
  log.info('Started.', { pid: 7, name: 'two\nlines', message: 'not in its place' });
  log.warn('Slow.');
  log.error('Broke.', { error: new TypeError('why', { cause: new Error('deep') }), big: 10n });
  const lines = logOf(file);
  expect(lines[0]).toEqual({
    at: '2026-03-02T09:00:00.000Z',
    level: 'info',
    message: 'Started.',
    pid: 7,
    name: 'two\nlines',
  });
  expect(lines[1]).toMatchObject({ level: 'warn', message: 'Slow.' });
  expect(lines[2]).toMatchObject({
    level: 'error',
    error: { name: 'TypeError', message: 'why', cause: { message: 'deep' } },
    big: '10',
  });
  expect([modeOf(file), modeOf(folder.join('logs'))]).toEqual([0o600, 0o700]);
});

test('credentials and prompts do not reach the log, figures do', () => {
  using folder = makeTempFolder();
  const file = folder.join('hub.log');
  const log = createFileLog({ file, clock: new FakeClock() });
  const secrets = {
    token: 'one-secret',
    nested: { Authorization: 'Basic two-secret', list: [{ apiKey: 'three-secret' }] },
    password: { value: 'four-secret' },
    prompt: 'five-secret',
    text: 'curl -H "Authorization: Bearer six-secret-value" sk-ant-api03-seven_secret and ghp_eightsecreteightsecret00',
  };
  log.info('with Bearer nine-secret-value', { ...secrets, inputTokens: 12, hasToken: true });
  log.error('failed', { error: new Error('sk-ant-api03-ten_secret_value') });
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/secret/);
  expect(text).toContain('[redacted]');
  expect(logOf(file)[0]).toMatchObject({ inputTokens: 12, hasToken: true, token: '[redacted]' });
});

test('hostile fields are cut in depth, length and number, and circles end', () => {
  using folder = makeTempFolder();
  const file = folder.join('hub.log');
  const log = createFileLog({ file, clock: new FakeClock() });
  const circle: Record<string, unknown> = { text: 'x'.repeat(100_000), bytes: Buffer.alloc(9) };
  circle['self'] = circle;
  circle['list'] = Array(10_000).fill('entry');
  log.info('hostile', { circle });
  expect(readFileSync(file).length).toBeLessThan(100_000);
  expect(logOf(file)[0]).toMatchObject({ circle: { bytes: '[9 bytes]' } });
});

test('a full log moves aside, and the oldest goes', () => {
  using folder = makeTempFolder();
  const file = folder.join('hub.log');
  const log = createFileLog({ file, clock: new FakeClock(), maxBytes: 200, keep: 2 });
  for (let index = 0; index < 20; index += 1) log.info('line', { index });
  expect(readdirSync(folder.path).sort()).toEqual(['hub.log', 'hub.log.1', 'hub.log.2']);
  const kept = ['hub.log.2', 'hub.log.1', 'hub.log'].flatMap((name) => logOf(folder.join(name)));
  const indexes = kept.map((line) => Number(line['index']));
  expect(indexes.at(-1)).toBe(19);
  expect(indexes).toEqual(indexes.map((_, position) => 20 - indexes.length + position));
});

test('a log that cannot be written stops nothing, and says later what is missing', () => {
  using folder = makeTempFolder();
  const file = folder.join('hub.log');
  mkdirSync(file);
  const log = createFileLog({ file, clock: new FakeClock() });
  log.info('lost');
  log.info('lost');
  rmSync(file, { recursive: true });
  log.info('kept');
  log.info('kept');
  expect(logOf(file)).toMatchObject([{ message: 'kept', linesLostBefore: 2 }, { message: 'kept' }]);
});
