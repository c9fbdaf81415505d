import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { AppError } from '../../src-shared/errors.ts';

export interface DataFolder {
  /** Database, artifacts, worktrees, kill file. */
  readonly data: string;
  /** `config.toml|yaml|json`. */
  readonly config: string;
}

/**
 * Where the data lies: `SIGNALBOX_HOME` for both (00-product, Data), else the platform's convention: XDG state and
 * config on Linux, Application Support on macOS, AppData on Windows. Nothing is created.
 *
 * @throws AppError 'usage' for a relative `SIGNALBOX_HOME`: it would mean another folder after each `cd`
 */
export function locateDataFolder(env: Readonly<Record<string, string | undefined>>): DataFolder {
  const home = env['SIGNALBOX_HOME'];
  if (home !== undefined && home !== '') {
    if (!path.isAbsolute(home)) {
      throw new AppError('usage', 'SIGNALBOX_HOME has to be an absolute path.', {
        hint: `SIGNALBOX_HOME=${path.resolve(home)}`,
      });
    }
    const data = path.normalize(home);
    return { data, config: data };
  }
  const paths = envPaths('signalbox', { suffix: '' });
  // env-paths' `log` is XDG_STATE_HOME on Linux; on macOS configuration belongs into Application Support too.
  if (process.platform === 'linux') return { data: paths.log, config: paths.config };
  return { data: paths.data, config: process.platform === 'darwin' ? paths.data : paths.config };
}

/**
 * Makes the folders, only readable for this user (0700), and proves that they can be used.
 *
 * @throws AppError 'data-folder-unusable' when one is no folder, another user's, or cannot be written
 */
export function openDataFolder(folder: DataFolder): DataFolder {
  for (const each of new Set([folder.data, folder.config])) prepareFolder(each);
  return folder;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  ENOENT: 'there is no such place',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it is not a folder',
  ELOOP: 'its path is a circle of links',
};

const unusable = (folder: string, problem: string, cause?: unknown): AppError =>
  new AppError('data-folder-unusable', `The data folder ${folder} cannot be used: ${problem}.`, {
    hint: 'Give this user a folder it may write to, or set SIGNALBOX_HOME to another one.',
    cause,
  });

/** Runs the work with failures of the file system as what they mean for the folder. */
function explained(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    throw unusable(folder, PROBLEMS[code] ?? 'it could not be created', error);
  }
}

const mayUse = (folder: string): void => accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);

function assertOurs(folder: string): void {
  if (!statSync(folder).isDirectory()) throw unusable(folder, 'it is not a folder');
  if (process.getuid === undefined) return;
  const { mode, uid } = statSync(folder);
  const self = process.getuid();
  if (self !== 0 && uid !== self) throw unusable(folder, 'it belongs to another user');
  // `/tmp` and its like are not ours to close; what lies in them would not be ours alone either.
  if ((mode & 0o1002) !== 0) throw unusable(folder, 'everybody may write to it');
}

function prepareFolder(folder: string): void {
  explained(folder, () => {
    makeFolders(folder);
    assertOurs(folder);
    mayUse(folder);
    if (process.getuid === undefined) return;
    const { mode, uid } = statSync(folder);
    if ((mode & 0o077) !== 0 && uid === process.getuid()) chmodSync(folder, 0o700);
  });
}

/** The folder itself, or the nearest one above it that is there. */
export function nearestThere(folder: string): string {
  let each = folder;
  while (!existsSync(each) && path.dirname(each) !== each) each = path.dirname(each);
  return each;
}

/**
 * What `openDataFolder` would say, without making or changing anything.
 *
 * @throws AppError 'data-folder-unusable'
 */
export function examineDataFolder(folder: string): void {
  explained(folder, () => {
    const there = nearestThere(folder);
    if (there === folder) assertOurs(folder);
    else if (!statSync(there).isDirectory()) throw unusable(folder, `${there} is not a folder`);
    mayUse(there);
  });
}

/** Not `recursive`: where the system answers ENOENT below a folder that is there (`/proc`), Node 24 never returns. */
function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let each = folder; !existsSync(each); each = path.dirname(each)) missing.unshift(each);
  for (const each of missing) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch (error) {
      // Another process of ours was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(each)) throw error;
    }
  }
}
