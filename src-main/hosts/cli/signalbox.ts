#!/usr/bin/env node
/**
 * The bin. No static imports: it has to load on whatever Node the person has, and decide before any native module is
 * loaded (12-engine, Processes). better-sqlite3 13 wants Node 22.12; what is older hands over to the packaged Node 24.
 */
const OLDEST = [22, 12] as const;

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Compiled code is kept per user, so that the second start is faster. */
async function useCompileCache(): Promise<void> {
  const { enableCompileCache } = await import('node:module');
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) {
    enableCompileCache();
    return;
  }
  const { join } = await import('node:path');
  const { homedir } = await import('node:os');
  const base = process.env['XDG_CACHE_HOME'] ?? process.env['LOCALAPPDATA'] ?? join(homedir(), '.cache');
  enableCompileCache(join(base, 'signalbox', 'compiled'));
}

/** Ends as the launcher ends: its open pipe closes with it, also when it is killed. */
async function endWithLauncher(): Promise<void> {
  const descriptor = Number(process.env['SIGNALBOX_LAUNCHER_FD']);
  delete process.env['SIGNALBOX_LAUNCHER_FD'];
  if (!Number.isInteger(descriptor) || descriptor < 3) return;
  const { Socket } = await import('node:net');
  const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
  pipe.on('error', () => undefined);
  pipe.on('close', () => process.kill(process.pid, 'SIGKILL'));
  pipe.resume();
  pipe.unref();
}

async function packagedNode(): Promise<string | null> {
  const { createRequire } = await import('node:module');
  const { existsSync } = await import('node:fs');
  const { dirname, join } = await import('node:path');
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

/** In the form that was asked for, as every other error. */
function saysTooOld(): void {
  const message = `Signalbox needs Node 22.12 or newer; this is ${process.version}.`;
  const hint =
    'Install Node 24, or reinstall signalbox so that its packaged Node is there (npm install node@24).';
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'node-too-old', message, hint } })}\n`);
  }
  process.stderr.write(`signalbox: ${message} ${hint}\n`);
  process.exitCode = 1;
}

async function runOn(node: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const { constants } = await import('node:os');
  const [, script = '', ...words] = process.argv;
  const child = spawn(node, [script, ...words], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, SIGNALBOX_LAUNCHER_FD: '3' },
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    process.on(name, () => child.kill(name));
  }
  child.on('error', saysTooOld);
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
}

if (isNewEnough(process.version)) {
  await endWithLauncher();
  await useCompileCache();
  const { start } = await import('./index.ts');
  await start();
} else {
  const node = await packagedNode();
  if (node === null) saysTooOld();
  else await runOn(node);
}
