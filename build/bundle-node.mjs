// What the bundles for Node and Electron have in common: libraries go in, native code stays outside.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const isQuiet = process.argv.includes('--quiet');

/** Native code, what finds files of its own beside itself, and what libraries such as `ws` only try to load. */
const OUTSIDE = [
  'electron',
  'better-sqlite3',
  'node-notifier',
  'usocket',
  'bufferutil',
  'utf-8-validate',
  'x11',
  'supports-color',
];

/**
 * Builds entries into a folder, which is emptied before.
 *
 * @param {{
 *   outDir: string, input: Record<string, string>, output: object,
 *   target?: string, sourcemap?: boolean, define?: Record<string, string>, plugins?: object[], logLevel?: string,
 * }} options `output` as Rolldown takes it; `define` beside the version
 */
export async function bundle({
  outDir,
  input,
  output,
  target = 'node24',
  sourcemap = true,
  define = {},
  plugins = [],
  logLevel = 'warn',
}) {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await build({
    root,
    configFile: false,
    logLevel,
    define: { __SIGNALBOX_VERSION__: JSON.stringify(version), ...define },
    plugins,
    ssr: { noExternal: true, external: OUTSIDE },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target,
      minify: false,
      sourcemap,
      rolldownOptions: { external: OUTSIDE, input, output },
    },
  });
}
