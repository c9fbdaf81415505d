import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import which from 'which';

/**
 * Where a command's program lies for the person: a name on PATH, or a path from the tree.
 *
 * @returns the real path, links followed; null when there is no such program
 */
export async function findExecutable(name: string, tree: string, searchPath: string): Promise<string | null> {
  const target = name.includes('/') ? path.resolve(tree, name) : name;
  const found = await which(target, { path: searchPath, nothrow: true });
  if (found === null) return null;
  try {
    return realpathSync(found);
  } catch {
    return null;
  }
}

/**
 * Run inside the sandbox with the program as `$1`: prints its real path and, where stat(1) is GNU's, which file it
 * is by device and inode; a bound folder has another path and is still the same. It goes through PATH itself:
 * `command -v` prints the bare word for what the shell has built in (`true`, `test`, `[`), also where there is a
 * program of that name, and that program is what runs.
 */
const FIND_INSIDE = [
  'p=',
  'case $1 in */*) p=$1 ;; *) set -f; IFS=:',
  'for d in $PATH; do [ -f "${d:-.}/$1" ] && [ -x "${d:-.}/$1" ] && p=${d:-.}/$1 && break; done',
  'esac',
  '[ -n "$p" ] || exit 127',
  'case $p in /*) ;; *) p=./$p ;; esac',
  '[ -x "$p" ] || exit 126',
  'readlink -f -- "$p" 2>/dev/null || echo "$p"',
  'stat -L -c %d:%i -- "$p" 2>/dev/null || true',
].join('; ');

/** Argument vector that looks for a program inside the sandbox; {@link isSameProgram} reads its output. */
export const findInside = (name: string): readonly string[] => ['/bin/sh', '-c', FIND_INSIDE, 'sh', name];

/** @param output what {@link findInside} printed */
export function isSameProgram(executable: string, output: string): boolean {
  const [real = '', identity = ''] = output.split('\n');
  if (real === executable) return true;
  const { dev, ino } = statSync(executable, { bigint: true });
  return identity === `${dev}:${ino}`;
}

/** Programs that only start the real one, which lies elsewhere below HOME: folder of the stub → what it needs. */
const STUBS: readonly (readonly [stub: string, needs: string])[] = [
  ['.pyenv/shims', '.pyenv'],
  ['.pyenv/plugins', '.pyenv'],
  ['.rbenv/shims', '.rbenv'],
  ['.nodenv/shims', '.nodenv'],
  ['.asdf/shims', '.asdf'],
  ['.local/share/mise/shims', '.local/share/mise'],
  ['.volta/bin', '.volta'],
  ['.cargo/bin', '.rustup'],
];

/**
 * What a stub needs that is not read in the sandbox.
 *
 * @param executable real path
 * @param isReadable whether a path is visible in the sandbox
 * @returns absolute folder, or null when nothing is missing
 */
export function missingForStub(
  executable: string,
  home: string,
  isReadable: (folder: string) => boolean,
): string | null {
  for (const [stub, needs] of STUBS) {
    const way = path.relative(path.join(home, stub), executable);
    if (way.startsWith('..') || path.isAbsolute(way)) continue;
    const folder = path.join(home, needs);
    return isReadable(folder) ? null : folder;
  }
  return null;
}

/**
 * The folder that has to be readable for a program below HOME: its tool's own.
 *
 * @returns absolute
 */
export function suggestRead(executable: string, home: string): string {
  const way = path.relative(home, executable);
  if (way.startsWith('..') || path.isAbsolute(way)) return path.dirname(executable);
  const parts = way.split(path.sep);
  const depth = parts[0] === '.local' || parts[0] === '.config' ? 3 : 1;
  return path.join(home, ...parts.slice(0, Math.min(depth, Math.max(1, parts.length - 1))));
}

/** What a POSIX shell has by itself and what is in no folder of PATH, or need not be. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  (
    '. : [ [[ ! alias bg break case cd command continue declare echo eval exec exit export false fc fg for ' +
    'getopts hash if jobs let local printf pwd read readonly return set shift source test time times trap true ' +
    'type typeset ulimit umask unalias unset until wait while'
  ).split(' '),
);

/** True for a word that only a shell can run, where there is no program of that name. */
export const isShellWord = (word: string): boolean => SHELL_WORDS.has(word);
