import {
  NotShownError,
  type Notice,
  type Notifier,
  type NotifierAbilities,
} from '../../core/ports/notifier.ts';
import { connectSessionBus, NoAnswerError, saysNoService, type SessionBus } from '../session-bus.ts';
import type { Clock, Log } from '../../core/ports/world.ts';
import { createActListeners } from './listeners.ts';

/**
 * Desktop Notifications Specification 1.2 (specifications.freedesktop.org/notification-spec), with KDE's text field:
 * action `inline-reply`, signal `NotificationReplied`, only where the service lists that capability.
 */
const SERVICE = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
};
const RULE = `type='signal',interface='${SERVICE.interface}',path='${SERVICE.path}'`;
const DEFAULT_ACTION = 'default';
const REPLY_ACTION = 'inline-reply';
const MOST_EARLY = 50;
const URGENCY = { low: 0, normal: 1, critical: 2 } as const;
/** The service decides; 0 would mean never. */
const EXPIRES = -1;
const NEVER_EXPIRES = 0;
/** Who put it away: 2 is the person. Time-outs leave it in the service's list, where it can still be used. */
const BY_PERSON = 2;

/** Bodies are read as markup where the service can; a summary never is. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a refused call means; the bus itself says when nobody serves the name. */
function explained(error: unknown): never {
  if (error instanceof NotShownError) throw error;
  if (saysNoService(error)) throw new NotShownError('no-daemon', textOf(error));
  throw new NotShownError(error instanceof NoAnswerError ? 'no-answer' : 'failed', textOf(error));
}

export interface DbusNotifierOptions {
  /** DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the .desktop file, without its ending. */
  readonly desktopEntry: string;
}

interface Connection {
  readonly bus: SessionBus;
  readonly capabilities: ReadonlySet<string>;
}

/** Notifications of Linux desktops, with buttons and replies by what the service can. Nothing is opened before use. */
export function createDbusNotifier(options: DbusNotifierOptions): Notifier {
  const { address, clock, log } = options;
  const listeners = createActListeners();
  /** By the service's number. */
  const keys = new Map<number, string>();
  /** Calls whose answer, with the number, is still to come, and signals that came before it. */
  let showing = 0;
  const early: { readonly member: string; readonly body: readonly unknown[] }[] = [];
  let connection: Promise<Connection> | null = null;
  let isDisposed = false;

  async function open(): Promise<Connection> {
    const bus = await connectSessionBus(address, clock).catch((error: unknown) => {
      throw new NotShownError('no-desktop', textOf(error));
    });
    try {
      await bus.follow(RULE, (signal) => {
        if (signal.interface === SERVICE.interface) heard(signal.member, signal.body);
      });
      const [list] = await bus.call({ ...SERVICE, member: 'GetCapabilities' });
      return { bus, capabilities: new Set(Array.isArray(list) ? list.map(String) : []) };
    } catch (error) {
      bus.dispose();
      throw error;
    }
  }

  /** One connection; a broken one is made anew with the next use. */
  async function connected(): Promise<Connection> {
    if (isDisposed) throw new Error('Notifications have ended.');
    connection ??= open();
    try {
      const current = await connection;
      if (current.bus.isOpen) return current;
      connection = open();
      return await connection;
    } catch (error) {
      connection = null;
      throw error;
    }
  }

  function heard(member: string, body: readonly unknown[]): void {
    const key = keys.get(Number(body[0]));
    if (key === undefined) {
      if (showing > 0 && early.length < MOST_EARLY) early.push({ member, body });
      return;
    }
    const [, detail] = body;
    if (member === 'ActionInvoked') {
      if (detail === DEFAULT_ACTION) listeners.tell({ kind: 'click', key });
      else if (detail !== REPLY_ACTION) listeners.tell({ kind: 'button', key, button: String(detail) });
    } else if (member === 'NotificationReplied') {
      listeners.tell({ kind: 'reply', key, text: String(detail) });
    } else if (member === 'NotificationClosed') {
      if (detail === BY_PERSON) keys.delete(Number(body[0]));
      listeners.tell({ kind: 'closed', key });
    }
  }

  const can = (capabilities: ReadonlySet<string>): NotifierAbilities => ({
    click: capabilities.has('actions'),
    buttons: capabilities.has('actions'),
    reply: capabilities.has(REPLY_ACTION),
    withdraw: true,
  });

  function actionsOf(notice: Notice, abilities: NotifierAbilities): string[] {
    return [
      ...(abilities.click ? [DEFAULT_ACTION, 'Open'] : []),
      ...(abilities.buttons ? notice.buttons.flatMap(({ id, label }) => [id, label]) : []),
      ...(abilities.reply && notice.reply !== null ? [REPLY_ACTION, notice.reply.placeholder] : []),
    ];
  }

  return {
    abilities: async () => {
      try {
        return can((await connected()).capabilities);
      } catch {
        return { click: false, buttons: false, reply: false, withdraw: false };
      }
    },
    show: async (notice) => {
      const { bus, capabilities } = await connected().catch(explained);
      const abilities = can(capabilities);
      const hints: Record<string, unknown> = {
        urgency: bus.variant('y', URGENCY[notice.urgency]),
        'desktop-entry': bus.variant('s', options.desktopEntry),
        ...(notice.isSilent ? { 'suppress-sound': bus.variant('b', true) } : {}),
        ...(abilities.reply && notice.reply !== null
          ? { 'x-kde-reply-placeholder-text': bus.variant('s', notice.reply.placeholder) }
          : {}),
      };
      showing += 1;
      const [id] = await bus
        .call({
          ...SERVICE,
          member: 'Notify',
          signature: 'susssasa{sv}i',
          body: [
            'Signalbox',
            0,
            options.desktopEntry,
            notice.title,
            capabilities.has('body-markup') ? escaped(notice.body) : notice.body,
            actionsOf(notice, abilities),
            hints,
            notice.urgency === 'critical' ? NEVER_EXPIRES : EXPIRES,
          ],
        })
        .catch(explained)
        .finally(() => (showing -= 1));
      keys.set(Number(id), notice.key);
      const waiting = early.filter(({ body }) => body[0] === id);
      early.splice(0, early.length, ...(showing === 0 ? [] : early.filter(({ body }) => body[0] !== id)));
      for (const { member, body } of waiting) heard(member, body);
      return { by: 'dbus', isConfirmed: true };
    },
    withdraw: async (key) => {
      const [id] = [...keys].find(([, each]) => each === key) ?? [];
      if (id === undefined) return;
      keys.delete(id);
      const { bus } = await connected();
      await bus.call({ ...SERVICE, member: 'CloseNotification', signature: 'u', body: [id] });
    },
    onAct: (listener) => listeners.add(listener),
    dispose: () => {
      isDisposed = true;
      listeners.clear();
      keys.clear();
      connection
        ?.then(({ bus }) => bus.dispose())
        .catch((error: unknown) => log.info('there was no session bus to leave', { error: String(error) }));
    },
  };
}
