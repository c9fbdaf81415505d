import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import { isNotified } from '../adapters/notifier/notifier-mark.ts';
import { connectSessionBus, saysNoService } from '../adapters/session-bus.ts';
import { bad, ok, type DoctorHost } from './doctor-check.ts';
import { whyNone } from './wants-notifications.ts';

const NAME = 'notifications';
const SERVICE = 'org.freedesktop.Notifications';
const FIX =
  'Start a notification service, such as dunst or mako, then send a test in Settings. The inbox works without.';

/** Name and version of the service on the session bus; asking shows nothing. */
async function serviceOn(host: DoctorHost): Promise<string> {
  const bus = await connectSessionBus(host.env['DBUS_SESSION_BUS_ADDRESS'], host.clock);
  try {
    const [name, , version] = await bus.call({
      destination: SERVICE,
      path: '/org/freedesktop/Notifications',
      interface: SERVICE,
      member: 'GetServerInformation',
    });
    return `${String(name)} ${String(version)}`;
  } finally {
    bus.dispose();
  }
}

/**
 * Whether notifications can be shown from here. Nothing is shown: the test with a real one is in Settings.
 *
 * @param platform whose way of showing them is looked at
 */
export async function checkNotifications(
  host: DoctorHost,
  platform: NodeJS.Platform = process.platform,
): Promise<DoctorCheck> {
  const none = whyNone(host.env, platform);
  if (none === 'off') return ok(NAME, 'switched off by SIGNALBOX_NOTIFICATIONS=off');
  if (none === 'no-desktop') return ok(NAME, 'none: this is no desktop session');
  const raises = isNotified(host.folder.data) ? ', raised by the desktop application' : '';
  if (platform !== 'linux') return ok(NAME, `shown by the system${raises}`);
  try {
    return ok(NAME, `shown by ${await serviceOn(host)}${raises}`);
  } catch (error) {
    const found = saysNoService(error)
      ? 'no notification service runs on this desktop'
      : 'the notification service of this desktop does not answer';
    return bad(NAME, 'warning', found, FIX);
  }
}
