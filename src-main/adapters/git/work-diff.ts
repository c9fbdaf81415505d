import type { TreeRecord } from '../../core/ports/stores.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { laidMerge } from './laid-merge.ts';
import { filesOf } from './make-tree.ts';
import type { Repository } from './repository.ts';
import { takeAll, withIndex } from './tree-index.ts';
import { walkTree } from './walk-tree.ts';
import { exists } from './workbench.ts';

/**
 * The whole work of a task against the commit that it began from, what is not committed yet included, as a unified
 * diff. Empty when there is none. Only looks: an agent may be writing meanwhile.
 */
export async function diffOf(repository: Repository, tree: TreeRecord | null): Promise<string> {
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
    if (isAppError(error, 'git-failed')) return null;
    throw error;
  }
}
