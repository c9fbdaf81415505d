import { tmpdir } from 'node:os';
import { AppError, isAppError } from '../../../src-shared/errors.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { WorkspaceOf } from '../../core/ports/workspaces.ts';
import { explained, lackOf } from './explain-failure.ts';
import type { GitWorld } from './git-world.ts';
import { laidMerge } from './laid-merge.ts';
import { lookElsewhere } from './look-elsewhere.ts';
import { filesOf } from './make-tree.ts';
import { openRepository, type Repository } from './repository.ts';
import { takeAll, withIndex } from './tree-index.ts';
import { walkTree } from './walk-tree.ts';
import { exists } from './workbench.ts';

/**
 * The whole work of a task against the commit that it began from, what is not committed yet included, as a unified
 * diff. Empty when there is none. Only looks: an agent may be writing meanwhile. Git needs a place to write to for
 * that; where ours takes nothing, the temp folder is one.
 *
 * @throws AppError 'disk-full' | 'data-folder-unusable' when that takes nothing either
 */
export async function diffOf(world: GitWorld, of: WorkspaceOf, tree: TreeRecord | null): Promise<string> {
  try {
    return await diffIn(await openRepository(world, of.project, of.taskId), tree);
  } catch (error) {
    if (lackOf(error) === null) throw explained(error, AGAIN);
  }
  try {
    return await lookElsewhere(world, of.project, of.taskId, (repository) => diffIn(repository, tree));
  } catch (error) {
    throw nowhere(error);
  }
}

const AGAIN = 'ask for the changes again';

function nowhere(error: unknown): unknown {
  const lack = lackOf(error);
  const temp = tmpdir();
  if (lack === 'room') {
    return new AppError(
      'disk-full',
      `There is no room to compare files, neither in the data folder nor in the temp folder (${temp}).`,
      { hint: `Make room on one of their disks, then ${AGAIN}.`, cause: error },
    );
  }
  const { path: place } = error as { readonly path?: unknown };
  if (lack === 'access' && typeof place === 'string' && place.startsWith(temp)) {
    return new AppError(
      'data-folder-unusable',
      `Files cannot be compared: neither the data folder nor the temp folder (${temp}) can be written.`,
      { hint: `Let this user write to one of them, then ${AGAIN}.`, cause: error },
    );
  }
  // A file of the worktree that cannot be read.
  return explained(error, AGAIN);
}

async function diffIn(repository: Repository, tree: TreeRecord | null): Promise<string> {
  if (tree === null || !(await repository.hasCommit(tree.baseCommit))) return '';
  const laid = await laidMerge(repository, tree.taskId);
  const head = laid?.commit ?? (await repository.resolve(`refs/heads/${tree.branch}`)) ?? tree.lastCommit;
  const { text } = await repository.content([
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--ignore-submodules=none',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    laid?.base ?? tree.baseCommit,
    (await treeNow(repository, tree, head)) ?? head,
  ]);
  return text;
}

/** Null when the files cannot be taken safely now; the committed work is shown then. */
async function treeNow(repository: Repository, tree: TreeRecord, head: string): Promise<string | null> {
  if (tree.state !== 'active' || !(await exists(tree.path))) return null;
  const { nestedRepositories, gitLookalikes } = await walkTree(tree.path);
  // Git would look into a nested repository by that one's own settings.
  if (nestedRepositories.length > 0 || gitLookalikes.length > 0) return null;
  try {
    return await withIndex(filesOf(repository, tree), false, (index) =>
      takeAll(filesOf(repository, tree), index, head),
    );
  } catch (error) {
    // To leave out work for want of room would be no answer.
    if (isAppError(error, 'git-failed') && lackOf(error) === null) return null;
    throw error;
  }
}
