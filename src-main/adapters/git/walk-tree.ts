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
  readonly gitLookalikes: readonly string[];
}

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

  const walk = async (folder: string): Promise<void> => {
    const entries = await entriesOf(path.join(root, folder));
    const names = new Set(entries.map((entry) => entry.name.toLowerCase()));
    if (
      folder !== '' &&
      names.has('head') &&
      (names.has('config') || (names.has('objects') && names.has('refs')))
    ) {
      bareLayouts.push(folder);
    }
    for (const entry of entries) {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (foldSegment(entry.name) === '.git') {
        // The tree's own pointer is proved elsewhere, to the byte.
        if (place === '.git') continue;
        if (entry.name === '.git') nestedRepositories.push(folder);
        else gitLookalikes.push(place);
        continue;
      }
      if (entry.isSymbolicLink()) {
        const target = await outwardTarget(root, place);
        if (target !== null) outwardLinks.set(place, target);
      } else if (entry.isDirectory()) {
        await walk(place);
      }
    }
  };
  await walk('');
  return { outwardLinks, nestedRepositories, bareLayouts, gitLookalikes };
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The target of a link that leads outside, as written; null for one that stays inside. */
async function outwardTarget(root: string, place: string): Promise<string | null> {
  const link = path.join(root, place);
  let target: string;
  try {
    target = await readlink(link);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const reached = await whereItEnds(link, target);
  return isBelow(root, reached) ? null : target;
}

/** Where a link ends as far as the file system can tell; a dangling one ends where its words point. */
async function whereItEnds(link: string, target: string): Promise<string> {
  try {
    return await realpath(link);
  } catch {
    // Dangling, circular or not ours to read: its words decide, from the longest part that is there.
    const wanted = path.resolve(path.dirname(link), target);
    return await realpathOfExisting(wanted);
  }
}

async function realpathOfExisting(wanted: string): Promise<string> {
  const missing: string[] = [];
  for (let at = wanted; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...missing);
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
