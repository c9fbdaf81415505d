// `npm start`: builds what is stale, then starts the desktop application, or the web host where Electron cannot be had.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chooseHost, electronAddress, hasDisplay } from './choose-host.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { arch, env, execPath, platform, stderr } = process;

/** The probe's whole time, its name look-up included. */
const PROBE_MS = 5_000;
/** A download that brings nothing for so long has failed. */
const STALLED_MS = 30_000;
/** Electron that ends with an error before this could not start. */
const STARTS_WITHIN_MS = 10_000;

const say = (text) => stderr.write(`${text}\n`);

/** Runs a program in the foreground. @returns its exit code, 128 + signal when one ended it, null when there is none */
function run(file, args, childEnv = env) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: process.cwd(), env: childEnv, stdio: 'inherit' });
    // Ctrl+C reaches the child by itself; this process only waits for it.
    const wait = () => undefined;
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', wait).on('SIGTERM', passOn).on('SIGHUP', passOn);
    const settle = (code) => {
      process.off('SIGINT', wait).off('SIGTERM', passOn).off('SIGHUP', passOn);
      resolve(code);
    };
    child.on('error', () => settle(null));
    child.on('exit', (code, signal) =>
      settle(code ?? 128 + (require('node:os').constants.signals[signal] ?? 0)),
    );
  });
}

async function build(name) {
  const script = path.join(root, 'build', name);
  if (!existsSync(script)) return;
  const code = await run(execPath, [script, '--quiet']);
  if (code !== 0) process.exit(code ?? 1);
}

/** Electron's package and its program, as its own installer lays it out; null without the package. */
function electron() {
  let folder;
  try {
    folder = path.dirname(require.resolve('electron/package.json'));
  } catch {
    return null;
  }
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const program = () => {
    const pointer = path.join(folder, 'path.txt');
    const name = existsSync(pointer) ? readFileSync(pointer, 'utf8') : 'electron';
    const file = path.join(env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(folder, 'dist'), name);
    return existsSync(file) ? file : null;
  };
  return { folder, version, program };
}

async function answers(address) {
  try {
    const answer = await fetch(address, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return answer.status < 400;
  } catch {
    return false;
  }
}

/** Fetches Electron into its package. @throws when that fails or stalls */
async function fetchElectron(found) {
  if (found === null) throw new Error('its npm package is not installed');
  const { folder, version, program } = found;
  say(`Fetching Electron ${version} (about 120 MB, once) …`);
  const ofElectron = createRequire(path.join(folder, 'package.json'));
  const { downloadArtifact } = await import(pathToFileURL(ofElectron.resolve('@electron/get')).href);
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), STALLED_MS);
  let shown = 0;
  const show = ({ percent }) => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), STALLED_MS);
    const tens = Math.floor(percent * 10) * 10;
    if (tens <= shown) return;
    shown = tens;
    say(`  ${tens} %`);
  };
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform,
      arch,
      checksums: ofElectron('./checksums.json'),
      downloadOptions: { quiet: true, signal: stalled.signal, getProgressCallback: show },
    });
  } finally {
    clearTimeout(timer);
  }
  // Its own installer unpacks what is in the cache now.
  const code = await run(execPath, [path.join(folder, 'install.js')]);
  if (code !== 0 || program() === null) throw new Error('Electron could not be unpacked');
}

/** @returns the exit code, or null when it could not start */
async function startDesktop(program) {
  await build('build-electron.mjs');
  const { ELECTRON_RUN_AS_NODE: _runAsNode, ...childEnv } = env;
  const before = performance.now();
  const code = await run(program, [path.join(root, 'out/main/main.js')], childEnv);
  const hasFailed =
    code !== null && code !== 0 && code < 128 && performance.now() - before < STARTS_WITHIN_MS;
  return code === null || hasFailed ? null : code;
}

async function startWeb(why) {
  if (why !== null) say(`${why} The web host starts instead: Signalbox opens in a browser.`);
  return run(execPath, [
    path.join(root, 'out/cli/signalbox.js'),
    'serve',
    '--open',
    ...process.argv.slice(2),
  ]);
}

async function main() {
  const found = electron();
  const choice = await chooseHost({
    wanted: env.SIGNALBOX_HOST,
    hasDisplay: hasDisplay(platform, env),
    hasElectron: found?.program() != null,
    canFetchElectron: () =>
      found === null ? Promise.resolve(false) : answers(electronAddress(found.version, platform, arch, env)),
  });
  await build('build-cli.mjs');
  await build('build-window.mjs');
  if (choice.kind === 'web') return startWeb(choice.why);
  if (choice.kind === 'fetch') {
    try {
      await fetchElectron(found);
    } catch (error) {
      return startWeb(`Electron could not be fetched (${String(error?.message ?? error).split('\n')[0]}).`);
    }
  }
  const code = await startDesktop(found.program());
  return code ?? startWeb('Electron did not start.');
}

main().then(
  (code) => process.exit(code ?? 1),
  (error) => {
    say(`npm start: ${error.message}`);
    process.exit(2);
  },
);
