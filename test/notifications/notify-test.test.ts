import { afterEach, describe, expect, test } from 'vitest';
import type { NotifySelfTestView, NotifyTestView } from '../../src-shared/api/notify.ts';
import { socketPort } from '../../src-main/adapters/local-socket/socket-port.ts';
import { connectByPort, type PortCalls } from '../../src-main/adapters/hub-calls.ts';
import { readHubRecord } from '../../src-main/adapters/hub-lock/hub-record.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import { checkNotifications } from '../../src-main/hub/doctor-notifications.ts';
import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import { ASKS, DesktopWorld } from '../e2e/electron/desktop-world.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startDaemon, type Daemon } from './notification-daemon.ts';

const BUS = process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
let daemon: Daemon | null = null;
let calls: PortCalls | null = null;
afterEach(async () => {
  await calls?.close();
  daemon?.dispose();
  calls = daemon = null;
});

/** A person's client of the hub of a data folder. */
function connect(folder: string): PortCalls {
  return (calls = connectByPort(() => {
    const socket = readHubRecord(folder)?.socket ?? null;
    return socket === null
      ? null
      : socketPort(socket, { name: 'asha', via: 'cli', isAgent: false }, () => undefined);
  }));
}

/** As soon as somebody raises them: a hub that has just started does not yet. */
const raised = (hub: PortCalls): Promise<NotifyTestView> =>
  waitUntil(
    'somebody raises notifications',
    async () => {
      const result = await hub.mutate('notify.test', undefined);
      return result.reason === 'nobody' ? undefined : result;
    },
    { withinMs: 20_000 },
  );

describe('a test notification over the session bus', () => {
  test('is shown by a hub without a window, in the language that is preferred', async () => {
    const service = (daemon = await startDaemon(['actions', 'body']));
    await using world = await DesktopWorld.create([ASKS], { DBUS_SESSION_BUS_ADDRESS: BUS });
    await world.relay.startHub();
    const hub = connect(world.relay.data);
    await hub.mutate('settings.change', { change: { language: 'de' } });
    expect(await raised(hub)).toMatchObject({
      shown: true,
      host: 'hub',
      by: 'dbus',
      confirmed: true,
      clickable: true,
    });
    expect(service.seen.map(({ title, body }) => [title, body])).toEqual([
      ['Benachrichtigungen von Signalbox gehen', 'Ein Klick öffnet den Eingang.'],
    ]);
  });

  test('is raised once, by the desktop application, where it is there', async () => {
    const service = (daemon = await startDaemon(['actions', 'body']));
    await using world = await DesktopWorld.create([ASKS]);
    await world.start({ args: ['--hidden'], platform: 'linux', env: { DBUS_SESSION_BUS_ADDRESS: BUS } });
    const result = await raised(connect(world.relay.data));
    expect(result).toMatchObject({ shown: true, host: 'desktop', by: 'dbus', clickable: true });
    expect(service.seen.filter(({ title }) => title === 'Signalbox notifications work').length).toBe(1);
  });

  test('is said not to be shown where no service runs', async () => {
    await using world = await DesktopWorld.create([ASKS], { DBUS_SESSION_BUS_ADDRESS: BUS });
    await world.relay.startHub();
    const { shown, host, by, reason } = await raised(connect(world.relay.data));
    expect([shown, host, by, reason]).toEqual([false, 'hub', null, 'no-daemon']);
  });

  test.each([
    ['no-desktop', { DBUS_SESSION_BUS_ADDRESS: '' }],
    ['off', { DBUS_SESSION_BUS_ADDRESS: BUS, SIGNALBOX_NOTIFICATIONS: 'off' }],
  ])('is said not to be shown, and why: %s', async (reason, environment) => {
    await using world = await DesktopWorld.create([ASKS], environment);
    await world.relay.startHub();
    const result = await connect(world.relay.data).mutate('notify.test', undefined);
    expect(result).toMatchObject({ shown: false, host: null, reason });
  });
});

describe('the doctor', () => {
  const look = (environment: Readonly<Record<string, string>>): Promise<DoctorCheck> =>
    checkNotifications(
      { env: environment, folder: { data: '/nonexistent', config: '/nonexistent' }, clock: systemClock },
      'linux',
    );

  test('names the service that shows them, and shows nothing', async () => {
    const service = (daemon = await startDaemon(['actions']));
    expect([await look({ DBUS_SESSION_BUS_ADDRESS: BUS }), service.seen]).toEqual([
      { name: 'notifications', status: 'ok', found: 'shown by test 1' },
      [],
    ]);
  });

  test.each([
    [{ DBUS_SESSION_BUS_ADDRESS: BUS }, 'warning', 'no notification service runs on this desktop'],
    [
      { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
      'warning',
      'the notification service of this desktop does not answer',
    ],
    [{}, 'ok', 'none: this is no desktop session'],
    [{ SIGNALBOX_NOTIFICATIONS: 'off' }, 'ok', 'switched off by SIGNALBOX_NOTIFICATIONS=off'],
  ])('says what is missing in %j', async (environment, status, found) => {
    expect(await look(environment as Record<string, string>)).toMatchObject({ status, found });
  });
});

describe('the self-test over the session bus', () => {
  test('goes from a scripted agent to a person and back, and leaves no item', async () => {
    const service = (daemon = await startDaemon(['actions', 'body']));
    await using world = await DesktopWorld.create([ASKS], { DBUS_SESSION_BUS_ADDRESS: BUS });
    await world.relay.startHub();
    const hub = connect(world.relay.data);
    await raised(hub);
    const running: Promise<NotifySelfTestView> = hub.mutate('notify.selfTest', { waitS: 30 });
    const question = await waitUntil(
      'the question is shown',
      () => service.seen.find(({ body }) => body.startsWith('A scripted agent asks')),
      { withinMs: 20_000 },
    );
    expect([question.actions, question.expires]).toEqual([['default', 'Open', 'answer', 'Yes'], 0]);
    service.press(question.id, 'answer');
    const result = await running;
    expect([result.ok, result.brokenAt, result.links.filter(({ ms }) => ms === null)]).toEqual([
      true,
      null,
      [],
    ]);
    expect([service.closed, await world.relay.inbox({ all: true })]).toEqual([[question.id], []]);
  });

  test('says that nobody clicked', async () => {
    daemon = await startDaemon(['actions', 'body']);
    await using world = await DesktopWorld.create([ASKS], { DBUS_SESSION_BUS_ADDRESS: BUS });
    await world.relay.startHub();
    const hub = connect(world.relay.data);
    await raised(hub);
    const result = await hub.mutate('notify.selfTest', { waitS: 1 });
    expect([result.ok, result.brokenAt, result.notification?.shown]).toEqual([
      false,
      'notificationToClick',
      true,
    ]);
  });
});
