import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Project } from '../../../src-shared/model/project.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import { record, type GitWorld } from './git-world.ts';
import { openRowsOf, settleRow } from './journal.ts';
import { removeFolder } from './remove-folder.ts';
import { indexIn } from './tree-index.ts';
import { isMissing } from './workbench.ts';

/**
 * Lets go of the tree of a repository that is gone: git can keep nothing of it any more, so its folder is moved to
 * the leftovers of its task as it is. Every step may be repeated.
 *
 * @returns where its files are now; null when there was nothing to keep
 */
export async function abandonTree(
  world: GitWorld,
  project: Project,
  tree: TreeRecord,
): Promise<string | null> {
  const { folders, stores, clock } = world;
  const place = path.join(folders.leftovers(tree.taskId), String(clock.now()));
  let leftIn: string | null = null;
  // In one that is being made no agent was ever; of one that is being removed everything is kept already.
  if (tree.state === 'active') leftIn = await movedTo(tree.path, place);
  await removeFolder(folders.trees, tree.path);
  const index = indexIn(folders.project(project), tree.taskId);
  await rm(index, { force: true });
  await rm(index.replace(/\.index$/, '.links.json'), { force: true });
  // The last tree takes the project's folder with it.
  await rmdir(path.dirname(tree.path)).catch(() => undefined);
  stores.transaction(() => {
    for (const row of openRowsOf(world, tree.taskId)) settleRow(world, row.id, 'undone');
    const last = stores.trees.get(tree.taskId) ?? tree;
    stores.trees.put({ ...last, state: 'removed' });
    record(world, project, tree.taskId, 'tree.removed', {
      branch: tree.branch,
      lastCommit: last.lastCommit,
      leftIn,
    });
  });
  return leftIn;
}

async function movedTo(from: string, to: string): Promise<string | null> {
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
    return to;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
