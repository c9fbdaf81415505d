import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  CREDENTIAL_FILES,
  credentialCandidates,
  parseUnixSockets,
  socketCandidates,
} from './named-sockets.ts';
import type { SandboxFacts } from './sandbox-plan.ts';

export interface FactsInput {
  readonly tree: string;
  /** The hub's own environment, whole. */
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  /** PATH as the command gets it. */
  readonly commandPath: string;
  readonly homeFolder: string;
  /** The account's own home, as the system knows it; null when it knows none. */
  readonly accountHome: string | null;
  readonly dataFolder: string;
  readonly sandboxRead: readonly string[];
  readonly allowNetwork: boolean;
}

/** @returns null when it does not exist or may not be looked at: then nobody reaches it by that path */
function realOrNull(target: string): string | null {
  try {
    return realpathSync(target);
  } catch {
    return null;
  }
}

type Kind = 'folder' | 'file' | 'socket' | 'none';

function kindOf(target: string): Kind {
  try {
    const stat = statSync(target);
    if (stat.isDirectory()) return 'folder';
    return stat.isSocket() ? 'socket' : 'file';
  } catch {
    return 'none';
  }
}

const realOfKind = (targets: readonly string[], kind: Kind): readonly string[] =>
  [
    ...new Set(targets.map(realOrNull).filter((real) => real !== null && kindOf(real) === kind)),
  ] as readonly string[];

/**
 * A path as it must appear in the sandbox: where it really lies, and, if it is itself a link, also under the name
 * of the link, since the folder around that may be an empty one.
 */
function asNamed(target: string): readonly string[] {
  const real = realOrNull(target);
  const parent = realOrNull(path.dirname(target));
  if (real === null || parent === null) return [];
  const named = path.join(parent, path.basename(target));
  return named === real ? [real] : [real, named];
}

/** `~/x` and `x` mean below HOME. */
export const expandRead = (entry: string, homeFolder: string): string =>
  path.resolve(homeFolder, entry === '~' ? '.' : entry.replace(/^~\//, ''));

/** Sockets of the system with a path, by `/proc/net/unix`; none where there is no such file. */
function systemSockets(): readonly string[] {
  try {
    return parseUnixSockets(readFileSync('/proc/net/unix', 'latin1'));
  } catch {
    return [];
  }
}

/** Stands in for credential files; made once, readable for an agent account too. */
function emptyFileIn(dataFolder: string): string | null {
  const file = path.join(dataFolder, 'empty-file');
  try {
    const isMade = existsSync(file);
    if (!isMade) writeFileSync(file, '', { flag: 'wx', mode: 0o444 });
    return statSync(file).size === 0 ? realOrNull(file) : null;
  } catch {
    return null;
  }
}

/** Looks at the disk, now: sockets come and go, so this is asked before every run. */
export function findSandboxFacts(input: FactsInput): SandboxFacts {
  const tree = realpathSync(input.tree);
  const homes = realOfKind([input.homeFolder, input.accountHome ?? input.homeFolder], 'folder');
  const pointer = path.join(tree, '.git');
  const below = homes.flatMap((home) => CREDENTIAL_FILES.map((name) => path.join(home, name)));
  const credentials = [...below, ...credentialCandidates(input.inheritedEnv)];
  const runtime = input.inheritedEnv['XDG_RUNTIME_DIR'];
  return {
    tree,
    // In the tree itself, so a link there is not followed.
    gitPointer: kindOf(pointer) === 'file' && realOrNull(pointer) === pointer ? pointer : null,
    homes: homes.filter((home) => home !== path.sep),
    dataFolder: realOrNull(input.dataFolder),
    runtimeFolder: runtime === undefined || !path.isAbsolute(runtime) ? null : realOrNull(runtime),
    emptied: realOfKind(['/tmp', '/var/tmp', '/run', '/var/run'], 'folder'),
    pathFolders: input.commandPath
      .split(path.delimiter)
      .filter((entry) => path.isAbsolute(entry) && kindOf(entry) === 'folder')
      .flatMap(asNamed),
    reads: input.sandboxRead.flatMap((entry) => asNamed(expandRead(entry, input.homeFolder))),
    resolver: realOrNull('/etc/resolv.conf'),
    credentialFolders: realOfKind(credentials, 'folder'),
    credentialFiles: realOfKind(credentials, 'file'),
    sockets: realOfKind([...socketCandidates(input.inheritedEnv), ...systemSockets()], 'socket'),
    emptyFile: emptyFileIn(input.dataFolder),
    allowNetwork: input.allowNetwork,
  };
}
