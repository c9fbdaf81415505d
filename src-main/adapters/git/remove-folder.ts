import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import { isBelow } from './walk-tree.ts';
import { isMissing } from './workbench.ts';

/**
 * Removes a tree's folder without following any link in it, folders without write permission included (package
 * caches are made so). Not there is done.
 *
 * @param trees the folder of all trees; anything that is not exactly two levels below it is refused
 * @throws AppError 'tree-not-ours'
 */
export async function removeFolder(trees: string, tree: string): Promise<void> {
  const depth = path.relative(trees, tree).split(path.sep).length;
  if (!isBelow(trees, tree) || depth !== 2) {
    throw new AppError('tree-not-ours', `${tree} is not a worktree of Signalbox's.`);
  }
  try {
    const found = await lstat(tree);
    if (!found.isDirectory()) {
      throw new AppError('tree-not-ours', `${tree} is a link or a file, not a worktree of ours.`, {
        hint: 'Remove it by hand.',
      });
    }
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    await rm(tree, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    await makeWritable(tree);
    await rm(tree, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(path.join(folder, entry.name));
  }
}
