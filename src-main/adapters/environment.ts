/**
 * Environments of children: an allowlist, never a copy (10-relay, Command lines). Pure; a pin test freezes it.
 * `SIGNALBOX_OWNER` is added by the spawner alone.
 */
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const EXACT = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TMPDIR', 'TMP', 'TEMP'],
  ...['LANG', 'LANGUAGE', 'TZ'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
];
/** Without these a Windows program finds neither its libraries nor the person's folders. */
const EXACT_WINDOWS = [
  ...['PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'OS'],
  ...['USERPROFILE', 'USERNAME', 'USERDOMAIN', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA'],
  ...['PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'COMMONPROGRAMFILES'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
];
const LOCALE = /^LC_[A-Z]+$/;
/** Switches of Claude Code and of its MCP clients; credentials and settings of Claude Code. */
const SWITCHES = /^(DISABLE_|MCP_)/;
const CLAUDE = /^(ANTHROPIC_|CLAUDE_)/;

/**
 * Not even when a project names it: what npm, Node, Electron, an AppImage and a shell that Claude Code itself
 * opened put around us, and what is ours.
 */
const NEVER =
  /^(npm_.*|NODE_OPTIONS|NODE_PATH|ELECTRON_.*|SIGNALBOX_.*|APPIMAGE.*|APPDIR|ARGV0|OWD|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT|CLAUDE_CODE_SSE_PORT)$/i;

/** For the agent. @param extraNames variables that the project wants inherited, by exact name */
export function agentEnvironment(
  parent: Environment,
  extraNames: readonly string[],
  platform: NodeJS.Platform,
  ownFolder: string = OWN_FOLDER,
): Record<string, string> {
  return pick(parent, platform, ownFolder, extraNames, (name) => SWITCHES.test(name) || CLAUDE.test(name));
}

/** For test and set-up commands: the agent's without anything of Claude Code's account, also when it is named. */
export function commandEnvironment(
  parent: Environment,
  extraNames: readonly string[],
  platform: NodeJS.Platform,
  ownFolder: string = OWN_FOLDER,
): Record<string, string> {
  const names = extraNames.filter((name) => !CLAUDE.test(name.toUpperCase()));
  return pick(parent, platform, ownFolder, names, (name) => SWITCHES.test(name));
}

/**
 * For git and other tools of our own: what they need to run at all, with messages in plain English. No proxy, no
 * certificates (git fetches nothing), no `GIT_*`: the git adapter adds its own.
 */
export function toolEnvironment(
  parent: Environment,
  platform: NodeJS.Platform,
  ownFolder: string = OWN_FOLDER,
): Record<string, string> {
  const all = pick(parent, platform, ownFolder, [], () => false);
  const kept = Object.entries(all).filter(
    ([name]) =>
      ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'TZ'].includes(name.toUpperCase()) ||
      (platform === 'win32' && EXACT_WINDOWS.includes(name.toUpperCase())),
  );
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

function pick(
  parent: Environment,
  platform: NodeJS.Platform,
  ownFolder: string,
  extraNames: readonly string[],
  isOfHarness: (name: string) => boolean,
): Record<string, string> {
  // Names have no case on Windows, where PATH is usually spelt Path.
  const fold = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const exact = new Set([...EXACT, ...(platform === 'win32' ? EXACT_WINDOWS : []), ...extraNames].map(fold));
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined || NEVER.test(name)) continue;
    const folded = fold(name);
    if (!exact.has(folded) && !LOCALE.test(folded) && !isOfHarness(folded)) continue;
    picked[name] = folded === 'PATH' ? cleanPath(value, platform, ownFolder) : value;
  }
  return picked;
}

/**
 * PATH without entries of ours (npm puts `node_modules/.bin` folders in front, whose `node`, `git` or `claude`
 * would be another one than the person's) and without relative ones, which an agent's worktree could fill.
 *
 * @param ownFolder the folder of Signalbox's package, absolute
 */
export function cleanPath(value: string, platform: NodeJS.Platform, ownFolder: string): string {
  const { delimiter, isAbsolute, normalize, relative, dirname, basename, join } =
    platform === 'win32' ? path.win32 : path.posix;
  // As a dependency, the neighbours' `.bin` belongs to the same installation.
  const parentBin = basename(dirname(ownFolder)) === 'node_modules' ? join(dirname(ownFolder), '.bin') : null;
  const isOurs = (entry: string): boolean => {
    const way = relative(ownFolder, entry);
    const isInside = way === '' || (way !== '..' && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
    return isInside || (parentBin !== null && relative(parentBin, entry) === '');
  };
  const isOfNpm = (entry: string): boolean => /[/\\]node-gyp-bin[/\\]?$/.test(entry);
  return value
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isOurs(normalize(entry)) && !isOfNpm(entry))
    .join(delimiter);
}

/** The package's folder, from where this code lies: `out/cli/` when built, `src-main/adapters/` in tests. */
export const OWN_FOLDER = ownFolderOf(import.meta.dirname);

function ownFolderOf(codeFolder: string): string {
  const match = /^(.*)[/\\](?:out[/\\](?:cli|main)|src-main[/\\]adapters)(?:[/\\].*)?$/.exec(codeFolder);
  return match?.[1] ?? codeFolder;
}
