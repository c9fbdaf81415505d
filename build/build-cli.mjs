// Builds the command line, the hub's guardian and the demo to out/cli/. Skips the work when nothing changed.
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outDir = path.join(root, 'out/cli');
const stampFile = path.join(outDir, '.stamp');
const isQuiet = process.argv.includes('--quiet');

const ENTRIES = {
  signalbox: 'src-main/hosts/cli/signalbox.ts',
  index: 'src-main/hosts/cli/index.ts',
  guardian: 'src-main/adapters/process/guardian-main.ts',
  demo: 'src-main/hosts/cli/demo-main.ts',
  'scripted-claude': 'src-main/hosts/cli/demo/scripted-claude.ts',
};

/** Newest change time below the folders, so that a stale build is noticed and a fresh one is not repeated. */
async function newest(folder) {
  let latest = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    latest = Math.max(latest, (await stat(path.join(entry.parentPath, entry.name))).mtimeMs);
  }
  return latest;
}

/**
 * `import 'node:http'` copies all of its exports, and reading the one named `WebSocket` loads undici: 70 ms of the
 * 80 ms it takes (Node 24.21), at the start of the hub and of each command. Taken as a built-in module it is 7 ms.
 */
const lightHttp = {
  name: 'light-http',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:http' || id === 'http' ? '\0light-http' : null),
  load: (id) =>
    id === '\0light-http'
      ? `const http = process.getBuiltinModule('node:http');
export const { Agent, IncomingMessage, METHODS, STATUS_CODES, Server, ServerResponse, createServer, get, request } = http;
export default http;`
      : null,
};

const input = Object.fromEntries(
  Object.entries(ENTRIES).filter(([, file]) => existsSync(path.join(root, file))),
);
const stamp = String(
  Math.max(
    await newest(path.join(root, 'src-main')),
    await newest(path.join(root, 'src-shared')),
    (await stat(fileURLToPath(import.meta.url))).mtimeMs,
    (await stat(path.join(root, 'package.json'))).mtimeMs,
  ),
);
const isFresh = existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp;
if (!isFresh && Object.keys(input).length > 0) {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: { __SIGNALBOX_VERSION__: JSON.stringify(version) },
    // Libraries are bundled: one file to read at start instead of some hundred. Native code and what `ws` only tries
    // to load stay outside.
    plugins: [lightHttp],
    ssr: { noExternal: true, external: ['better-sqlite3', 'bufferutil', 'utf-8-validate'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input,
        output: {
          // Half the text to read and hash at start; names stay, so that a stack trace can be read.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  });
  if (input.signalbox) await chmod(path.join(outDir, 'signalbox.js'), 0o755);
  if (input['scripted-claude']) await chmod(path.join(outDir, 'scripted-claude.js'), 0o755);
  await writeFile(stampFile, stamp);
  if (!isQuiet) process.stdout.write(`built ${Object.keys(input).join(', ')} to out/cli\n`);
}
