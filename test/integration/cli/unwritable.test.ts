import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { KillReceiptView } from '../../../src-shared/api/hub.ts';
import { readHubRecord } from '../../../src-main/adapters/hub-lock/hub-record.ts';
import { RelayWorld, SCRIPTED_CLAUDE, SIGNALBOX } from '../../support/relay-world.ts';

/** Runs a command of the world on a disk of another kind, which only that process sees. */
async function runOn(disk: 'read-only' | 'full', world: RelayWorld, args: readonly string[]) {
  const mounts =
    disk === 'read-only'
      ? ['--ro-bind', world.data, world.data]
      : ['--bind', world.data, path.join(world.folder, 'saved'), '--size', '2000000', '--tmpfs', world.data];
  const before =
    disk === 'read-only' ? '' : `cp -a "$SAVED/." "$DATA/"; cat /dev/zero > "$DATA/fill" 2> /dev/null;`;
  const { exitCode, stdout, stderr } = await execa(
    'bwrap',
    [
      '--dev-bind',
      '/',
      '/',
      ...mounts,
      'sh',
      '-c',
      `${before} exec "$@"`,
      'sh',
      process.execPath,
      SIGNALBOX,
      ...args,
    ],
    {
      cwd: world.folder,
      env: { ...world.environment, DATA: world.data, SAVED: path.join(world.folder, 'saved') },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    },
  );
  return { exitCode, stdout, stderr };
}

const READS: readonly (readonly string[])[] = [
  ['hub', 'status'],
  ['inbox'],
  ['task', 'list'],
  ['task', 'show', '1'],
  ['task', 'kept'],
  ['project', 'list'],
  ['agent', 'list'],
  ['ledger'],
  ['ledger', 'verify', '--full'],
  ['ledger', 'export', '--format', 'jsonl'],
  ['report', 'relay'],
  ['spike', 'status'],
];

describe.runIf(process.platform === 'linux').each(['read-only', 'full'] as const)('on a %s disk', (disk) => {
  let world: RelayWorld;
  beforeAll(async () => {
    world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    mkdirSync(path.join(world.folder, 'saved'));
    await world.addProject('shop');
    await world.addTask('shop', 'First', 'Do it.');
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  test('every command that reads answers as it does elsewhere, and says once that nothing can be written', async () => {
    for (const args of READS) {
      const elsewhere = await world.run([...args, '--json']);
      const { exitCode, stdout, stderr } = await runOn(disk, world, [...args, '--json']);
      expect([args, exitCode, JSON.parse(stdout)]).toEqual([args, 0, elsewhere.json]);
      expect(stderr).toMatch(/^signalbox: .*disk.* What is stored is shown\.$/);
    }
  });

  test('a command that changes something says why it cannot, and nothing else', async () => {
    const { exitCode, stdout, stderr } = await runOn(disk, world, [
      ...['task', 'add', 'shop', '--title', 'x', '--description', 'y', '--json'],
    ]);
    const code = disk === 'full' ? 'disk-full' : 'data-folder-unusable';
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { error: { code } }]);
    expect(stderr.split('\n')).toHaveLength(1);
  });
});

test.runIf(process.platform === 'linux')(
  'kill on a read-only disk ends what runs and says that the switch does not hold',
  async () => {
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    const hub = await world.startHub();
    const hubId = readHubRecord(world.data)?.hubId ?? '';
    await hub.crash();
    await world.untilNoProcess();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); process.stdout.write("up")'], {
      cwd: world.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { SIGNALBOX_OWNER: `${hubId}:att_left` },
    });
    const exited = new Promise<NodeJS.Signals | null>((resolve) => {
      child.once('exit', (_code, signal) => resolve(signal));
    });
    await new Promise<void>((resolve) => {
      child.stdout.once('data', () => resolve());
    });
    const { exitCode, stdout, stderr } = await runOn('read-only', world, ['kill', '--json']);
    const receipt = KillReceiptView.parse(JSON.parse(stdout));
    expect([exitCode, receipt.ended, receipt.alive]).toEqual([1, [child.pid], []]);
    expect(receipt.problem).toContain('read-only disk');
    expect(stderr).toContain('does not hold');
    expect(await exited).toBe('SIGTERM');
    expect(existsSync(path.join(world.data, 'KILL'))).toBe(false);
  },
);
