import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'electron';
import { writeFileAtomicSync } from '../../adapters/write-file.ts';
import { APP_NAME, DESKTOP_NAME } from './identity.ts';

/** Started with it, the application shows nothing but its tray icon. */
export const HIDDEN = '--hidden';

export interface LoginItem {
  isOn(): boolean;
  set(isOn: boolean): void;
}

/** As a quoted word of an Exec line (Desktop Entry Specification 1.5, The Exec key). */
const execWord = (text: string): string =>
  `"${text
    .replace(/[\\"`$]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;

/** What starts us: an AppImage by its file, since what runs is a mount that goes with it. */
const executableOf = (env: Readonly<Record<string, string | undefined>>, exe: string): string =>
  env['APPIMAGE'] ?? exe;

/** The file by which Linux desktops start a program at log-in. */
export function autostartEntry(executable: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${APP_NAME}`,
    `Exec=${execWord(executable)} ${HIDDEN}`,
    `Icon=${DESKTOP_NAME}`,
    'X-GNOME-Autostart-enabled=true',
    'Terminal=false',
    '',
  ].join('\n');
}

function linuxItem(file: string, executable: string): LoginItem {
  const read = (): string | null => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  };
  return {
    isOn: () => {
      const text = read();
      return text !== null && !/^Hidden=true$/m.test(text);
    },
    set: (isOn) => {
      if (!isOn) {
        rmSync(file, { force: true });
        return;
      }
      // Also when it is on: an AppImage may have moved.
      if (read() === autostartEntry(executable)) return;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileAtomicSync(file, autostartEntry(executable));
    },
  };
}

/** Start at log-in, by each system's own means (electron.md, 1.3). */
export function createLoginItem(options: {
  readonly app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings' | 'getPath'>;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}): LoginItem {
  const { app, platform, env } = options;
  if (platform === 'linux') {
    const config = env['XDG_CONFIG_HOME'] ?? path.join(app.getPath('home'), '.config');
    const file = path.join(config, 'autostart', `${DESKTOP_NAME}.desktop`);
    return linuxItem(file, executableOf(env, app.getPath('exe')));
  }
  // Windows answers only to the same words that it was told.
  const words = platform === 'win32' ? { args: [HIDDEN] } : {};
  return {
    isOn: () => {
      const found = app.getLoginItemSettings(words);
      return platform === 'win32' ? found.executableWillLaunchAtLogin : found.openAtLogin;
    },
    set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, ...words }),
  };
}
