import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { KillReceiptView } from '../../../src-shared/api/hub.ts';
import { readHubRecord } from '../../../src-main/adapters/hub-lock/hub-record.ts';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';

const create = () => RelayWorld.create({ claude: SCRIPTED_CLAUDE });
const codeOf = (json: unknown): string | undefined =>
  (json as { error?: { code: string } } | undefined)?.error?.code;
const killFile = (world: RelayWorld): string => path.join(world.data, 'KILL');

/** A process that a hub of this data folder left behind. */
function leftover(world: RelayWorld, hubId: string) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); process.stdout.write("up")'], {
    cwd: world.folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { SIGNALBOX_OWNER: `${hubId}:att_left` },
  });
  const exited = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  const up = new Promise<void>((resolve) => {
    child.stdout.once('data', () => resolve());
  });
  return { pid: child.pid ?? 0, exited, up };
}

describe('signalbox kill', () => {
  test('without a hub writes the file, and the switch holds until it is released', async () => {
    await using world = await create();
    const receipt = KillReceiptView.parse(await world.json(['kill', '--reason', 'Stop.']));
    expect(receipt).toMatchObject({ killed: { reason: 'Stop.' }, ended: [], alive: [] });
    expect(existsSync(killFile(world))).toBe(true);
    expect(await world.status()).toMatchObject({ running: false, killed: { reason: 'Stop.' } });
    expect(await world.json(['release', '--yes'])).toMatchObject({ killed: null });
    expect(existsSync(killFile(world))).toBe(false);
  });

  test('ends what a dead hub left running', async () => {
    await using world = await create();
    const hub = await world.startHub();
    const hubId = readHubRecord(world.data)?.hubId ?? '';
    await hub.crash();
    // Its guardian ends what it knows and goes; what comes after that is nobody's.
    await world.untilNoProcess();
    const child = leftover(world, hubId);
    await child.up;
    const receipt = KillReceiptView.parse(await world.json(['kill']));
    expect(receipt.ended).toContain(child.pid);
    expect(receipt.alive).toEqual([]);
    expect(await child.exited).toBe('SIGTERM');
  });

  test('with a hub engages it there, and a restarted hub stays killed', async () => {
    await using world = await create();
    await world.addProject('shop');
    const hub = await world.startHub();
    await world.json(['kill', '--reason', 'Wrong branch.']);
    expect(await world.status()).toMatchObject({ running: true, killed: { reason: 'Wrong branch.' } });
    await hub.stop();
    const number = await world.addTask('shop', 'Later', 'Wait.');
    const { json } = await world.run(['hub', '--until-idle', '--json']);
    expect(json).toMatchObject({ stopped: 'idle', onHold: [expect.any(String)] });
    expect(await world.task(number)).toMatchObject({ state: 'ready', attempts: 0 });
  });

  test('without a reason, or with a blank one, nothing is announced that does not come', async () => {
    await using world = await create();
    await world.addProject('shop');
    for (const reason of [[], ['--reason', ' \n']]) {
      await world.json(['kill', ...reason]);
      const status = await world.status();
      expect([reason, status.killed?.reason, status.projects[0]?.hold]).toEqual([
        reason,
        '',
        'The kill switch is engaged.',
      ]);
      const { stdout } = await world.run(['hub', 'status']);
      expect(stdout.split('\n').filter((line) => line.trimEnd().endsWith(':'))).toEqual([]);
      await world.json(['release', '--yes']);
    }
  });

  test('a file that somebody made counts at once, before any hub has looked', async () => {
    await using world = await create();
    await world.status();
    writeFileSync(killFile(world), 'By hand.');
    expect(await world.status()).toMatchObject({ killed: { reason: 'By hand.', by: 'kill file' } });
  });

  test.each([
    ['that hub books it once it is back', false],
    ['the next hub books it when that one never comes back', true],
  ])('with a hub that hangs names what it ended, whose it was and the cost, and %s', async (_, isLost) => {
    await using world = await create();
    writeFileSync(
      path.join(world.home, '.scripted-claude.json'),
      JSON.stringify({ rules: [{ steps: [{ do: 'hang' }] }] }),
    );
    await world.addProject('shop', { withoutTests: true });
    const number = await world.addTask('shop', 'Long', 'Take your time.');
    const hub = await world.startHub();
    await world.until('the turn runs', async () =>
      (await world.ledger('--kind', 'harness.start')).length > 0 ? true : null,
    );
    const { id } = await world.task(number);
    process.kill(hub.pid, 'SIGSTOP');
    const receipt = KillReceiptView.parse(await world.json(['kill', '--reason', 'It hangs.']));
    if (isLost) {
      await hub.crash();
      await world.startHub();
    } else process.kill(hub.pid, 'SIGCONT');
    expect([receipt.taskIds, receipt.alive]).toEqual([[id], []]);
    expect(receipt.ended.length).toBeGreaterThan(0);
    expect(receipt.costUsd).toBeGreaterThan(0);
    const [booked] = await world.until('the hub has booked it', async () => {
      const entries = await world.ledger('--kind', 'kill.receipt');
      return entries.length > 0 ? entries : null;
    });
    expect(booked?.data['ended']).toEqual(expect.arrayContaining(receipt.ended));
    // The task of a hub that is gone is put back by the recovery, before the switch is looked at.
    expect(booked?.data['tasks']).toBe(isLost ? 0 : 1);
    expect((await world.task(number)).state).toBe('ready');
  });

  test('works when the database is broken', async () => {
    await using world = await create();
    await world.status();
    writeFileSync(
      path.join(world.data, 'signalbox.sqlite'),
      'this is no database, only some words that are long enough',
    );
    expect((await world.run(['inbox', '--json'])).exitCode).toBe(1);
    expect((await world.run(['kill', '--json'])).exitCode).toBe(0);
    expect(existsSync(killFile(world))).toBe(true);
  });
});

describe('what an agent may not do', () => {
  const DECISIONS: readonly (readonly string[])[] = [
    ['answer', '1', '--text', 'x'],
    ['approve', '1'],
    ['reject', '1'],
    ['send-back', '1', '--note', 'x'],
    ['resolve', '1', '--action', 'retry'],
    ['allow', '1'],
    ['deny', '1'],
    ['undo', '1'],
    ['release', '--yes'],
    ['unpause'],
    ['agent', 'set', 'claude', 'calls_per_day=99'],
    ['project', 'set', 'shop', 'budget=99'],
    ['project', 'enable', 'shop'],
    ['project', 'slots', 'shop', '8'],
    ['project', 'remove', 'shop'],
    ['spike', 'start', 'shop'],
    ['spike', 'stop'],
    ['task', 'retry', '1'],
  ];

  test('is refused with and without a hub, while reading is allowed', async () => {
    const environment = { SIGNALBOX_OWNER: 'hub_other:att_other' };
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE, environment });
    for (const args of DECISIONS) {
      const { exitCode, json } = await world.run([...args, '--json']);
      expect([args, exitCode, codeOf(json)]).toEqual([args, 3, 'agent-may-not-decide']);
    }
    expect((await world.run(['inbox', '--json'])).json).toEqual([]);
    await world.startHub();
    for (const args of DECISIONS.slice(0, 3)) {
      expect(codeOf((await world.run([...args, '--json'])).json)).toBe('agent-may-not-decide');
    }
  });
});
