import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DoctorView, type DoctorCheck } from '../../../src-shared/api/doctor.ts';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { rawSql, tamper } from '../store/raw.ts';

const create = (environment: Readonly<Record<string, string>> = {}) =>
  RelayWorld.create({ claude: SCRIPTED_CLAUDE, environment });

/** The checks by name, and the exit code. */
async function doctor(world: RelayWorld) {
  const { exitCode, json } = await world.run(['doctor', '--json']);
  const { ok, checks } = DoctorView.parse(json);
  const named = (name: string): DoctorCheck | undefined => checks.find((check) => check.name === name);
  return { exitCode, ok, named };
}

const store = (world: RelayWorld): string => path.join(world.data, 'signalbox.sqlite');

/** A store with something in it that no process has open. */
async function createStored(): Promise<RelayWorld> {
  const world = await create();
  await world.addProject('shop');
  await world.addTask('shop', 'First', 'Do it.');
  return world;
}

/** A program of somebody else's that keeps the database locked until its input ends. */
async function locker(file: string) {
  const script = `
    const Database = require('better-sqlite3');
    new Database(process.argv[1]).exec('BEGIN IMMEDIATE');
    process.stdout.write('locked');
    process.stdin.on('end', () => process.exit()).resume();`;
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

describe('doctor', () => {
  test('finds nothing wrong with a new data folder, and makes none', async () => {
    await using world = await create();
    const { ok, exitCode, named } = await doctor(world);
    expect([ok, exitCode, named('store')?.status, named('data folder')?.status]).toEqual([
      true,
      0,
      'ok',
      'ok',
    ]);
    expect(() => statSync(world.data)).toThrow('ENOENT');
  });

  test('finds nothing wrong with a store that is in use', async () => {
    await using world = await createStored();
    expect((await doctor(world)).named('store')).toEqual({
      name: 'store',
      status: 'ok',
      found: store(world),
    });
    const hub = await world.startHub();
    const { ok, named } = await doctor(world);
    expect([ok, named('store')?.found]).toEqual([true, `open in the hub, pid ${hub.pid}`]);
    await hub.stop();
  });

  test.each([
    [
      'is damaged',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(0x5a, 4096 * 3);
        writeFileSync(file, bytes);
      },
      /damaged/,
    ],
    ['is no database', (file: string) => writeFileSync(file, 'A letter. '.repeat(1000)), /not a database/],
    [
      'is another program’s',
      (file: string) => rawSql(file, 'PRAGMA application_id = 7'),
      /not a Signalbox store/,
    ],
    ['is of a newer version', (file: string) => rawSql(file, 'PRAGMA user_version = 999'), /newer Signalbox/],
    ['is gone', (file: string) => writeFileSync(file, ''), /gone or empty/],
  ])(
    'calls a store that %s a problem, with what to do, and leaves it as it is',
    async (_what, harm, found) => {
      await using world = await createStored();
      await world.json(['backup']);
      harm(store(world));
      const before = readFileSync(store(world));
      const { ok, exitCode, named } = await doctor(world);
      expect([ok, exitCode]).toEqual([false, 1]);
      expect(named('store')).toEqual({
        name: 'store',
        status: 'problem',
        found: expect.stringMatching(found) as string,
        fix: expect.stringMatching(/backup|Update Signalbox/) as string,
      });
      expect(readFileSync(store(world)).equals(before)).toBe(true);
    },
  );

  test('a changed entry of the ledger is a problem with and without a hub, and a hub says so once it works', async () => {
    await using world = await createStored();
    const before = (await world.ledger()).length;
    tamper(store(world), `UPDATE ledger_entry SET data_json = '{"by":"nobody"}' WHERE seq = 2`);
    const without = await doctor(world);
    expect([without.exitCode, without.named('store')]).toEqual([
      1,
      {
        name: 'store',
        status: 'problem',
        found: expect.stringContaining('its chain breaks at entry 2') as string,
        fix: 'See how far it holds: signalbox ledger verify --full',
      },
    ]);
    expect((await world.ledger()).length).toBe(before);

    const hub = await world.startHub();
    expect((await doctor(world)).named('store')).toMatchObject({
      status: 'problem',
      found: expect.stringMatching(`pid ${hub.pid}.*breaks at entry 2`) as string,
    });
    await hub.stop();
    const { stderr } = await hub.ended;
    expect(stderr.match(/breaks at entry \d+.*/g)).toEqual([
      'breaks at entry 2. See how far it holds: signalbox ledger verify --full',
    ]);
  });

  test('calls a store that another program has locked a problem', async () => {
    await using world = await createStored();
    await using _held = await locker(store(world));
    expect((await doctor(world)).named('store')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining(store(world)) as string,
      fix: expect.stringContaining('Close the program') as string,
    });
  });

  test('calls a data folder that cannot be used a problem, whether it is there or not', async () => {
    await using world = await create();
    writeFileSync(world.data, 'a file');
    expect((await doctor(world)).named('data folder')).toMatchObject({ status: 'problem' });
    const inside = path.join(world.data, 'below');
    await using below = await create({ SIGNALBOX_HOME: inside });
    expect((await doctor(below)).named('data folder')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining(`${world.data} is not a folder`) as string,
    });
    const open = path.join(world.folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    await using shared = await create({ SIGNALBOX_HOME: open });
    const { ok, named } = await doctor(shared);
    expect([ok, named('data folder')?.found]).toEqual([false, expect.stringContaining('everybody')]);
  });

  test('names the path at which Claude Code was looked for', async () => {
    await using world = await create({ SIGNALBOX_CLAUDE: '/nowhere/claude' });
    expect((await doctor(world)).named('Claude Code')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('/nowhere/claude') as string,
      fix: expect.stringContaining('SIGNALBOX_CLAUDE') as string,
    });
  });

  test.runIf(process.platform === 'linux').each([
    ['no display', '', 'echo firefox.desktop', { status: 'ok', found: 'none: there is no display here' }],
    ['a browser that opens links', ':7', 'echo firefox.desktop', { status: 'ok', found: 'firefox' }],
    ['no browser for links', ':7', 'exit 0', { status: 'warning', found: 'none is chosen for links' }],
  ])('names the browser of a machine with %s', async (_what, display, answer, found) => {
    using tools = makeTempFolder('xdg');
    writeFileSync(path.join(tools.path, 'xdg-mime'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
    const PATH = `${tools.path}${path.delimiter}${process.env['PATH'] ?? ''}`;
    await using world = await create({ PATH, DISPLAY: display, WAYLAND_DISPLAY: '' });
    const { named, exitCode } = await doctor(world);
    expect(named('browser')).toMatchObject(found);
    expect(exitCode).toBe(0);
  });
});
