import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** The version that the protocol facts were seen with; the contract suite fails on any other. */
export const CLAUDE_VERSION = '2.1.332';

const REPOSITORY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const CACHE = path.join(REPOSITORY, '.cache/claude-code');
const INSTALL_TIMEOUT_MS = 280_000;
const LEFTOVER_AGE_MS = 3_600_000;

/**
 * The npm package brings the program as one of several optional packages, one per platform, each holding a
 * native binary that needs neither Node nor the package's postinstall script (seen with 2.1.332). So scripts
 * stay off, and only the registry is talked to.
 */
const platformPackages = (): string[] => {
  const base = `claude-code-${process.platform}-${process.arch}`;
  return process.platform === 'linux' ? [base, `${base}-musl`] : [base];
};

const binaryName = process.platform === 'win32' ? 'claude.exe' : 'claude';

async function binaryIn(folder: string): Promise<string | null> {
  for (const name of platformPackages()) {
    const file = path.join(folder, 'node_modules/@anthropic-ai', name, binaryName);
    if ((await stat(file).catch(() => null))?.isFile() === true) return file;
  }
  return null;
}

/** @returns the version, or null when the file cannot be run or says something else */
async function versionOf(executable: string): Promise<string | null> {
  const home = await mkdtemp(path.join(CACHE, '.home-'));
  try {
    const { stdout } = await execa(executable, ['--version'], {
      env: quietEnvironment(home),
      extendEnv: false,
      timeout: 60_000,
    });
    return /^(\d+\.\d+\.\d+) \(Claude Code\)$/.exec(stdout.trim())?.[1] ?? null;
  } catch {
    return null;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith('.')) continue;
    const folder = path.join(CACHE, name);
    const found = await stat(folder).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

async function install(version: string, target: string): Promise<void> {
  const folder = await mkdtemp(path.join(CACHE, `.install-${version}-`));
  try {
    await execa(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--no-save',
        '--ignore-scripts',
        '--include=optional',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        `@anthropic-ai/claude-code@${version}`,
      ],
      { cwd: folder, timeout: INSTALL_TIMEOUT_MS, stdin: 'ignore' },
    );
    if ((await binaryIn(folder)) === null)
      throw new Error(
        `the package brought no program for ${process.platform}-${process.arch} (looked for ${platformPackages().join(', ')})`,
      );
    await rename(folder, target).catch(async (error: NodeJS.ErrnoException) => {
      // Another run finished first: its folder is as good as ours.
      if ((await binaryIn(target)) === null) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Path of the real Claude Code executable of exactly this version, installed with the npm client on first use.
 * The folder appears by one rename, so a kill leaves no half of it and two runs at once do no harm.
 *
 * @throws Error with a sentence that says what failed and what to do
 */
export async function ensureClaudeCli(version: string = CLAUDE_VERSION): Promise<string> {
  const target = path.join(CACHE, version);
  await mkdir(CACHE, { recursive: true });
  await removeLeftovers();
  if ((await binaryIn(target)) === null) {
    // A folder without the program is the rest of something that was deleted by hand.
    await rm(target, { recursive: true, force: true });
    await install(version, target).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      throw new Error(
        `Claude Code ${version} could not be installed with npm: ${text}\n` +
          'The contract suite needs the npm registry once; afterwards it runs from .cache/claude-code.',
        { cause: error },
      );
    });
  }
  const executable = await binaryIn(target);
  const found = executable === null ? null : await versionOf(executable);
  if (executable === null || found !== version)
    throw new Error(
      `${executable ?? target} is not Claude Code ${version} (${found ?? 'it does not run'}). ` +
        `Delete ${target} and run again.`,
    );
  return executable;
}

/**
 * The search path without the folders of the person's own home, which no sandbox shows: a version manager's shim
 * there would stand before the system's program. The checkout itself may lie in the home.
 */
function pathOutsideHome(): string {
  const isIn = (parent: string, folder: string) => {
    const way = path.relative(parent, folder);
    return way === '' || (!way.startsWith('..') && !path.isAbsolute(way));
  };
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => isIn(REPOSITORY, folder) || !isIn(userInfo().homedir, folder))
    .join(path.delimiter);
}

/** An environment with nothing of this machine's but the search path: no login, no settings, no telemetry. */
export const quietEnvironment = (home: string): Record<string, string> => ({
  PATH: pathOutsideHome(),
  HOME: home,
  USERPROFILE: home,
  LANG: 'C.UTF-8',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});

/** As above, with a model server on loopback and a key that is none. */
export const claudeEnvironment = (home: string, baseUrl: string): Record<string, string> => ({
  ...quietEnvironment(home),
  ANTHROPIC_BASE_URL: baseUrl,
  ANTHROPIC_API_KEY: 'dummy',
});
