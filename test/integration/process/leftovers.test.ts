import net from 'node:net';
import { expect, test } from 'vitest';
import { defaultLaunch } from '../../../src-main/adapters/process/launch-process.ts';
import type { OwnedChild } from '../../../src-main/adapters/process/spawn-owned.ts';
import { firstLine, makeProcessWorld, TREES, type ProcessWorld } from '../../support/process-world.ts';
import { isRunning, pidsWithMark } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface Left {
  readonly listener: number;
  readonly sleeper: number;
  readonly port: number;
}

async function startLeaver(world: ProcessWorld, what: string): Promise<{ child: OwnedChild; left: Left }> {
  const child = await world.start({ file: process.execPath, args: [`${TREES}/leaver.mjs`, what] });
  return { child, left: JSON.parse(await firstLine(child)) as Left };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function expectNothingLeft(world: ProcessWorld, child: OwnedChild, left: Left): Promise<void> {
  await waitUntil(
    'nothing of the tree is left',
    () =>
      pidsWithMark(`${world.hub}:`).length === 0 && ![child.pid, left.listener, left.sleeper].some(isRunning),
    { withinMs: 5_000 },
  );
  expect(await accepts(left.port)).toBe(false);
}

test('a stopped child leaves neither its listener nor a detached grandchild', async () => {
  await using world = await makeProcessWorld();
  const { child, left } = await startLeaver(world, 'stay');
  expect([await accepts(left.port), isRunning(left.sleeper)]).toEqual([true, true]);
  const receipt = await child.stop();
  expect(receipt.alive).toEqual([]);
  expect(receipt.ended).toEqual(expect.arrayContaining([child.pid, left.listener, left.sleeper]));
  await child.closed;
  await expectNothingLeft(world, child, left);
});

test.each([
  ['ended normally', 'exit', { exitCode: 3, signal: null }],
  ['crashed', 'crash', { exitCode: null, signal: 'SIGKILL' }],
])('a child that %s leaves neither its listener nor a detached grandchild', async (_, what, ending) => {
  await using world = await makeProcessWorld();
  const { child, left } = await startLeaver(world, what);
  const closed = await child.closed;
  expect(closed).toMatchObject(ending);
  expect(closed.leftovers.alive).toEqual([]);
  expect(closed.leftovers.ended).toEqual(expect.arrayContaining([left.listener, left.sleeper]));
  await expectNothingLeft(world, child, left);
});

test('the end of one child leaves another one with the same mark alone', async () => {
  await using world = await makeProcessWorld();
  const staying = await world.start({ file: 'sleep', args: ['600'] });
  const { child, left } = await startLeaver(world, 'exit');
  await child.closed;
  expect(isRunning(staying.pid)).toBe(true);
  expect(isRunning(left.listener)).toBe(false);
  // The detached one carries the mark that both share: it goes with the last of them.
  await staying.stop();
  await staying.closed;
  await expectNothingLeft(world, child, left);
});

test('a child that is being started while another one with its mark ends is not ended with it', async () => {
  const { promise: isFirstGone, resolve: firstIsGone } = Promise.withResolvers<void>();
  await using world = await makeProcessWorld({
    launch: async (spec) => {
      const launched = await defaultLaunch(spec);
      if (spec.args.includes('600')) await isFirstGone;
      return launched;
    },
  });
  const first = await world.start({ file: 'sleep', args: ['0.2'] });
  const starting = world.start({ file: 'sleep', args: ['600'] });
  await first.closed;
  firstIsGone();
  const second = await starting;
  expect(isRunning(second.pid)).toBe(true);
  await second.stop();
  expect(await second.closed).toMatchObject({ signal: 'SIGTERM' });
});

test('a child that starts as another one with its mark has just ended is not ended with what that one left', async () => {
  await using world = await makeProcessWorld();
  const { child: first, left } = await startLeaver(world, 'exit');
  await waitUntil('the first one has ended', () => !isRunning(first.pid));
  const second = await world.start({ file: 'sleep', args: ['600'] });
  await first.closed;
  expect(isRunning(second.pid)).toBe(true);
  // What the first one left went before the second one began, or goes with it.
  await second.stop();
  await second.closed;
  await expectNothingLeft(world, first, left);
});

test('what escaped from a child before a younger one with its mark began is ended with that one', async () => {
  const launching = Promise.withResolvers<void>();
  const firstGone = Promise.withResolvers<void>();
  await using world = await makeProcessWorld({
    launch: async (spec) => {
      const launched = await defaultLaunch(spec);
      if (spec.args.includes('600')) {
        launching.resolve();
        await firstGone.promise;
      }
      return launched;
    },
  });
  const { child: first, left } = await startLeaver(world, 'stay');
  const starting = world.start({ file: 'sleep', args: ['600'] });
  await launching.promise;
  process.kill(first.pid, 'SIGKILL');
  await first.closed;
  firstGone.resolve();
  const second = await starting;
  await second.stop();
  await second.closed;
  await expectNothingLeft(world, first, left);
});

test('what escaped from children with the same mark that end at the same moment is ended', async () => {
  await using world = await makeProcessWorld();
  for (let time = 0; time < 5; time += 1) {
    const leavers = await Promise.all([startLeaver(world, 'exit'), startLeaver(world, 'exit')]);
    await Promise.all(leavers.map(({ child }) => child.closed));
    for (const { child, left } of leavers) await expectNothingLeft(world, child, left);
  }
});

test('what escaped from a child that ended while another start with its mark failed is ended', async () => {
  const { promise: isFirstGone, resolve: firstIsGone } = Promise.withResolvers<void>();
  await using world = await makeProcessWorld({
    launch: async (spec) => {
      const launched = await defaultLaunch(spec);
      if (launched.kind === 'not-started') await isFirstGone;
      return launched;
    },
  });
  const { child, left } = await startLeaver(world, 'exit');
  const failing = world.start({ file: '/nowhere/none', args: [] });
  await child.closed;
  firstIsGone();
  await expect(failing).rejects.toThrow();
  await expectNothingLeft(world, child, left);
});

test('a process out of reach that holds the output open delays the end by a bounded time', async () => {
  await using world = await makeProcessWorld();
  // Without environment, in a session of its own and with its parent gone, nothing tells whose it is.
  const child = await world.start({
    file: 'sh',
    args: ['-c', 'env -i setsid sh -c "echo \\$\\$; exec sleep 600" & sleep 0.2'],
  });
  let text = '';
  child.stderr.resume();
  const read = (async () => {
    for await (const chunk of child.stdout) text += String(chunk);
  })();
  const begun = performance.now();
  expect(await child.closed).toMatchObject({ exitCode: 0, signal: null });
  await read;
  expect(performance.now() - begun).toBeLessThan(5_000);
  const escaped = Number(text);
  expect(isRunning(escaped)).toBe(true);
  process.kill(escaped, 'SIGKILL');
  await waitUntil('the escaped one is gone', () => !isRunning(escaped));
});

test('a reader that comes after the end still gets everything that an ended child had printed', async () => {
  await using world = await makeProcessWorld();
  const child = await world.start({ file: 'sh', args: ['-c', 'head -c 60000 /dev/zero; echo end'] });
  child.stderr.resume();
  await waitUntil('the child has ended', () => !isRunning(child.pid));
  let length = 0;
  for await (const chunk of child.stdout) length += (chunk as Buffer).length;
  expect(length).toBe(60_004);
  expect(await child.closed).toMatchObject({ exitCode: 0 });
});
