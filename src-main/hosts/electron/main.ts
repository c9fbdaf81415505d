/**
 * Entry of the desktop application: what has to be said before Electron is ready, in this order (electron.md, 1.1),
 * and nothing else. Nothing here may be awaited at the top level: `ready` comes only after this file has run.
 */
import path from 'node:path';
import { app, crashReporter, Menu, protocol } from 'electron';
import { SCHEME } from './app-protocol.ts';
import { LINK_SCHEME } from './deep-links.ts';
import { APP_ID, APP_NAME, DESKTOP_NAME, TOAST_CLSID } from './identity.ts';
import { createStarts } from './starts.ts';
import { refusedSwitch } from './window-policy.ts';

const { platform, argv } = process;
/** Without the executable, and in development without the script. */
const args = argv.slice(app.isPackaged ? 1 : 2);

// Electron's own handler opens a modal box, which a machine without a person never closes.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? String(error)}\n`);
});
// A terminal that closed is no reason to end.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

app.setName(app.isPackaged ? APP_NAME : `${APP_NAME} Development`);
const home = process.env['SIGNALBOX_HOME'];
// One instance per data folder: the lock lies in `userData`.
const userData =
  home === undefined || home === ''
    ? path.join(app.getPath('appData'), app.name)
    : path.join(home, 'desktop');
app.setPath('userData', userData);
app.setPath('sessionData', path.join(userData, 'session'));
if (platform === 'linux') app.setDesktopName(`${DESKTOP_NAME}.desktop`);
if (platform === 'win32') {
  app.setToastActivatorCLSID(TOAST_CLSID);
  app.setAppUserModelId(app.isPackaged ? APP_ID : process.execPath);
}
app.enableSandbox();
protocol.registerSchemesAsPrivileged([SCHEME]);
crashReporter.start({ uploadToServer: false });

const starts = createStarts(args, platform);
app.on('open-url', (event, url) => {
  event.preventDefault();
  starts.link(url);
});

const refused = app.isPackaged ? refusedSwitch(args) : null;
if (refused !== null) {
  process.stderr.write(`signalbox: the switch --${refused} is refused.\n`);
  app.exit(1);
} else if (!app.requestSingleInstanceLock({ args })) {
  app.exit(0);
} else {
  app.on('second-instance', (_event, _argv, _cwd, data) => starts.second(data));
  // Windows come and go; only the tray's Quit ends us.
  app.on('window-all-closed', () => undefined);
  if (platform !== 'darwin') Menu.setApplicationMenu(null);
  if (app.isPackaged || platform !== 'darwin') app.setAsDefaultProtocolClient(LINK_SCHEME);
  void app
    .whenReady()
    .then(() => import('./boot.ts'))
    .then(({ boot }) => boot({ starts, platform, folder: import.meta.dirname }))
    .catch((error: unknown) => {
      process.stderr.write(
        `signalbox could not start: ${error instanceof Error ? error.stack : String(error)}\n`,
      );
      app.exit(1);
    });
}
