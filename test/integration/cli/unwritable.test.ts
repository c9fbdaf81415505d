import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { KillReceiptView } from '../../../src-shared/api/hub.ts';
import { readHubRecord } from '../../../src-main/adapters/hub-lock/hub-record.ts';
import type { Scenario } from '../../../src-main/hosts/cli/demo/scripted-scenario.ts';
import { RelayWorld, SCRIPTED_CLAUDE, SIGNALBOX } from '../../support/relay-world.ts';

type Disk = 'read-only' | 'full';

/** What a place of the world becomes, as arguments of bwrap and lines of a shell that run before the command. */
function placeOn(disk: Disk, place: string, saved: string): { mounts: readonly string[]; before: string } {
  return disk === 'read-only'
    ? { mounts: ['--ro-bind', place, place], before: '' }
    : {
        mounts: ['--bind', place, saved, '--size', '16000000', '--tmpfs', place],
        before: `cp -a "${saved}/." "${place}/"; cat /dev/zero > "${place}/fill" 2> /dev/null;`,
      };
}

/** Runs a command where folders of its world are on a disk of another kind, which only that process sees. */
async function runOn(
  disk: Disk,
  world: RelayWorld,
  args: readonly string[],
  folders: readonly string[] = ['data'],
) {
  const places = folders.map((name) =>
    placeOn(disk, path.join(world.folder, name), path.join(world.folder, 'saved', name)),
  );
  const { exitCode, stdout, stderr } = await execa(
    'bwrap',
    [
      ...['--dev-bind', '/', '/', ...places.flatMap(({ mounts }) => mounts)],
      ...['sh', '-c', `${places.map(({ before }) => before).join(' ')} exec "$@"`, 'sh'],
      ...[process.execPath, SIGNALBOX, ...args],
    ],
    { cwd: world.folder, env: world.environment, extendEnv: false, reject: false, stdin: 'ignore' },
  );
  return { exitCode, stdout, stderr };
}

const READS: readonly (readonly string[])[] = [
  ['hub', 'status'],
  ['inbox'],
  ['inbox', 'show', '1'],
  ['task', 'list'],
  ['task', 'show', '1'],
  ['task', 'kept'],
  ['task', 'diff', '1'],
  ['task', 'transcript', '1'],
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
    for (const name of ['data', 'tmp', 'repositories'])
      mkdirSync(path.join(world.folder, 'saved', name), { recursive: true });
    writeFileSync(
      path.join(world.home, '.scripted-claude.json'),
      JSON.stringify({
        rules: [
          {
            steps: [
              { do: 'write', path: 'new.txt', content: 'not committed\n' },
              { do: 'ask', question: 'Go on?', options: ['yes'] },
            ],
          },
        ],
      } satisfies Scenario),
    );
    await world.addProject('shop', { withoutTests: true });
    await world.addTask('shop', 'First', 'Do it.');
    await world.run(['hub', '--until-idle', '--max-seconds', '60']);
    expect(await world.json(['task', 'diff', '1'])).toMatchObject({
      diff: expect.stringContaining('+not committed'),
    });
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
  }, 180_000);

  test('a command that changes something says why it cannot, and nothing else', async () => {
    const { exitCode, stdout, stderr } = await runOn(disk, world, [
      ...['task', 'add', 'shop', '--title', 'x', '--description', 'y', '--json'],
    ]);
    const code = disk === 'full' ? 'disk-full' : 'data-folder-unusable';
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { error: { code } }]);
    expect(stderr.split('\n')).toHaveLength(1);
  });

  test('the changes of a task are whole where only the temp folder takes something', async () => {
    const args = ['task', 'diff', '1', '--json'];
    const { exitCode, stdout } = await runOn(disk, world, args, ['data', 'repositories']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, (await world.run(args)).json]);
  });

  test('where nothing takes anything, the changes of a task are refused with what is missing', async () => {
    const { exitCode, stdout, stderr } = await runOn(
      disk,
      world,
      ['task', 'diff', '1', '--json'],
      ['data', 'repositories', 'tmp'],
    );
    const code = disk === 'full' ? 'disk-full' : 'data-folder-unusable';
    const temp = path.join(world.folder, 'tmp');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      1,
      { error: { code, message: expect.stringContaining(temp), hint: expect.stringMatching(/\w/) } },
    ]);
    expect(stderr).not.toContain('broke');
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
