// Builds the command line, the hub's guardian and the demo to out/cli/. Skips the work when nothing changed.
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, isQuiet, root } from './bundle-node.mjs';

const outDir = path.join(root, 'out/cli');

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
 * Built-in modules whose import is dear, as it copies all exports: the one of `http` named `WebSocket` loads undici,
 * 70 ms of 80 (Node 24.21); those of `process` open the standard streams, 5 ms. Taken as they are, with the exports
 * that somebody imports by name, they cost the hub and each command next to nothing.
 */
const LIGHT = {
  http: 'Agent, IncomingMessage, METHODS, STATUS_CODES, Server, ServerResponse, createServer, get, request',
  process: 'execArgv, execPath, hrtime, platform',
};
const lightBuiltins = {
  name: 'light-builtins',
  enforce: 'pre',
  resolveId: (id, _importer, { kind }) => {
    const name = id.replace(/^node:/, '');
    if (!Object.hasOwn(LIGHT, name)) return null;
    // CommonJS takes the module itself: what it reads of it cannot be told beforehand.
    return kind === 'require-call' ? `\0light-required-${name}` : `\0light-${name}`;
  },
  load: (id) => {
    const [, isRequired, name] = /^\0light-(required-)?(.+)$/.exec(id) ?? [];
    if (name === undefined) return null;
    const it = `process.getBuiltinModule('node:${name}')`;
    return isRequired === undefined
      ? `const it = ${it};\nexport const { ${LIGHT[name]} } = it;\nexport default it;`
      : `module.exports = ${it};`;
  },
};

const input = Object.fromEntries(
  Object.entries(ENTRIES).filter(([, file]) => existsSync(path.join(root, file))),
);
const stamp = String(
  Math.max(
    await newest(path.join(root, 'src-main')),
    await newest(path.join(root, 'src-shared')),
    (await stat(fileURLToPath(import.meta.url))).mtimeMs,
    (await stat(path.join(root, 'build/bundle-node.mjs'))).mtimeMs,
    (await stat(path.join(root, 'package.json'))).mtimeMs,
  ),
);
const stampIn = (folder) => path.join(folder, '.stamp');

async function buildInto(folder) {
  // Libraries are bundled: one file to read at start instead of some hundred.
  await bundle({
    outDir: folder,
    input,
    // Zod asks it whether this is Cloudflare; there is none in Node 20, and making it takes time in Node 24.
    define: { navigator: 'undefined' },
    plugins: [lightBuiltins],
    output: {
      // Half the text to read and hash at start; names stay, so that a stack trace can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      format: 'es',
      entryFileNames: '[name].js',
      // With this ending Node need not look for the package.json of each.
      chunkFileNames: 'chunks/[name]-[hash].mjs',
    },
  });
  if (input.signalbox) await chmod(path.join(folder, 'signalbox.js'), 0o755);
  if (input['scripted-claude']) await chmod(path.join(folder, 'scripted-claude.js'), 0o755);
  await writeFile(stampIn(folder), stamp);
}

/**
 * Puts a finished build where the old one is, which is renamed away first, so that whoever starts meanwhile finds one
 * whole build or the other. When another build came between the two renames, its result stays.
 */
async function swapIn(finished) {
  const old = `${finished}.old`;
  await rename(outDir, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(finished, outDir).catch((error) => {
    if (!existsSync(stampIn(outDir))) throw error;
  });
  await rm(old, { recursive: true, force: true });
}

const isFresh = (await readFile(stampIn(outDir), 'utf8').catch(() => null)) === stamp;
if (!isFresh && Object.keys(input).length > 0) {
  // A folder of its own: another build may run at the same time. A sibling, so that source maps lead to the sources.
  const folder = `${outDir}.${process.pid}`;
  try {
    await buildInto(folder);
    await swapIn(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (!isQuiet) process.stdout.write(`built ${Object.keys(input).join(', ')} to out/cli\n`);
}
