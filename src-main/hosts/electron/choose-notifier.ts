import { createDbusNotifier } from '../../adapters/notifier/dbus-notifier.ts';
import { createTextNotifier } from '../../adapters/notifier/text-notifier.ts';
import { withFallback } from '../../adapters/notifier/with-fallback.ts';
import type { Notifier } from '../../core/ports/notifier.ts';
import type { Clock, Log } from '../../core/ports/world.ts';
import { createElectronNotifier } from './electron-notifier.ts';
import { DESKTOP_NAME } from './identity.ts';

/**
 * The backend that really delivers clicks, buttons and replies on each system (70-desktop), then those that show at
 * least the text.
 */
export function chooseNotifier(options: {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
}): Notifier {
  const { platform, env, clock, log } = options;
  const own = createElectronNotifier(platform, clock);
  const text = createTextNotifier({ clock, log });
  if (platform !== 'linux') return withFallback([own, text], log);
  const address = env['DBUS_SESSION_BUS_ADDRESS'];
  const dbus = createDbusNotifier({ address, clock, log, desktopEntry: DESKTOP_NAME });
  return withFallback([dbus, own, text], log);
}
