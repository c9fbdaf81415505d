import { afterEach, expect, test } from 'vitest';
import { ASKS, DesktopWorld, WORKS } from '../e2e/electron/desktop-world.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startDaemon, type Daemon } from './notification-daemon.ts';

let daemon: Daemon | null = null;
afterEach(() => {
  daemon?.dispose();
  daemon = null;
});

test('on Linux a question reaches the session bus, and the reply given there reaches the agent', async () => {
  const service = (daemon = await startDaemon(['actions', 'body', 'inline-reply']));
  await using world = await DesktopWorld.create([ASKS, WORKS]);
  const app = await world.start({
    args: ['--hidden'],
    platform: 'linux',
    env: { DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '' },
  });
  // No panel is on this bus, so that the window is shown; the person looks at another one.
  await app.until('the window is there', async () => {
    const [window] = await app.ask<readonly { isVisible: boolean }[]>('windows');
    return window?.isVisible;
  });
  await app.ask('blurWindow');
  await world.relay.addProject('invoices', { withoutTests: true });
  const task = await world.relay.addTask('invoices', 'Round totals', 'Round them.');
  const question = await waitUntil(
    'the question is shown',
    () => service.seen.find((each) => each.title === 'Question in invoices'),
    { withinMs: 20_000 },
  );
  service.reply(question.id, 'Half even; "always"');
  await waitUntil(
    'the work is shown',
    () => service.seen.find((each) => each.title === 'Ready for approval in invoices'),
    { withinMs: 20_000 },
  );
  const [answered] = await world.relay.inbox({ all: true });
  expect([answered?.taskNumber, answered?.answer, answered?.respondedVia]).toEqual([
    task,
    'Half even; "always"',
    'notification',
  ]);
  expect([
    service.closed,
    service.seen.some((each) => each.title === `Sent to #${answered?.number}`),
  ]).toEqual([[question.id], true]);
});
