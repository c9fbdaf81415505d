// Builds the desktop application: main, hub process and guardian to out/main, the preload to out/preload, icons to
// out/icons. The window itself is build/build-window.mjs. `--out FOLDER` builds elsewhere.
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const isQuiet = process.argv.includes('--quiet');
const outAt = process.argv.indexOf('--out');
const out = path.resolve(root, outAt === -1 ? 'out' : process.argv[outAt + 1]);

/** Native code, what finds files of its own beside itself, and what `ws` and `dbus-next` only try to load. */
const OUTSIDE = [
  'electron',
  'better-sqlite3',
  'node-notifier',
  'usocket',
  'bufferutil',
  'utf-8-validate',
  'x11',
];
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const common = {
  root,
  configFile: false,
  logLevel: isQuiet ? 'warn' : 'info',
  define: { __SIGNALBOX_VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, external: OUTSIDE },
};

await build({
  ...common,
  build: {
    ssr: true,
    outDir: path.join(out, 'main'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      external: OUTSIDE,
      input: {
        main: 'src-main/hosts/electron/main.ts',
        'hub-entry': 'src-main/hosts/electron/hub-entry.ts',
        guardian: 'src-main/adapters/process/guardian-main.ts',
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

// A sandboxed preload is one CommonJS file that requires nothing but `electron`.
await build({
  ...common,
  build: {
    ssr: true,
    outDir: path.join(out, 'preload'),
    emptyOutDir: true,
    target: 'chrome150',
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      external: OUTSIDE,
      input: { preload: 'src-main/hosts/electron/preload.ts' },
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
});

await rm(path.join(out, 'icons'), { recursive: true, force: true });
await cp(path.join(root, 'build/icons'), path.join(out, 'icons'), {
  recursive: true,
  filter: (file) => !file.includes(`${path.sep}sources`) && !file.includes(`${path.sep}linux`),
});
