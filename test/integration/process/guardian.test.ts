import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardian } from '../../../src-main/adapters/process/guardian.ts';
import { createSpawner } from '../../../src-main/adapters/process/spawn-owned.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { millis } from '../../../src-shared/time.ts';
import {
  BUILT_GUARDIAN,
  firstLine,
  makeProcessWorld,
  PLAIN_ENV,
  TREES,
} from '../../support/process-world.ts';
import { isRunning, pidsInGroup, pidsWithMark } from '../../support/proc.ts';
import { makeTempFolder, type TempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const HUB = 'hub_guardiantest' as HubId;
const STUBBORN = { file: '/bin/sh', args: [`${TREES}/stubborn.sh`] };
/** Takes its mark off: only the guardian's own list leads to it. */
const UNMARKED = { file: '/bin/sh', args: ['-c', 'echo on; exec env -i sleep 600'] };

interface Started {
  readonly guardian: number;
  readonly pids: readonly number[];
}

let folder: TempFolder;
let hubs: ChildProcess[];

beforeEach(() => {
  folder = makeTempFolder('guardian');
  hubs = [];
});
afterEach(async () => {
  for (const hub of hubs) hub.kill('SIGKILL');
  await waitUntil('no guardian is left', () => !existsSync(folder.join('guardian.json')));
  folder.dispose();
});

/** A hub process; `lines` gives what it says, one after the other. */
function startHub(
  children: readonly { readonly file: string; readonly args: readonly string[] }[],
  env: Readonly<Record<string, string>> = {},
): { process: ChildProcess; nextLine: () => Promise<Started> } {
  const wanted = { hub: HUB, dataFolder: folder.path, guardianFile: BUILT_GUARDIAN, children };
  const hub = spawn(process.execPath, [`${TREES}/hub.ts`, JSON.stringify(wanted)], {
    env: { PATH: '/usr/bin:/bin', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  hubs.push(hub);
  const lines = createInterface({ input: hub.stdout })[Symbol.asyncIterator]();
  return {
    process: hub,
    nextLine: async () => {
      const next = await lines.next();
      if (next.done === true) throw new Error('The hub ended.');
      return JSON.parse(next.value) as Started;
    },
  };
}

const makeGuardian = () =>
  createGuardian({ hub: HUB, dataFolder: folder.path, clock: systemClock, file: BUILT_GUARDIAN });
const receiptFiles = (): readonly string[] => {
  const receipts = folder.join('guardian-receipts');
  return existsSync(receipts) ? readdirSync(receipts) : [];
};

test('the trees of a hub that dies are ended, and the next hub gets one receipt until it has booked it', async () => {
  const hub = startHub([STUBBORN, UNMARKED]);
  const { guardian, pids } = await hub.nextLine();
  const before = [...pids, ...pidsWithMark(`${HUB}:`)];
  hub.process.kill('SIGKILL');

  await waitUntil('the guardian has ended', () => !isRunning(guardian));
  expect(before.filter(isRunning)).toEqual([]);
  expect(pidsWithMark(`${HUB}:`)).toEqual([]);
  const next = makeGuardian();
  const receipts = await next.receipts();
  expect(receipts).toMatchObject([{ cause: 'hub-gone', alive: [] }]);
  expect(receipts[0]?.ended).toEqual(expect.arrayContaining([...pids]));
  expect(await makeGuardian().receipts()).toEqual(receipts);
  for (const receipt of receipts) await next.acknowledge(receipt);
  expect(await next.receipts()).toEqual([]);
});

test('a hub that ends cleanly leaves no receipt and no guardian', async () => {
  const hub = startHub([]);
  const { guardian } = await hub.nextLine();
  hub.process.stdin?.write('bye\n');
  await waitUntil('hub and guardian have ended', () => hub.process.exitCode === 0 && !isRunning(guardian));
  expect(receiptFiles()).toEqual([]);
  expect(existsSync(folder.join('guardian.json'))).toBe(false);
});

test('a tree that a clean end forgot is ended and told', async () => {
  const hub = startHub([UNMARKED]);
  const { guardian, pids } = await hub.nextLine();
  hub.process.stdin?.write('bye\n');
  await waitUntil('hub and guardian have ended', () => hub.process.exitCode === 0 && !isRunning(guardian));
  expect(pids.filter(isRunning)).toEqual([]);
  expect(await makeGuardian().receipts()).toMatchObject([{ ended: pids, alive: [] }]);
});

test('the kill file ends the trees of a hub that does not act on it', async () => {
  const hub = startHub([STUBBORN, UNMARKED]);
  const { guardian, pids } = await hub.nextLine();
  writeFileSync(folder.join('KILL'), 'enough');
  await waitUntil(
    'all trees have ended',
    () => pidsWithMark(`${HUB}:`).length === 0 && pids.flatMap(pidsInGroup).length === 0,
  );
  await waitUntil('the receipt is written', () => receiptFiles().some((name) => name.endsWith('.json')));
  const [name = ''] = receiptFiles();
  const receipt: unknown = JSON.parse(readFileSync(folder.join('guardian-receipts', name), 'utf8'));
  expect(receipt).toMatchObject({ cause: 'kill-file', alive: [] });
  expect(isRunning(hub.process.pid ?? 0)).toBe(true);
  expect(isRunning(guardian)).toBe(true);
});

test('while the kill file is there a child is ended and a short command runs to its end', async () => {
  await using world = await makeProcessWorld();
  writeFileSync(world.folder.join('KILL'), '');
  // Longer than the second after which the guardian acts, and the next look after that.
  const command = world.spawner.run({
    file: 'sleep',
    args: ['2.5'],
    cwd: world.folder.path,
    env: PLAIN_ENV,
    mark: world.mark('git'),
    timeout: millis(20_000),
    maxBytes: 100,
  });
  const child = await world.start({ file: 'sleep', args: ['600'] });
  expect(await child.closed).toMatchObject({ exitCode: null, signal: 'SIGTERM' });
  expect(await command).toMatchObject({ kind: 'exited', exitCode: 0 });
});

test('a guardian that took the place of a dead one knows the trees of before', async () => {
  const hub = startHub([UNMARKED]);
  const first = await hub.nextLine();
  process.kill(first.guardian, 'SIGKILL');
  const second = await hub.nextLine();
  expect(second.guardian).not.toBe(first.guardian);
  expect(isRunning(first.pids[0] ?? 0)).toBe(true);
  hub.process.kill('SIGKILL');
  await waitUntil('the tree of before has ended', () => !first.pids.some(isRunning));
});

test('the loss of a guardian is told, and nothing is started before there is another one', async () => {
  await using world = await makeProcessWorld();
  const { hub, table, guardian, folder: data } = world;
  const { lost, pid } = guardian;
  process.kill(pid ?? 0, 'SIGKILL');
  await lost;
  expect([guardian.isRunning, guardian.pid]).toEqual([false, null]);
  const child = await world.start({ file: 'cat', args: [], stdin: 'pipe' });
  expect(guardian.isRunning).toBe(true);
  expect(guardian.pid).not.toBe(pid);
  await child.stop();

  const broken = createGuardian({
    hub,
    dataFolder: data.path,
    clock: systemClock,
    file: data.join('none.js'),
  });
  const spawner = createSpawner({ hub, table, guardian: broken, clock: systemClock });
  const spec = { file: 'touch', args: ['ran'], cwd: data.path, env: PLAIN_ENV, mark: world.mark('x') };
  const refused = { kind: 'not-started', code: 'guardian-unavailable' };
  expect(await spawner.startOwned({ ...spec, stdin: 'ignore' })).toMatchObject(refused);
  expect(await spawner.run({ ...spec, timeout: millis(5_000), maxBytes: 10 })).toMatchObject(refused);
  expect(existsSync(data.join('ran'))).toBe(false);
});

test('signals for the terminal and the mark of an outer hub do not reach the guardian', async () => {
  const hub = startHub([STUBBORN], { SIGNALBOX_OWNER: `${HUB}:att_outer` });
  const { guardian, pids } = await hub.nextLine();
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(guardian, signal);
  expect(pidsWithMark(`${HUB}:`)).not.toContain(guardian);
  expect(pidsInGroup(guardian)).toEqual([guardian]);
  hub.process.kill('SIGKILL');
  await waitUntil('the guardian did its work', () => !isRunning(guardian));
  expect(pids.filter(isRunning)).toEqual([]);
  expect(receiptFiles()).toHaveLength(1);
});

test('the next guardian starts when the one of the dead hub is through', async () => {
  const hub = startHub([STUBBORN]);
  const { guardian } = await hub.nextLine();
  hub.process.kill('SIGKILL');
  const next = makeGuardian();
  await next.start();
  expect(isRunning(guardian)).toBe(false);
  expect(pidsWithMark(`${HUB}:`)).toEqual([]);
  expect(await next.receipts()).toHaveLength(1);
  await next.stop();
});

test('a guardian whose hub lives is not taken over', async () => {
  const hub = startHub([]);
  const { guardian } = await hub.nextLine();
  await expect(makeGuardian().start()).rejects.toMatchObject({ code: 'guardian-unavailable' });
  expect(await makeGuardian().receipts()).toEqual([]);
  expect(isRunning(guardian)).toBe(true);
});

test('a guardian that cannot be started is an error with a code', async () => {
  const broken = createGuardian({
    hub: HUB,
    dataFolder: folder.path,
    clock: systemClock,
    file: folder.join('nothing.js'),
  });
  await expect(broken.start()).rejects.toMatchObject({ code: 'guardian-unavailable' });
  expect(broken.isRunning).toBe(false);
  const missing = createGuardian({
    hub: HUB,
    dataFolder: folder.path,
    clock: systemClock,
    file: BUILT_GUARDIAN,
    executable: folder.join('no-node'),
  });
  await expect(missing.start()).rejects.toMatchObject({ code: 'guardian-unavailable' });
});

test('a child that prints is usable at once: registration comes before its first byte of input', async () => {
  await using world = await makeProcessWorld();
  const child = await world.start({ file: 'cat', args: [], stdin: 'pipe' });
  expect(await child.stdin?.write('hello\n')).toBe('written');
  expect(await firstLine(child)).toBe('hello');
  child.stdin?.end();
  expect(await child.closed).toEqual({ exitCode: 0, signal: null, leftovers: { ended: [], alive: [] } });
});

test('pin: the built guardian imports only what Node has itself', () => {
  const seen = new Set<string>();
  const outside: string[] = [];
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^\s*(?:import|export)\b[^'"\n]*['"]([^'"\n]+)['"];?\s*$/gm,
    )) {
      if (name.startsWith('.')) follow(path.resolve(path.dirname(file), name));
      else if (!name.startsWith('node:')) outside.push(name);
    }
  };
  follow(BUILT_GUARDIAN);
  expect(outside).toEqual([]);
});
