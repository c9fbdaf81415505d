import { constants, type Stats } from 'node:fs';
import { chmod, cp, lstat, mkdir, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isForbidden, staysInside } from '../../core/workspace/path-rules.ts';
import { fields } from './git-command.ts';
import { acceptLinks } from './tree-findings.ts';
import { ignoredAmong, keptIndex, onFiles, withIndex, type TreeFiles } from './tree-index.ts';
import { isBelow, linkOnTheWay } from './walk-tree.ts';
import { isMissing } from './workbench.ts';

/** Most that one shared path may hold: a large `node_modules`, not a disk by mistake. */
const MOST_FILES = 300_000;
const MOST_BYTES = 8 * 1024 ** 3;

/** How many links, folders and files a copy may still have. */
interface Room {
  files: number;
  bytes: number;
}

/** A sentence for the person about one shared path; the others are copied all the same. */
class NotShared extends Error {}

/**
 * Copies what the project shares from the main checkout into a task's tree, where it is not there yet (12-engine, Test
 * runs). A copy appears at once or not at all, so that one that a crash cut is made again. What a task or its set-up
 * command has made of a path since stays.
 *
 * @returns a sentence for each path that cannot be shared as it is
 */
export async function sharePaths(files: TreeFiles): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const given of files.repository.project.settings.share) {
    const place = path.posix.normalize(given.replaceAll('\\', '/')).replace(/\/+$/, '');
    try {
      await sharePath(files, place);
    } catch (error) {
      if (!(error instanceof NotShared)) throw error;
      problems.push(error.message);
    }
  }
  return problems;
}

async function sharePath(files: TreeFiles, place: string): Promise<void> {
  const { root } = files.repository.project.facts;
  if (!staysInside(place) || isForbidden(place, [])) {
    throw new NotShared(`${place} is no path that can be shared.`);
  }
  await refuseTracked(files, place);
  const target = path.join(files.path, place);
  if ((await linkOnTheWay(files.path, place)) !== null) {
    throw new NotShared(`${place} cannot be copied into the worktree: a link is on the way to it.`);
  }
  if ((await lookAt(target)) !== null) return;
  const link = await linkOnTheWay(root, place);
  if (link !== null) throw new NotShared(`${place} lies behind the link ${link} of the main checkout.`);
  const source = path.join(root, place);
  const stats = await lookAt(source);
  if (stats === null) throw new NotShared(`${place} is not in the main checkout (${root}).`);
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new NotShared(`${place} of the main checkout is neither a file nor a folder.`);
  }
  await proveIgnored(files, place, stats.isDirectory());
  // Known before they are there: a crash in between must not look like the work of an agent.
  await acceptLinks(files, await examine(root, place));
  await copyInto(files, source, target);
}

async function lookAt(file: string): Promise<Stats | null> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** What git has anyway comes from git. */
async function refuseTracked(files: TreeFiles, place: string): Promise<void> {
  const tracked = await withIndex(files, false, (index) =>
    onFiles(files, index, ['ls-files', '-z', '--', place]),
  );
  const [first] = fields(tracked);
  if (first !== undefined) {
    throw new NotShared(`${place} is in git (${first}); only what git ignores can be shared.`);
  }
}

/** In the tree, whose rules decide what is taken into a commit. */
async function proveIgnored(files: TreeFiles, place: string, isFolder: boolean): Promise<void> {
  // Behind a slash a rule for folders alone holds as well, although the folder is not there yet.
  const asked = isFolder ? `${place}/` : place;
  const ignored = await withIndex(files, false, (index) => ignoredAmong(files, index, [asked]));
  if (ignored.size === 0) {
    throw new NotShared(
      `${place} is not ignored by git in the worktree, so a copy of it would be committed.`,
    );
  }
}

/**
 * @returns links that lead out of the checkout, relative to its root, with their target as written
 * @throws NotShared for more than is copied, and for links by which a task could reach the person's files
 */
async function examine(root: string, place: string): Promise<Readonly<Record<string, string>>> {
  const room: Room = { files: MOST_FILES, bytes: MOST_BYTES };
  const outwardLinks: Record<string, string> = {};
  const take = async (at: string): Promise<void> => {
    const stats = await lookAt(path.join(root, at));
    if (stats === null) return;
    room.files -= 1;
    if (stats.isFile()) room.bytes -= stats.size;
    if (room.files < 0 || room.bytes < 0) {
      throw new NotShared(
        `${place} is too large to copy for each task: more than ${MOST_FILES} files or ${MOST_BYTES / 1024 ** 3} GiB.`,
      );
    }
    if (stats.isSymbolicLink()) {
      const target = await readlink(path.join(root, at));
      if (await leadsOutside(root, at, target)) outwardLinks[at] = target;
    } else if (stats.isDirectory()) {
      for (const name of await readdir(path.join(root, at))) await take(`${at}/${name}`);
    }
  };
  await take(place);
  return outwardLinks;
}

/**
 * Links are copied as they are written. One that stays inside the checkout stays inside the tree; one that leads to a
 * file elsewhere, as a Python environment's to its interpreter, is the person's own and may stay.
 *
 * @throws NotShared for every other
 */
async function leadsOutside(root: string, at: string, target: string): Promise<boolean> {
  const end = await realpath(path.join(root, at)).catch(() => null);
  const written = path.resolve(path.dirname(path.join(root, at)), target);
  if (!path.isAbsolute(target) && isBelow(root, written) && (end === null || isBelow(root, end)))
    return false;
  if (end !== null && !isBelow(root, end) && (await stat(end)).isFile()) return true;
  throw new NotShared(
    `${at} is a link to ${target}: only links inside the copy, or to a file outside the checkout, can be shared.`,
  );
}

async function copyInto(files: TreeFiles, source: string, target: string): Promise<void> {
  const draft = draftOf(files);
  await rm(draft, { recursive: true, force: true });
  await mkdir(path.dirname(draft), { recursive: true, mode: 0o700 });
  try {
    await cp(source, draft, {
      recursive: true,
      // Blocks are shared until one side writes, where the file system can do that.
      mode: constants.COPYFILE_FICLONE,
      // Tools judge by times what they have to build again.
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: async (from) => {
        const stats = await lookAt(from);
        // Sockets and pipes belong to a process of the person's.
        return stats !== null && (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink());
      },
    });
    const { mode } = await lstat(draft);
    // A folder that may not be written cannot be moved, as its entry `..` changes.
    if ((mode & 0o200) === 0) await chmod(draft, mode | 0o200);
    await mkdir(path.dirname(target), { recursive: true });
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Where a copy grows; on the disk of the trees. What a crash leaves there `recover` clears away. */
const draftOf = (files: TreeFiles): string => keptIndex(files).replace(/\.index$/, '.share.tmp');
