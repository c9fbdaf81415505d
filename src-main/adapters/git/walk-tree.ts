import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { foldSegment } from '../../core/workspace/path-rules.ts';
import { isMissing } from './workbench.ts';

/** What a walk found by names and links alone; ignored files included, paths relative with `/`. */
export interface WalkFindings {
  /** Link → its target as written. */
  readonly outwardLinks: ReadonlyMap<string, string>;
  readonly nestedRepositories: readonly string[];
  /** Folders laid out like a bare repository (git's is_git_directory: HEAD, objects, refs), or on the way to it. */
  readonly bareLayouts: readonly string[];
  /** Names that some file system takes for `.git`, and pipes or devices under names that git opens. */
  readonly gitLookalikes: readonly string[];
}

/** Files that git opens by name while it looks at a tree; as a pipe or device they would hold it up for ever. */
const READ_BY_GIT = new Set(['.gitignore', '.gitattributes', '.gitmodules']);

/**
 * Names are bytes, and need not be text: paths are kept byte by byte (as latin1 strings) while the file system is
 * asked, so that no file hides behind a name that cannot be decoded.
 */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const text = (raw: string): string => Buffer.from(raw, 'latin1').toString('utf8');
const raw = (place: string): Buffer => Buffer.from(place, 'latin1');

/**
 * Walks a tree without following any link. A folder that vanishes while it is read is taken for empty.
 *
 * @param root real path of the tree
 */
export async function walkTree(root: string): Promise<WalkFindings> {
  const outwardLinks = new Map<string, string>();
  const nestedRepositories: string[] = [];
  const bareLayouts: string[] = [];
  const gitLookalikes: string[] = [];
  const top = bytes(root);

  const walk = async (folder: string): Promise<void> => {
    const entries = await entriesOf(path.join(top, folder));
    const names = new Set(entries.map((entry) => entry.name.toString('utf8').toLowerCase()));
    if (isLikeBare(folder, names)) bareLayouts.push(text(folder));
    for (const entry of entries) {
      const name = entry.name.toString('utf8');
      const own = entry.name.toString('latin1');
      const place = folder === '' ? own : `${folder}/${own}`;
      if (foldSegment(name) === '.git') {
        // The tree's own pointer is proved elsewhere, to the byte.
        if (place === '.git') continue;
        if (name === '.git') nestedRepositories.push(text(folder));
        else gitLookalikes.push(text(place));
      } else if (entry.isSymbolicLink()) {
        const target = await outwardTarget(top, place);
        if (target !== null) outwardLinks.set(text(place), text(target));
      } else if (entry.isDirectory()) {
        await walk(place);
      } else if (!entry.isFile() && READ_BY_GIT.has(name.toLowerCase())) {
        gitLookalikes.push(text(place));
      }
    }
  };
  await walk('');
  return { outwardLinks, nestedRepositories, bareLayouts, gitLookalikes };
}

/** What git needs to see to take a folder for a git directory, and `config`, by which it could be one soon. */
const isLikeBare = (folder: string, names: ReadonlySet<string>): boolean =>
  folder !== '' && names.has('head') && (names.has('config') || (names.has('objects') && names.has('refs')));

async function entriesOf(folder: string): Promise<readonly Dirent<Buffer>[]> {
  try {
    return await readdir(raw(folder), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The target of a link that leads outside, as written; null for one that stays inside. */
async function outwardTarget(top: string, place: string): Promise<string | null> {
  const link = path.join(top, place);
  let target: string;
  try {
    target = (await readlink(raw(link), { encoding: 'buffer' })).toString('latin1');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return isBelow(top, await whereItEnds(link, target)) ? null : target;
}

/** Where a link ends as far as the file system can tell; a dangling one ends where its words point. */
async function whereItEnds(link: string, target: string): Promise<string> {
  try {
    return await realOf(link);
  } catch {
    // Dangling, circular or not ours to read: its words decide, from the longest part that is there.
    return await realOfExisting(path.resolve(path.dirname(link), target));
  }
}

const realOf = async (place: string): Promise<string> =>
  (await realpath(raw(place), { encoding: 'buffer' })).toString('latin1');

async function realOfExisting(wanted: string): Promise<string> {
  const missing: string[] = [];
  for (let at = wanted; ; at = path.dirname(at)) {
    try {
      return path.join(await realOf(at), ...missing);
    } catch {
      // A dangling link on the way is judged by its own entry in the walk.
      missing.unshift(path.basename(at));
      if (path.dirname(at) === at) return wanted;
    }
  }
}

export const isBelow = (root: string, file: string): boolean =>
  file === root || file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);

/**
 * Whether each part of the path but the last is a real folder, so that what is done to it happens inside the tree.
 *
 * @returns the first part that is a link, relative to the tree; null when none is
 */
export async function linkOnTheWay(root: string, relative: string): Promise<string | null> {
  const parts = relative.split(/[/\\]/);
  for (let depth = 1; depth < parts.length; depth += 1) {
    const place = parts.slice(0, depth).join('/');
    try {
      if ((await lstat(path.join(root, place))).isSymbolicLink()) return place;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
  return null;
}
