import { afterEach, describe, expect, test } from 'vitest';
import { createDbusNotifier } from '../../src-main/adapters/notifier/dbus-notifier.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import type { Notice, NoticeAct, Notifier } from '../../src-main/core/ports/notifier.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startDaemon, type Daemon } from './notification-daemon.ts';

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NOTICE: Notice = {
  key: 'k1',
  title: 'Question in invoices',
  body: 'The agent asks: a < b & c?',
  urgency: 'normal',
  isSilent: false,
  buttons: [
    { id: 'option-1', label: 'Half up' },
    { id: 'option-2', label: 'Half even' },
  ],
  reply: { placeholder: 'Reply' },
};

let daemon: Daemon | null = null;
let notifier: Notifier | null = null;
afterEach(() => {
  notifier?.dispose();
  daemon?.dispose();
  notifier = daemon = null;
});

async function open(capabilities: readonly string[]) {
  const service = (daemon = await startDaemon(capabilities));
  const made = (notifier = createDbusNotifier({
    address: process.env['DBUS_SESSION_BUS_ADDRESS'],
    clock: systemClock,
    log: LOG,
    desktopEntry: 'dev.signalbox.Signalbox',
  }));
  const acts: NoticeAct[] = [];
  made.onAct((act) => acts.push(act));
  return { service, made, acts };
}

describe('notifications over the session bus', () => {
  test('offer what the service can, and bring back click, button and reply', async () => {
    const { service, made, acts } = await open(['actions', 'body', 'body-markup', 'inline-reply']);
    expect(await made.abilities()).toEqual({ click: true, buttons: true, reply: true, withdraw: true });
    await made.show(NOTICE);
    const [seen] = service.seen;
    expect(seen).toEqual({
      id: 1,
      title: 'Question in invoices',
      body: 'The agent asks: a &lt; b &amp; c?',
      actions: ['default', 'Open', 'option-1', 'Half up', 'option-2', 'Half even', 'inline-reply', 'Reply'],
      hints: ['urgency', 'desktop-entry', 'x-kde-reply-placeholder-text'],
      expires: -1,
    });
    service.click(1);
    service.press(1, 'option-2');
    service.reply(1, 'ü; "x" = 😀\nsecond');
    service.press(99, 'option-1');
    service.dismiss(1);
    await waitUntil('everything came back', () => acts.length === 4);
    expect(acts).toEqual([
      { kind: 'click', key: 'k1' },
      { kind: 'button', key: 'k1', button: 'option-2' },
      { kind: 'reply', key: 'k1', text: 'ü; "x" = 😀\nsecond' },
      { kind: 'closed', key: 'k1' },
    ]);
  });

  test('have no buttons, no field and no markup where the service lists none', async () => {
    const { service, made } = await open(['body']);
    await made.show({ ...NOTICE, urgency: 'critical', isSilent: true });
    expect([await made.abilities(), service.seen[0]]).toMatchObject([
      { click: false, buttons: false, reply: false },
      {
        body: 'The agent asks: a < b & c?',
        actions: [],
        hints: ['urgency', 'desktop-entry', 'suppress-sound'],
        expires: 0,
      },
    ]);
  });

  test('lose no click that comes before the service has said their number', async () => {
    const { service, made, acts } = await open(['actions']);
    service.clickAtOnce();
    await made.show(NOTICE);
    await made.show({ ...NOTICE, key: 'k2' });
    await waitUntil('both clicks came back', () => acts.length === 2);
    expect(acts).toEqual([
      { kind: 'click', key: 'k1' },
      { kind: 'click', key: 'k2' },
    ]);
  });

  test('are taken back, once', async () => {
    const { service, made } = await open(['actions']);
    await made.show(NOTICE);
    await made.withdraw('k1');
    await made.withdraw('k1');
    await made.withdraw('unknown');
    expect(service.closed).toEqual([1]);
  });

  test('fail where nobody serves, in time', async () => {
    notifier = createDbusNotifier({
      address: 'unix:path=/nonexistent/bus',
      clock: systemClock,
      log: LOG,
      desktopEntry: 'x',
    });
    await expect(notifier.show(NOTICE)).rejects.toThrow();
    expect(await notifier.abilities()).toEqual({
      click: false,
      buttons: false,
      reply: false,
      withdraw: false,
    });
  });
});
