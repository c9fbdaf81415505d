import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../core/ports/world.ts';
import type { Updater } from './updates.ts';

/**
 * The updater of electron-builder, where whoever published the package named a server: `app-update.yml` lies in its
 * resources then. What is fetched is checked by hash, and by the signature of the running application on macOS and
 * Windows (electron.md, Packaging).
 *
 * @param onFailure an installation that was begun failed: everything is stopped, so the application has to come back
 * @returns null where there is none: a checkout, a package without a server
 */
export function packageUpdater(given: {
  readonly isPackaged: boolean;
  readonly resources: string;
  readonly log: Log;
  readonly onFailure: () => void;
}): Updater | null {
  const { log } = given;
  if (!given.isPackaged || !existsSync(path.join(given.resources, 'app-update.yml'))) return null;
  // Loaded when it is wanted: it looks at the application as soon as it is there.
  const load = async () => {
    const { default: updates } = await import('electron-updater');
    const { autoUpdater } = updates;
    autoUpdater.autoDownload = false;
    autoUpdater.autoInstallOnAppQuit = false;
    autoUpdater.logger = {
      info: () => undefined,
      warn: (message: unknown) => log.warn('updater', { message: String(message) }),
      error: (message: unknown) => log.error('updater', { message: String(message) }),
    };
    return autoUpdater;
  };
  return {
    check: async () => {
      const found = await (await load()).checkForUpdates();
      return found?.isUpdateAvailable === true ? found.updateInfo.version : null;
    },
    download: async (onProgress) => {
      const updater = await load();
      const told = ({ percent }: { readonly percent: number }): void => onProgress(Math.floor(percent));
      updater.on('download-progress', told);
      try {
        await updater.downloadUpdate();
      } finally {
        updater.off('download-progress', told);
      }
    },
    install: () => {
      load()
        .then((updater) => {
          updater.once('error', given.onFailure);
          updater.quitAndInstall();
        })
        .catch(given.onFailure);
    },
  };
}
