import { connectSessionBus, hasOwner, type SessionBus } from '../../adapters/session-bus.ts';
import type { Clock, Disposable } from '../../core/ports/world.ts';
import { millis, type Millis } from '../../../src-shared/time.ts';

/*
 * Whether a panel shows tray icons. Electron asks once, when the tray is made, and falls back to a protocol that
 * nothing shows under Wayland; it tells nobody (electron.md, 2).
 */
const WATCHER = 'org.kde.StatusNotifierWatcher';
const LOOK_AGAIN = millis(500);
/** A panel that starts anew is away for a moment. */
const AWAY_FOR = millis(3000);
const SIGNALS = [
  `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${WATCHER}'`,
  `type='signal',sender='${WATCHER}',interface='${WATCHER}',member='StatusNotifierHostRegistered'`,
  `type='signal',sender='${WATCHER}',interface='${WATCHER}',member='StatusNotifierHostUnregistered'`,
];

export interface TrayHostDeps {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** `connectSessionBus`, unless a test has its own. */
  readonly connect?: typeof connectSessionBus;
}

async function isHosted(bus: SessionBus): Promise<boolean> {
  if (!(await hasOwner(bus, WATCHER))) return false;
  const [answer] = await bus.call({
    destination: WATCHER,
    path: '/StatusNotifierWatcher',
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    signature: 'ss',
    body: [WATCHER, 'IsStatusNotifierHostRegistered'],
  });
  return (answer as { readonly value?: unknown } | undefined)?.value === true;
}

/** At log-in the panel may come after us: it is waited for, under X11 for a shorter time. */
export const trayPatience = (env: TrayHostDeps['env']): Millis =>
  millis(env['XDG_SESSION_TYPE'] === 'wayland' || env['WAYLAND_DISPLAY'] !== undefined ? 15_000 : 3000);

const busOf = ({ connect = connectSessionBus, env, clock }: TrayHostDeps): Promise<SessionBus> =>
  connect(env['DBUS_SESSION_BUS_ADDRESS'], clock);

/** Whether a tray icon would be seen. Other systems always have a place for one. */
export async function waitForTrayHost(deps: TrayHostDeps): Promise<boolean> {
  if (deps.platform !== 'linux') return true;
  const { clock } = deps;
  let bus: SessionBus;
  try {
    bus = await busOf(deps);
  } catch {
    return false;
  }
  const until = clock.monotonic() + trayPatience(deps.env);
  try {
    for (;;) {
      if (await isHosted(bus).catch(() => false)) return true;
      if (clock.monotonic() >= until) return false;
      await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN, resolve));
    }
  } finally {
    bus.dispose();
  }
}

/**
 * Tells of panels that come and go later. Electron looks only when a tray is made: for one that comes, also for one
 * that has started anew, the tray has to be made again.
 *
 * @param known what was found before
 * @param changed true for a panel that has come; false once one has been gone for three seconds
 */
export function followTrayHost(
  deps: TrayHostDeps,
  known: boolean,
  changed: (isHosted: boolean) => void,
): Disposable {
  const { clock } = deps;
  let isHostedNow = known;
  let isDisposed = false;
  let bus: SessionBus | null = null;
  let away: Disposable | null = null;

  async function look(): Promise<void> {
    const found = bus !== null && (await isHosted(bus).catch(() => false));
    if (isDisposed) return;
    if (found) {
      const wasAway = away !== null;
      away?.dispose();
      away = null;
      if (isHostedNow && !wasAway) return;
      isHostedNow = true;
      changed(true);
    } else if (isHostedNow && away === null) {
      away = clock.after(AWAY_FOR, () => {
        away = null;
        isHostedNow = false;
        changed(false);
      });
    }
  }

  async function start(): Promise<void> {
    bus = await busOf(deps);
    if (isDisposed) return bus.dispose();
    for (const rule of SIGNALS) await bus.follow(rule, () => void look());
    // It may have come between the two looks.
    await look();
  }
  // Without a bus there is no panel of this kind, now or later.
  if (deps.platform === 'linux') void start().catch(() => undefined);
  return {
    dispose: () => {
      isDisposed = true;
      away?.dispose();
      bus?.dispose();
    },
  };
}
