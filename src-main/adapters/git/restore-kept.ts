import { AppError } from '../../../src-shared/errors.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { WorkspaceOf } from '../../core/ports/workspaces.ts';
import { restoredBranchName } from '../../core/workspace/branch-name.ts';
import { record } from './git-world.ts';
import { openRow, settleRow } from './journal.ts';
import { keptRef } from './keep-state.ts';
import { baseRef, NO_COMMIT, type Repository } from './repository.ts';
import { exists } from './workbench.ts';

export interface Restored {
  readonly branch: string;
  readonly commit: string;
}

/**
 * Brings what is left of a task onto a branch: what was kept of its tree onto a new one, committed work onto the
 * task's own, which is mostly still there.
 *
 * @throws AppError 'not-found' when nothing is to be restored: the message says where its work is
 */
export async function restoreKept(repository: Repository, of: WorkspaceOf): Promise<Restored> {
  const kept = await repository.resolve(keptRef(of.taskId));
  if (kept !== null) return await ontoNewBranch(repository, of, kept);
  const tree = repository.world.stores.trees.get(of.taskId);
  if (tree === null) {
    throw new AppError(
      'not-found',
      `Task ${of.taskNumber} has never had a worktree; nothing of it is kept.`,
      {
        hint: 'See what is kept: signalbox task kept',
      },
    );
  }
  const head = await repository.resolve(`refs/heads/${tree.branch}`);
  if (head !== null && head !== tree.baseCommit) return { branch: tree.branch, commit: head };
  const { lastCommit } = tree;
  const isWork = lastCommit !== tree.baseCommit && (await repository.hasCommit(lastCommit));
  if (isWork && !(await isInBase(repository, lastCommit))) {
    return await ontoNewBranch(repository, of, lastCommit);
  }
  throw await nothingKept(repository, of, tree, isWork);
}

async function isInBase(repository: Repository, commit: string): Promise<boolean> {
  const base = await repository.resolve(baseRef(repository.project));
  return base !== null && (await repository.contains(base, commit));
}

async function nothingKept(
  repository: Repository,
  of: WorkspaceOf,
  tree: TreeRecord,
  isMerged: boolean,
): Promise<AppError> {
  const changes = { hint: `See what it changed: signalbox task diff ${of.taskNumber}` };
  if (isMerged) {
    return new AppError(
      'not-found',
      `The work of task ${of.taskNumber} is in ${repository.project.baseBranch}; nothing else of it is kept.`,
      changes,
    );
  }
  if (tree.state === 'active' && (await exists(tree.path))) {
    return new AppError(
      'not-found',
      `Nothing is kept of task ${of.taskNumber} yet: it has committed nothing, and its worktree is still there (${tree.path}).`,
      changes,
    );
  }
  return new AppError('not-found', `Task ${of.taskNumber} left nothing behind that could be kept.`, {
    hint: 'See what is kept: signalbox task kept',
  });
}

async function ontoNewBranch(repository: Repository, of: WorkspaceOf, commit: string): Promise<Restored> {
  const { world, project } = repository;
  return await repository.exclusively(async () => {
    for (let attempt = 1; ; attempt += 1) {
      const branch = restoredBranchName(of.taskNumber, of.title, attempt);
      const ref = `refs/heads/${branch}`;
      const there = await repository.resolve(ref);
      if (there === commit) return { branch, commit };
      if (there !== null) continue;
      const row = openRow(world, project, of.taskId, 'restore', { ref, old: null, new: commit });
      const made = await repository.updateRef(ref, commit, NO_COMMIT, `restore task ${of.taskNumber}`);
      if (made !== 'done') {
        settleRow(world, row, 'undone');
        if (made === 'moved') continue;
        throw new AppError('git-locked', `Another program holds ${made.lockedBy}.`);
      }
      settleRow(world, row, 'done', () =>
        record(world, project, of.taskId, 'tree.restored', { branch, commit }),
      );
      return { branch, commit };
    }
  });
}
