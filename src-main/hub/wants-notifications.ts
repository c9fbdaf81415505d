/**
 * Whether a hub without a window raises notifications: where there is a desktop to show them on, unless a person says
 * `SIGNALBOX_NOTIFICATIONS=off`. Light, so that a hub which raises none loads nothing for them.
 */
export const wantsNotifications = (
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean => whyNone(env, platform) === null;

/** Why it raises none; null when it does. */
export function whyNone(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): 'off' | 'no-desktop' | null {
  if (env['SIGNALBOX_NOTIFICATIONS'] === 'off') return 'off';
  return platform !== 'linux' || (env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '' ? null : 'no-desktop';
}
