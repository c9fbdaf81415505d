import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import which from 'which';
import { parseWindowsShim } from '../../core/harness/claude-code/windows-shim.ts';

export interface LocateOptions {
  /** Path or command; null means `claude`. */
  readonly configured: string | null;
  /** PATH of the children, so that what is found is what would run. */
  readonly searchPath: string;
  readonly platform: NodeJS.Platform;
  /** Runs scripts: npm's shims on Windows, and an executable that is a JavaScript file. */
  readonly nodePath: string;
  /** Folder against which a relative configured path is read. */
  readonly folder: string;
}

export type Located =
  | {
      readonly kind: 'found';
      /** What the person sees: the path that was configured or found. */
      readonly path: string;
      /** What is started, without a shell in between. */
      readonly file: string;
      readonly firstArgs: readonly string[];
      /** Changes when the file does, also behind a link. */
      readonly identity: string;
    }
  | { readonly kind: 'not-found'; readonly searched: readonly string[] }
  | { readonly kind: 'unusable'; readonly path: string; readonly problem: string };

const isPath = (command: string): boolean => /[\\/]/.test(command) || path.isAbsolute(command);

async function findOnPath(command: string, options: LocateOptions): Promise<string | null> {
  return which(command, { path: options.searchPath, nothrow: true });
}

async function identityOf(file: string): Promise<string> {
  const real = await realpath(file);
  const { size, mtimeMs, ino } = await stat(real);
  return [real, size, mtimeMs, ino].join(':');
}

/** A batch file cannot be started without a shell: what it starts is read out of it. */
async function throughShim(shim: string, options: LocateOptions): Promise<Located> {
  const parsed = parseWindowsShim(await readFile(shim, 'utf8'));
  const unusable = (problem: string): Located => ({ kind: 'unusable', path: shim, problem });
  if (parsed === null)
    return unusable('This batch file is not one that npm makes, so it cannot be started safely.');
  const folder = path.dirname(shim);
  const target = path.join(folder, ...parsed.target.split('\\'));
  try {
    const identity = await identityOf(target);
    return parsed.interpreter === null
      ? { kind: 'found', path: shim, file: target, firstArgs: [], identity }
      : { kind: 'found', path: shim, file: options.nodePath, firstArgs: [target], identity };
  } catch {
    return unusable('This batch file starts a program that is not there.');
  }
}

/**
 * Finds Claude Code without running it: the configured path or command (`SIGNALBOX_CLAUDE`), else `claude` on
 * PATH. Never throws.
 */
export async function locateClaude(options: LocateOptions): Promise<Located> {
  const command = options.configured?.trim() ? options.configured.trim() : 'claude';
  const found = isPath(command) ? path.resolve(options.folder, command) : await findOnPath(command, options);
  if (found === null) {
    const folders = options.searchPath.split(options.platform === 'win32' ? ';' : ':');
    return {
      kind: 'not-found',
      searched: folders.filter((folder) => folder !== '').map((folder) => path.join(folder, command)),
    };
  }
  let identity: string;
  try {
    identity = await identityOf(found);
    if (!(await stat(found)).isFile()) {
      return { kind: 'unusable', path: found, problem: 'This is not a file.' };
    }
  } catch (error) {
    if (isMissing(error)) return { kind: 'not-found', searched: [found] };
    return { kind: 'unusable', path: found, problem: 'This file cannot be read.' };
  }
  if (options.platform === 'win32' && /\.(?:cmd|bat)$/i.test(found)) {
    return throughShim(found, options).catch((): Located => ({
      kind: 'unusable',
      path: found,
      problem: 'This batch file cannot be read.',
    }));
  }
  if (/\.(?:js|cjs|mjs)$/i.test(found)) {
    return { kind: 'found', path: found, file: options.nodePath, firstArgs: [found], identity };
  }
  return { kind: 'found', path: found, file: found, firstArgs: [], identity };
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
