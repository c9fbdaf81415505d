import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import type { FolderEntry, FolderList } from '../../core/ports/machine.ts';

/** Folders that one answer lists. */
const MOST = 500;
/** Entries of a folder that are looked at; one with more is not where projects lie. */
const MOST_READ = 20_000;

const isFolder = async (place: string): Promise<boolean> =>
  (await stat(place).catch(() => null))?.isDirectory() === true;
const hasGit = async (folder: string): Promise<boolean> =>
  (await stat(path.join(folder, '.git')).catch(() => null)) !== null;

/** Names of the folders in a folder, links to folders included, hidden ones left out. */
async function namesIn(
  folder: string,
): Promise<{ readonly names: readonly string[]; readonly isCut: boolean }> {
  const names: string[] = [];
  let read = 0;
  for await (const entry of await opendir(folder)) {
    read += 1;
    if (read > MOST_READ) return { names, isCut: true };
    if (entry.name.startsWith('.')) continue;
    const is =
      entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(path.join(folder, entry.name))));
    if (is) names.push(entry.name);
  }
  return { names, isCut: false };
}

/**
 * The folders in a folder. No file is named and nothing is opened but the folder itself.
 *
 * @throws AppError 'usage' for a relative path; 'file-unreadable' for what is no folder or cannot be looked into
 */
export async function listFolders(given: string | null, home: string): Promise<FolderList> {
  const wanted = given ?? home;
  if (!path.isAbsolute(wanted)) {
    throw new AppError('usage', `${wanted} is not an absolute path.`, { hint: `Begin with ${home}.` });
  }
  try {
    const folder = await realpath(wanted);
    const { names, isCut } = await namesIn(folder);
    const sorted = [...names].sort((a, b) => a.localeCompare(b));
    const folders: FolderEntry[] = await Promise.all(
      sorted.slice(0, MOST).map(async (name) => {
        const place = path.join(folder, name);
        return { name, path: place, isRepository: await hasGit(place) };
      }),
    );
    const parent = path.dirname(folder);
    return {
      path: folder,
      parent: parent === folder ? null : parent,
      home,
      isRepository: await hasGit(folder),
      folders,
      isCut: isCut || sorted.length > MOST,
    };
  } catch (error) {
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    const why =
      code === 'ENOENT' ? 'does not exist' : code === 'ENOTDIR' ? 'is not a folder' : 'cannot be looked into';
    throw new AppError('file-unreadable', `${wanted} ${why}.`, {
      hint: 'Choose another folder.',
      cause: error,
    });
  }
}
