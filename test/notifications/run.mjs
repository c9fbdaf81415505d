// `npm run test:notifications`: notifications for real, on a session bus and a screen of their own. Needs Xvfb,
// dbus-run-session, dunst and notify-send (Debian: xvfb dbus dunst libnotify-bin). Further arguments go to vitest.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
if (process.platform !== 'linux') {
  process.stdout.write('Notifications over D-Bus are tested on Linux; this is another system.\n');
  process.exit(0);
}
const vitest = [
  process.execPath,
  path.join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'notifications',
  ...process.argv.slice(2),
];
const { status, error } = spawnSync('dbus-run-session', ['--', ...vitest], { cwd: root, stdio: 'inherit' });
if (error !== undefined) process.stderr.write(`dbus-run-session could not be started: ${error.message}\n`);
process.exit(status ?? 1);
