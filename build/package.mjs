// `npm run package`: builds the application and its notices, then packs with electron-builder.yml. Arguments go to
// electron-builder (`--dir`, `--linux deb`). Electron's binary is fetched by electron-builder.
//   SIGNALBOX_UPDATE_URL  https address of a folder with the published files: packages look there for updates
//   CSC_LINK, WIN_CSC_LINK, APPLE_API_KEY …  certificates, read by electron-builder itself
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const update = process.env.SIGNALBOX_UPDATE_URL ?? '';
if (update !== '' && !update.startsWith('https://')) {
  process.stderr.write('SIGNALBOX_UPDATE_URL is not an https address. Give one, or unset it.\n');
  process.exit(2);
}
for (const script of ['build-cli', 'build-window', 'build-electron', 'write-notices']) {
  run(`build/${script}.mjs`, '--quiet');
}
run(
  'node_modules/electron-builder/out/cli/cli.js',
  '--config',
  'electron-builder.yml',
  // Uploading is an act of its own.
  '--publish',
  'never',
  ...(update === '' ? [] : ['-c.publish.provider=generic', `-c.publish.url=${update}`]),
  ...process.argv.slice(2),
);
