import { millis, seconds } from '../../src-shared/time.ts';
import type { Clock, Disposable } from '../core/ports/world.ts';

/** A dead session bus would otherwise cost 25 s for each call (electron.md, 3). */
const PATIENCE = seconds(3);

const NO_SERVICE = /^org\.freedesktop\.DBus\.Error\.(?:ServiceUnknown|NameHasNoOwner|Spawn\..*)$/;

/** Whether a bus says that nobody has the name, and that nobody could be started to have it. */
export const saysNoService = (error: unknown): boolean =>
  NO_SERVICE.test(String((error as { readonly type?: unknown } | null)?.type));

/** The other side was there and said nothing in time. */
export class NoAnswerError extends Error {}

export interface BusSignal {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly body: readonly unknown[];
}

export interface BusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

/** The session bus of Linux desktops, as far as notifications and the tray need it. */
export interface SessionBus extends Disposable {
  /** Rejects when the other side refuses, does not answer in time, or is not there. */
  call(call: BusCall): Promise<readonly unknown[]>;
  /** Signals that match the rule. */
  follow(rule: string, listener: (signal: BusSignal) => void): Promise<void>;
  /** A value with its type, as `a{sv}` wants. */
  variant(signature: string, value: unknown): unknown;
  readonly isOpen: boolean;
}

const DBUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

function within<T>(clock: Clock, promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(PATIENCE, () => reject(new NoAnswerError(`${what} did not answer.`)));
    promise.then(resolve, reject).finally(() => timer.dispose());
  });
}

/**
 * Connects to the bus that `address` names.
 *
 * @param address as in DBUS_SESSION_BUS_ADDRESS; without one there is no bus, and nothing is looked for elsewhere
 * @throws Error when there is no bus or it does not answer
 */
export async function connectSessionBus(address: string | undefined, clock: Clock): Promise<SessionBus> {
  if (address === undefined || address === '') throw new Error('There is no session bus.');
  const { default: dbus } = await import('dbus-next');
  const bus = dbus.sessionBus({ busAddress: address });
  let isOpen = false;
  await within(
    clock,
    new Promise<void>((resolve, reject) => {
      bus.on('connect', () => {
        isOpen = true;
        resolve();
      });
      // Stays: an error that nobody listens to would end the process.
      bus.on('error', (error: unknown) => {
        isOpen = false;
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    }),
    'The session bus',
  ).catch((error: unknown) => {
    bus.disconnect();
    throw error;
  });

  const call = async ({ signature = '', body = [], ...to }: BusCall): Promise<readonly unknown[]> => {
    const message = new dbus.Message({ ...to, signature, body: [...body] });
    const reply = await within(clock, bus.call(message), to.interface);
    return (reply?.body ?? []) as readonly unknown[];
  };
  return {
    call,
    follow: async (rule, listener) => {
      bus.on('message', (message) => {
        if (message.type !== dbus.MessageType.SIGNAL) return;
        listener({
          path: message.path,
          interface: message.interface,
          member: message.member,
          body: message.body as readonly unknown[],
        });
      });
      await call({ ...DBUS, member: 'AddMatch', signature: 's', body: [rule] });
    },
    variant: (signature, value) => new dbus.Variant(signature, value),
    get isOpen() {
      return isOpen;
    },
    dispose: () => {
      isOpen = false;
      bus.disconnect();
    },
  };
}

/** Whether somebody owns a name now. */
export async function hasOwner(bus: SessionBus, name: string): Promise<boolean> {
  const [answer] = await bus.call({ ...DBUS, member: 'NameHasOwner', signature: 's', body: [name] });
  return answer === true;
}

export const RETRY_AFTER = millis(30_000);
