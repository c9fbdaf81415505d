import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { createDbusNotifier } from '../../src-main/adapters/notifier/dbus-notifier.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import type { NoticeAct } from '../../src-main/core/ports/notifier.ts';
import { makeTempFolder, type TempFolder } from '../support/temp-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const run = promisify(execFile);
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const started: ChildProcess[] = [];
let temp: TempFolder | null = null;

afterEach(async () => {
  for (const child of started.splice(0).reverse()) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await ended;
  }
  temp?.dispose();
  temp = null;
});

/** A screen that nobody sees. @returns its name */
async function startScreen(): Promise<string> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  started.push(screen);
  let said = '';
  screen.stdio[3]?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return `:${await waitUntil('the screen has a number', () => /^(\d+)\n/.exec(said)?.[1])}`;
}

/** dunst, a notification service that people use; it owns the name on the bus from then on. */
async function startDunst(): Promise<void> {
  temp = makeTempFolder('dunst');
  const config = temp.join('dunstrc');
  writeFileSync(config, '[global]\nmouse_left_click = do_action, close_current\n');
  const env = { ...process.env, DISPLAY: await startScreen() };
  started.push(spawn('dunst', ['-config', config], { env, stdio: 'ignore' }));
  await waitUntil('dunst answers', () => run('dunstctl', ['count', 'displayed']).then(() => true));
}

const displayed = async (): Promise<number> => Number((await run('dunstctl', ['count', 'displayed'])).stdout);

test('dunst shows a notification, its click comes back, and it can be taken back', async () => {
  await startDunst();
  const notifier = createDbusNotifier({
    address: process.env['DBUS_SESSION_BUS_ADDRESS'],
    clock: systemClock,
    log: LOG,
    desktopEntry: 'dev.signalbox.Signalbox',
  });
  const acts: NoticeAct[] = [];
  notifier.onAct((act) => acts.push(act));
  try {
    const notice = {
      title: 'Question in invoices',
      body: 'The agent asks: <b>half</b> & half?',
      urgency: 'critical',
      isSilent: false,
      buttons: [{ id: 'option-1', label: 'Half up' }],
      reply: null,
    } as const;
    expect((await notifier.abilities()).click).toBe(true);
    expect(await notifier.show({ ...notice, key: 'first' })).toEqual({ by: 'dbus', isConfirmed: true });
    await waitUntil('it is shown', async () => (await displayed()) === 1);
    await run('dunstctl', ['action', '0']);
    await waitUntil('the click came back', () => acts.some((act) => act.kind === 'click'));
    expect(acts[0]).toEqual({ kind: 'click', key: 'first' });

    await run('dunstctl', ['close-all']);
    await notifier.show({ ...notice, key: 'second' });
    await waitUntil('the second is shown', async () => (await displayed()) === 1);
    await notifier.withdraw('second');
    await waitUntil('it is gone', async () => (await displayed()) === 0);
  } finally {
    notifier.dispose();
  }
});
