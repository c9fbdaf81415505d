import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TreeRegistry } from '../../../src-main/adapters/process/guardian-protocol.ts';
import { launchWithExeca } from '../../../src-main/adapters/process/launch-process.ts';
import { createSpawner, type CommandSpec } from '../../../src-main/adapters/process/spawn-owned.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import { millis } from '../../../src-shared/time.ts';
import { firstLine, makeProcessWorld, PLAIN_ENV, type ProcessWorld } from '../../support/process-world.ts';
import { isRunning, pidsWithMark, stateOf } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';

let world: ProcessWorld;
beforeAll(async () => {
  world = await makeProcessWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const command = (spec: Pick<CommandSpec, 'file' | 'args'> & Partial<CommandSpec>): CommandSpec => ({
  cwd: world.folder.path,
  env: PLAIN_ENV,
  mark: world.mark('tool'),
  timeout: millis(10_000),
  maxBytes: 100_000,
  ...spec,
});

test.each([
  ['directly', undefined],
  ['with execa', launchWithExeca],
])('a child started %s gets exactly the given environment and the mark', async (_, launch) => {
  const { hub, table, guardian } = world;
  const spawner = createSpawner({
    hub,
    table,
    guardian,
    clock: systemClock,
    ...(launch === undefined ? {} : { launch }),
  });
  const env = { PATH: '/usr/bin:/bin', WORD: 'two words; $(id)' };
  const done = await spawner.run(command({ file: 'env', args: ['-0'], env }));
  expect(done).toMatchObject({ kind: 'exited', exitCode: 0 });
  const lines = done.kind === 'not-started' ? [] : done.stdout.toString().split('\0').filter(Boolean);
  expect(lines.sort()).toEqual([
    'PATH=/usr/bin:/bin',
    `SIGNALBOX_OWNER=${world.mark('tool')}`,
    'WORD=two words; $(id)',
  ]);
});

test('arguments reach the program as they are: there is no shell', async () => {
  const args = ['-n', '%s|', '$HOME', '`id`', 'a b', '', '*'].slice(1);
  const done = await world.spawner.run(command({ file: 'printf', args }));
  expect(done).toMatchObject({ kind: 'exited', stdout: Buffer.from('$HOME|`id`|a b||*|') });
});

test.each([
  ['a program that is not there', { file: 'no-such-program' }, 'executable-not-found'],
  ['a folder that is not there', { file: 'true', cwd: '/no/such/folder' }, 'spawn-failed'],
  ['an argument with a NUL', { file: 'true', args: ['a\0b'] }, 'spawn-failed'],
  [
    'an argument beyond what the system takes',
    { file: 'true', args: ['x'.repeat(3_000_000)] },
    'spawn-failed',
  ],
])('%s is a value and not a throw', async (_, spec, code) => {
  for (const launch of [undefined, launchWithExeca]) {
    const { hub, table, guardian } = world;
    const options = { hub, table, guardian, clock: systemClock };
    const spawner = createSpawner(launch === undefined ? options : { ...options, launch });
    expect(await spawner.run(command({ args: [], ...spec }))).toMatchObject({ kind: 'not-started', code });
  }
});

test('a file that is no program is a value and not a throw', async () => {
  const file = world.folder.join('data');
  writeFileSync(file, 'nothing to run');
  expect(await world.spawner.run(command({ file, args: [] }))).toMatchObject({
    kind: 'not-started',
    code: 'spawn-failed',
    message: `The program ${file} could not be started: it may not be executed.`,
  });
});

test('output and input of many bytes come through whole', async () => {
  const input = Buffer.alloc(3_000_000, 'signalbox ');
  const done = await world.spawner.run(command({ file: 'cat', args: [], input, maxBytes: input.length }));
  expect(done.kind === 'exited' && done.stdout.equals(input)).toBe(true);
});

test('a command that prints without end is ended at its limit', async () => {
  const done = await world.spawner.run(command({ file: 'cat', args: ['/dev/zero'], maxBytes: 5_000 }));
  expect(done).toMatchObject({ kind: 'too-much-output', stdout: Buffer.alloc(5_000), signal: 'SIGTERM' });
});

test('a command that takes too long is ended with all that it started', async () => {
  const done = await world.spawner.run(
    command({
      file: 'sh',
      args: ['-c', 'trap "" TERM; setsid sleep 600 & echo on; sleep 600'],
      timeout: millis(50),
      mark: world.mark('slow'),
    }),
  );
  expect(done).toMatchObject({ kind: 'timed-out', exitCode: null, signal: 'SIGKILL' });
  expect(pidsWithMark(world.mark('slow'))).toEqual([]);
});

test('an aborted command is ended', async () => {
  const stop = new AbortController();
  const running = world.spawner.run(command({ file: 'sleep', args: ['600'], signal: stop.signal }));
  stop.abort();
  expect(await running).toMatchObject({ kind: 'stopped', signal: 'SIGTERM' });
  const late = world.spawner.run(command({ file: 'sleep', args: ['600'], signal: AbortSignal.abort() }));
  expect(await late).toMatchObject({ kind: 'stopped' });
});

test('a failing command is an exit with its code and its words', async () => {
  const done = await world.spawner.run(command({ file: 'sh', args: ['-c', 'echo no >&2; exit 4'] }));
  expect(done).toMatchObject({ kind: 'exited', exitCode: 4, stderr: Buffer.from('no\n') });
});

test('a write to a child that is gone says that nothing was taken', async () => {
  const child = await world.start({ file: 'true', args: [], stdin: 'pipe' });
  child.stdout.resume();
  child.stderr.resume();
  await child.closed;
  expect(await child.stdin?.write('prompt')).toBe('refused');
  child.stdin?.end();
});

test('a write that the child stops reading in the middle says that some may have been taken', async () => {
  const child = await world.start({
    file: 'sh',
    args: ['-c', 'head -c 10 >/dev/null; echo read; exit 0'],
    stdin: 'pipe',
  });
  const line = firstLine(child);
  expect(await child.stdin?.write('x'.repeat(2_000_000))).toBe('broken');
  expect(await line).toBe('read');
  expect(await child.closed).toMatchObject({ exitCode: 0 });
});

test('nothing is started while the kill switch is engaged, and a switch thrown during a start ends the child', async () => {
  const { hub, table, guardian, folder } = world;
  let looks = 0;
  const spawner = createSpawner({
    hub,
    table,
    guardian,
    clock: systemClock,
    isKilled: () => (looks += 1) > 1,
  });
  const spec = {
    file: 'sleep',
    args: ['600'],
    cwd: folder.path,
    env: PLAIN_ENV,
    mark: world.mark('killed'),
    stdin: 'ignore' as const,
  };
  expect(await spawner.startOwned(spec)).toMatchObject({ kind: 'not-started', code: 'killed' });
  expect(await spawner.startOwned(spec)).toMatchObject({ kind: 'not-started', code: 'killed' });
  expect(looks).toBe(3);
  expect(pidsWithMark(world.mark('killed'))).toEqual([]);
});

test('a child without a mark of the hub is a bug of the caller', async () => {
  await expect(world.spawner.run(command({ file: 'true', args: [], mark: 'other:x' }))).rejects.toThrow(
    'A child needs a mark of this hub.',
  );
});

test('stopping twice and after the end gives receipts and no error', async () => {
  const child = await world.start({ file: 'sleep', args: ['600'], mark: world.mark('twice') });
  child.stdout.resume();
  child.stderr.resume();
  const [one, two] = await Promise.all([child.stop(), child.stop()]);
  expect(one).toEqual({ ended: [child.pid], alive: [] });
  expect(two).toEqual(one);
  await child.closed;
  expect(isRunning(child.pid)).toBe(false);
  expect(await child.stop()).toEqual(one);
});

test('a command that is over before its registration still gives all of its output', async () => {
  const { hub, table, guardian } = world;
  // A guardian so slow that the child has been collected when it answers.
  const slow: TreeRegistry = {
    isRunning: true,
    start: () => Promise.resolve(),
    add: async ({ pid }) => {
      await waitUntil('the child is collected', () => stateOf(pid) === null);
    },
    remove: (tree) => guardian.remove(tree),
  };
  const spawner = createSpawner({ hub, table, guardian: slow, clock: systemClock });
  const done = await spawner.run(command({ file: 'sh', args: ['-c', 'echo out; echo err >&2'] }));
  expect(done).toMatchObject({ kind: 'exited', stdout: Buffer.from('out\n'), stderr: Buffer.from('err\n') });
});
