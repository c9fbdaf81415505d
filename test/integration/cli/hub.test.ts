import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { HubEndView, HubStatusView } from '../../../src-shared/api/hub.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { ProjectView } from '../../../src-shared/api/project.ts';
import { TaskView } from '../../../src-shared/api/task.ts';
import { readHubRecord } from '../../../src-main/adapters/hub-lock/hub-record.ts';
import { RelayWorld, SCRIPTED_CLAUDE, SIGNALBOX } from '../../support/relay-world.ts';
import { waitUntil } from '../../support/wait-until.ts';

const create = () => RelayWorld.create({ claude: SCRIPTED_CLAUDE });
const codeOf = (json: unknown): string | undefined =>
  (json as { error?: { code: string } } | undefined)?.error?.code;
/** The work of the tests here is elsewhere: nothing may be dispatched. */
const IDLE = { flags: ['--slots', '0'] };

describe('without a hub', () => {
  test('commands act on the store directly, and say when a hub is needed', async () => {
    await using world = await create();
    expect(HubStatusView.parse(await world.status())).toMatchObject({ running: false, projects: [] });
    await world.addProject('shop');
    const task = await world.run(['task', 'add', 'shop', '--title', 'A', '--description', 'B', '--json']);
    expect(TaskView.parse(task.json)).toMatchObject({ number: 1, state: 'ready', project: 'shop' });
    expect(task.stderr).toContain('Start the hub: signalbox hub');
    for (const args of [
      ['hub', 'stop'],
      ['ledger', '--follow'],
    ]) {
      const { exitCode, json } = await world.run([...args, '--json']);
      expect([exitCode, codeOf(json)]).toEqual([1, 'hub-not-running']);
    }
    expect((await world.run(['ledger', 'verify', '--json'])).json).toMatchObject({ ok: true, entries: 2 });
  });

  test('several commands at once wait for each other', async () => {
    await using world = await create();
    await world.addProject('shop', IDLE);
    const numbers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => world.addTask('shop', `Task ${index}`, 'Do it.')),
    );
    expect([...numbers].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('only this user can look into the data folder', async () => {
    await using world = await create();
    await world.addProject('shop', IDLE);
    const modes = ['', 'hub.lock', 'signalbox.sqlite'].map(
      (name) => statSync(path.join(world.data, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });
});

describe('with a hub', () => {
  test('commands go to it, and a second hub is refused and names it', async () => {
    await using world = await create();
    const hub = await world.startHub();
    const record = readHubRecord(world.data);
    expect(record).toMatchObject({ pid: hub.pid, host: 'hub' });
    expect(statSync(record?.socket ?? '').mode & 0o777).toBe(0o600);
    await world.addProject('shop', IDLE);
    expect(HubStatusView.parse(await world.status())).toMatchObject({
      running: true,
      pid: hub.pid,
      host: 'hub',
      projects: [{ name: 'shop', enabled: true, slots: 0, inUse: 0 }],
    });
    const second = await world.run(['hub', '--json']);
    expect([second.exitCode, codeOf(second.json)]).toEqual([1, 'hub-running']);
    expect(second.stderr).toContain(`pid ${hub.pid}`);
    expect(await hub.stop()).toBe(0);
    expect(existsSync(record?.socket ?? '')).toBe(false);
    expect(existsSync(path.join(world.data, 'hub.json'))).toBe(false);
  });

  test('hub stop ends it and waits until it is gone', async () => {
    await using world = await create();
    const hub = await world.startHub();
    expect((await world.run(['hub', 'stop', '--json'])).json).toEqual({ ok: true });
    expect((await hub.ended).exitCode).toBe(0);
    expect(await world.status()).toMatchObject({ running: false });
  });

  test('a hub that was killed leaves nothing that keeps commands or the next hub from working', async () => {
    await using world = await create();
    await world.addProject('shop', IDLE);
    const hub = await world.startHub();
    const number = await world.addTask('shop', 'Kept', 'It is not lost.');
    await hub.crash();
    expect(existsSync(path.join(world.data, 'hub.json'))).toBe(true);
    expect(await world.status()).toMatchObject({ running: false });
    expect(await world.task(number)).toMatchObject({ title: 'Kept', state: 'ready' });
    const next = await world.startHub();
    expect(next.pid).not.toBe(hub.pid);
    expect(await world.task(number)).toMatchObject({ title: 'Kept' });
  });

  test('a hub that hangs is named, and no command opens its database', async () => {
    await using world = await create();
    const hub = await world.startHub();
    const socket = readHubRecord(world.data)?.socket ?? '';
    // The record points at a socket where nobody listens: as if the hub had lost it.
    const record = JSON.parse(readFileSync(path.join(world.data, 'hub.json'), 'utf8')) as object;
    writeFileSync(path.join(world.data, 'hub.json'), JSON.stringify({ ...record, socket: `${socket}.gone` }));
    const { exitCode, json, stderr } = await world.run(['inbox', '--json']);
    expect([exitCode, codeOf(json)]).toEqual([1, 'hub-unreachable']);
    expect(stderr).toContain(String(hub.pid));
  });

  test('following the ledger prints one entry a line as it comes, until the hub ends', async () => {
    await using world = await create();
    await world.addProject('shop', IDLE);
    const hub = await world.startHub();
    const following = execa(
      process.execPath,
      [SIGNALBOX, 'ledger', '--follow', '--kind', 'task.', '--json'],
      {
        cwd: world.folder,
        env: world.environment,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
      },
    );
    let text = '';
    following.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await world.addTask('shop', 'One', 'First.');
    await waitUntil('the first entry came', () => text.includes('\n'));
    await world.addTask('shop', 'Two', 'Second.');
    await waitUntil('the second entry came', () => text.split('\n').length > 2);
    await hub.stop();
    const { exitCode } = await following;
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind?: string; error?: unknown });
    expect(lines.map((line) => line.kind ?? 'error')).toEqual(['task.added', 'task.added', 'error']);
    expect(exitCode).toBe(1);
  });

  test('an answer of 200 KB from standard input arrives whole', async () => {
    await using world = await create();
    await world.addProject('shop');
    await world.addTask('shop', 'Sum', 'Round to 2 places or to the nearest rupee? ask');
    await world.startHub();
    const item = await world.untilItem('specify');
    const answer = `2 places. ${'ä'.repeat(100_000)}`;
    const answered = await world.json<ItemView>(['answer', String(item.number), '-'], {
      input: `${answer}\n`,
    });
    expect(answered.answer).toBe(answer);
    const again = await world.run(['answer', String(item.number), '--text', 'x', '--json']);
    expect([again.exitCode, codeOf(again.json)]).toEqual([5, 'item-closed']);
  });
});

describe('signalbox hub', () => {
  test('--until-idle ends once nothing is left to do', async () => {
    await using world = await create();
    await world.addProject('shop');
    await world.addTask('shop', 'Sum', 'Round to 2 places or to the nearest rupee? ask');
    const { exitCode, json } = await world.run(['hub', '--until-idle', '--json']);
    expect([exitCode, HubEndView.parse(json)]).toEqual([0, { stopped: 'idle', onHold: [], openItems: 1 }]);
    expect(await world.inbox()).toHaveLength(1);
  });

  test('--until-idle says what is on hold', async () => {
    await using world = await create();
    await world.addProject('shop');
    await world.addTask('shop', 'Sum', 'Add.');
    await world.json(['project', 'disable', 'shop']);
    const { exitCode, json, stderr } = await world.run(['hub', '--until-idle', '--json']);
    expect(exitCode).toBe(0);
    expect(HubEndView.parse(json).onHold).toHaveLength(1);
    expect(stderr).toContain('On hold: shop');
  });

  test('--max-seconds ends it with exit 4', async () => {
    await using world = await create();
    const { exitCode, json } = await world.run(['hub', '--max-seconds', '0.2', '--json']);
    expect([exitCode, codeOf(json)]).toEqual([4, 'timeout']);
  });

  test('a configuration that is wrong is exit 2 and names file and line', async () => {
    await using world = await create();
    await world.status();
    writeFileSync(path.join(world.data, 'config.toml'), '# limits\nmax_processes = 0\n');
    const { exitCode, json, stderr } = await world.run(['hub', '--json']);
    expect([exitCode, codeOf(json)]).toEqual([2, 'config-invalid']);
    expect(stderr).toContain('config.toml:2');
  });
});

describe('settings', () => {
  test('are shown as they were set, and go back to their default', async () => {
    await using world = await create();
    await world.addProject('shop', {
      flags: ['--budget', '5', '--max-call-usd', '0.25', '--max-questions', '1'],
    });
    const set = await world.json([
      'project',
      'set',
      'shop',
      'budget=2',
      'relay_output=json',
      'max-questions=',
      'slots=3',
    ]);
    const project = ProjectView.parse(set);
    expect(project).toMatchObject({
      slots: 3,
      caps: { budgetUsd: 2, perCallUsd: 0.25, maxQuestions: 3, maxAttempts: 3 },
      capSources: { budgetUsd: 'project', perCallUsd: 'project', maxQuestions: 'default' },
      settings: { relayOutput: 'json' },
    });
    expect(ProjectView.parse(await world.json(['project', 'disable', 'shop'])).enabled).toBe(false);
    expect(await world.json(['agent', 'set', 'claude', 'calls_per_day=7'])).toMatchObject({ callsPerDay: 7 });
  });
});
