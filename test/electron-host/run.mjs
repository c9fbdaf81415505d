// `npm run test:electron`: the built application on the stand-in, and in Electron where its binary is there. Prints
// which ran. Further arguments go to vitest.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the package `electron` would have put it; asking the package itself would fetch it. */
function electronBinary() {
  const folder = path.join(root, 'node_modules/electron');
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(folder, 'dist');
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
  const told = path.join(folder, 'path.txt');
  const name = existsSync(told) ? readFileSync(told, 'utf8').trim() : (names[process.platform] ?? 'electron');
  const file = path.join(dist, name);
  return existsSync(file) ? file : null;
}

const run = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

const binary = electronBinary();
process.stdout.write(
  binary === null
    ? 'No Electron binary is here: the built application runs on the stand-in (test/electron-host) alone.\n'
    : `The built application runs on the stand-in (test/electron-host), then in Electron: ${binary}\n`,
);
let status = run(
  path.join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'electron',
  ...process.argv.slice(2),
);
// The suite has built it. Tray and notifications cannot be clicked there: the list for a person is in
// docs/technical/desktop-host.md.
if (binary !== null) status ||= run(path.join(root, 'test/electron-host/real.mjs'), binary);
process.exit(status);
