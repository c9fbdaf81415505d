// `npm run test:electron`: the built application, in Electron where its binary is there, else on the stand-in. Prints
// which of the two ran. Further arguments go to vitest.
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

const binary = electronBinary();
process.stdout.write(
  binary === null
    ? 'No Electron binary is here: the built application runs on the stand-in (test/electron-host).\n'
    : `The built application runs in Electron: ${binary}\n`,
);
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'electron',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(binary === null ? {} : { SIGNALBOX_ELECTRON: binary }) },
  },
);
process.exit(status ?? 1);
