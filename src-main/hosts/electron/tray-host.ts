import { connectSessionBus, hasOwner, type SessionBus } from '../../adapters/session-bus.ts';
import type { Clock } from '../../core/ports/world.ts';
import { millis, type Millis } from '../../../src-shared/time.ts';

/*
 * Whether a panel shows tray icons. Electron asks once, when the tray is made, and falls back to a protocol that
 * nothing shows under Wayland; it tells nobody (electron.md, 2).
 */
const WATCHER = 'org.kde.StatusNotifierWatcher';
const LOOK_AGAIN = millis(500);

export interface TrayHostDeps {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
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

/** Whether a tray icon would be seen. Other systems always have a place for one. */
export async function waitForTrayHost(deps: TrayHostDeps): Promise<boolean> {
  if (deps.platform !== 'linux') return true;
  const { clock } = deps;
  let bus: SessionBus;
  try {
    bus = await connectSessionBus(deps.env['DBUS_SESSION_BUS_ADDRESS'], clock);
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
