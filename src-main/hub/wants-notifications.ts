/**
 * Whether a hub without a window raises notifications: where there is a desktop to show them on, unless a person says
 * `SIGNALBOX_NOTIFICATIONS=off`. Light, so that a hub which raises none loads nothing for them.
 */
export function wantsNotifications(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (env['SIGNALBOX_NOTIFICATIONS'] === 'off') return false;
  return platform !== 'linux' || (env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '';
}
