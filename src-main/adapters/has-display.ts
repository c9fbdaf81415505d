/** Linux alone has machines where nothing can be shown; a program would be started there for nobody. */
export const hasDisplay = (
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): boolean => platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
