import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { KeptState } from '../../core/ports/workspaces.ts';
import { record } from './git-world.ts';
import { openRow, openRowsOf, settleRow } from './journal.ts';
import { keepState } from './keep-state.ts';
import { conflictRef, mergeRef } from './laid-merge.ts';
import { filesOf } from './make-tree.ts';
import { removeFolder } from './remove-folder.ts';
import { baseRef, type Repository } from './repository.ts';
import { adminFolder, backPointerText, examineTree, MARK_FILE, textOf } from './tree-identity.ts';
import { keptIndex } from './tree-index.ts';
import { exists, isMissing } from './workbench.ts';

/**
 * Keeps what would be lost, writes the tombstone, then removes step by step; every step may be repeated, and after
 * the tombstone nothing but removing is left to do.
 *
 * @throws AppError 'tree-not-ours' when the folder is not provably the one we made
 */
export async function removeTree(
  repository: Repository,
  tree: TreeRecord,
  reason: string,
): Promise<KeptState | null> {
  const { world } = repository;
  if (tree.state === 'removed') return null;
  let kept: KeptState | null = null;
  if (tree.state === 'active') {
    await proveOurs(repository, tree);
    kept = await keepState(repository, tree, reason);
    world.step('remove:kept');
    world.stores.transaction(() => {
      world.stores.trees.put({ ...(world.stores.trees.get(tree.taskId) ?? tree), state: 'removing' });
      openRow(world, repository.project, tree.taskId, 'remove-tree', {
        path: tree.path,
        branch: tree.branch,
        reason,
      });
    });
  } else if (tree.state === 'making') {
    // No agent was ever in it.
    world.stores.transaction(() => {
      world.stores.trees.put({ ...tree, state: 'removing' });
      openRow(world, repository.project, tree.taskId, 'remove-tree', {
        path: tree.path,
        branch: tree.branch,
        reason,
      });
    });
  }
  world.step('remove:tombstone');
  await finishRemoval(repository, { ...tree, state: 'removing' });
  return kept;
}

/** The mark must be right in the record and in git's folder; a vanished tree has nothing left to prove. */
async function proveOurs(repository: Repository, tree: TreeRecord): Promise<void> {
  const problem = await examineTree(repository, tree);
  if (problem === null) return;
  // An altered pointer or another branch does not make it somebody else's: place and mark are what counts.
  if (problem.problem === 'pointer-altered' || problem.problem === 'other-branch') {
    if ((await textOf(path.join(adminFolder(repository, tree), MARK_FILE))) === tree.mark) return;
  }
  if (problem.problem === 'gone' && !(await exists(tree.path))) return;
  throw new AppError('tree-not-ours', `${problem.message} It is left alone.`, {
    hint: 'Look at it, and remove it by hand if it is not needed.',
  });
}

/** Everything behind the tombstone. Done steps are found done. */
export async function finishRemoval(repository: Repository, tree: TreeRecord): Promise<void> {
  const { world, project } = repository;
  await removeFolder(world.folders.trees, tree.path);
  world.step('remove:folder');
  await repository.exclusively(async () => {
    await removeAdmin(repository, tree);
    world.step('remove:admin');
    await repository.dropRef(mergeRef(tree.taskId));
    await repository.dropRef(conflictRef(tree.taskId));
    world.step('remove:merge-ref');
    await dropMergedBranch(repository, tree);
    world.step('remove:branch');
  });
  const index = keptIndex(filesOf(repository, tree));
  await rm(index, { force: true });
  await rm(index.replace(/\.index$/, '.links.json'), { force: true });
  world.step('remove:index');
  await rmdir(path.dirname(tree.path)).catch(ignoreNotEmpty);
  const rows = openRowsOf(world, tree.taskId).filter((row) =>
    ['remove-tree', 'make-tree'].includes(row.intent),
  );
  world.stores.transaction(() => {
    for (const row of rows) settleRow(world, row.id, row.intent === 'remove-tree' ? 'done' : 'undone');
    const last = world.stores.trees.get(tree.taskId) ?? tree;
    world.stores.trees.put({ ...last, state: 'removed' });
    record(world, project, tree.taskId, 'tree.removed', { branch: tree.branch, lastCommit: last.lastCommit });
  });
}

/** Git's folder about the tree, only if it is about this very path. */
async function removeAdmin(repository: Repository, tree: TreeRecord): Promise<void> {
  const admin = adminFolder(repository, tree);
  const gitdir = await textOf(path.join(admin, 'gitdir'));
  const isAboutIt = gitdir === backPointerText(tree.path);
  // A removal that was cut short may have taken the file already and left others.
  const isRest = gitdir === null && (await exists(admin)) && !(await exists(tree.path));
  if (isAboutIt || isRest) await rm(admin, { recursive: true, force: true });
  await rmdir(path.dirname(admin)).catch(ignoreNotEmpty);
}

/**
 * The branch goes only when its work is in the base branch, or when it never had any; otherwise it stays, as the
 * only name of the work.
 */
async function dropMergedBranch(repository: Repository, tree: TreeRecord): Promise<void> {
  const ref = `refs/heads/${tree.branch}`;
  const head = await repository.resolve(ref);
  if (head === null || (await isCheckedOut(repository, ref))) return;
  const base = await repository.resolve(baseRef(repository.project));
  const isMerged = head === tree.baseCommit || (base !== null && (await repository.contains(base, head)));
  const isSafe = isMerged && (await repository.isReachable(head, [ref]));
  if (isSafe) await repository.updateRef(ref, null, head, 'its work is in the base branch');
}

async function isCheckedOut(repository: Repository, ref: string): Promise<boolean> {
  const { text } = await repository.refs(['worktree', 'list', '--porcelain', '-z']);
  return text.split('\0').includes(`branch ${ref}`);
}

function ignoreNotEmpty(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (isMissing(error) || code === 'ENOTEMPTY' || code === 'EEXIST') return;
  throw error;
}
