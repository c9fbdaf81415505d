// Builds the desktop application: main, hub process and guardian to out/main, the preload to out/preload, icons to
// out/icons. The window itself is build/build-window.mjs. `--out FOLDER` builds elsewhere.
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { bundle, isQuiet, root } from './bundle-node.mjs';

const outAt = process.argv.indexOf('--out');
const out = path.resolve(root, outAt === -1 ? 'out' : process.argv[outAt + 1]);
const logLevel = isQuiet ? 'warn' : 'info';

await bundle({
  logLevel,
  outDir: path.join(out, 'main'),
  input: {
    main: 'src-main/hosts/electron/main.ts',
    'hub-entry': 'src-main/hosts/electron/hub-entry.ts',
    guardian: 'src-main/adapters/process/guardian-main.ts',
  },
  output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
});

// A sandboxed preload is one CommonJS file that requires nothing but `electron`.
await bundle({
  logLevel,
  outDir: path.join(out, 'preload'),
  target: 'chrome150',
  sourcemap: false,
  input: { preload: 'src-main/hosts/electron/preload.ts' },
  output: { format: 'cjs', entryFileNames: '[name].cjs' },
});

await rm(path.join(out, 'icons'), { recursive: true, force: true });
await cp(path.join(root, 'build/icons'), path.join(out, 'icons'), {
  recursive: true,
  filter: (file) => !file.includes(`${path.sep}sources`) && !file.includes(`${path.sep}linux`),
});
