import { afterEach, expect, test } from 'vitest';
import { ASKS, DesktopWorld, WORKS } from '../e2e/electron/desktop-world.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startDaemon, type Daemon } from './notification-daemon.ts';

let daemon: Daemon | null = null;
afterEach(() => {
  daemon?.dispose();
  daemon = null;
});

test('a hub without a window raises them too, and takes the answer', async () => {
  const service = (daemon = await startDaemon(['actions', 'body']));
  await using world = await DesktopWorld.create([ASKS, WORKS], {
    DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
  });
  await world.relay.startHub();
  await world.relay.addProject('invoices', { withoutTests: true });
  await world.relay.addTask('invoices', 'Round totals', 'Round them.');
  const question = await waitUntil(
    'the question is shown',
    () => service.seen.find((each) => each.title === 'Question in invoices'),
    { withinMs: 20_000 },
  );
  expect(question.actions).toEqual([
    'default',
    'Open',
    'option-1',
    'Half up',
    'option-2',
    'Half even',
    'reply',
    'Reply',
  ]);
  service.press(question.id, 'option-1');
  const item = await world.relay.untilItem('approve');
  const [answered] = await world.relay.inbox({ all: true });
  expect([item.project, answered?.answer, answered?.respondedVia]).toEqual([
    'invoices',
    'Half up',
    'notification',
  ]);
});
