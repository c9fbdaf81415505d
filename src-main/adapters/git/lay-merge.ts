import { AppError } from '../../../src-shared/errors.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { GitAnswer } from './git-command.ts';
import { fields } from './git-command.ts';
import { openRow, settleRow } from './journal.ts';
import { keepState, moveAside } from './keep-state.ts';
import { laidMerge, mergeRef } from './laid-merge.ts';
import { filesOf } from './make-tree.ts';
import { NO_COMMIT, type Repository } from './repository.ts';
import { adminFolder, examineTree } from './tree-identity.ts';
import { ignoredAmong, layOut, onFiles, showIndex, startIndex, takeAll, withIndex } from './tree-index.ts';
import { changesBetween } from './changed-files.ts';
import { walkTree } from './walk-tree.ts';

export type Merged =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly tree: string; readonly paths: readonly string[] };

/** Merges two commits without a checkout (git-merge-tree(1) of 2.38 and later). Nothing but objects is written. */
export async function computeMerge(repository: Repository, base: string, work: string): Promise<Merged> {
  const { exitCode, text }: GitAnswer = await repository.content(
    ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, work],
    { answers: [0, 1] },
  );
  const [tree = '', ...paths] = fields(text);
  return exitCode === 0 ? { kind: 'clean', tree } : { kind: 'conflict', tree, paths: [...new Set(paths)] };
}

/** A merge commit of a tree: base first, so that the base branch can simply be moved on to it. */
export const mergeCommit = (
  repository: Repository,
  merged: Merged,
  base: string,
  work: string,
  title: string,
): Promise<string> => repository.commitTree(merged.tree, [base, work], `${title}\n`);

/**
 * Lays `commit`, a merge of base and work, into the task's tree in place of the work. The side ref says that it
 * lies there until it is part of a commit, taken back, or removed with the tree.
 */
export async function layMerge(
  repository: Repository,
  tree: TreeRecord,
  commit: string,
  work: string,
): Promise<void> {
  const { world, project } = repository;
  await requireOurs(repository, tree);
  const before = await laidMerge(repository, tree.taskId);
  // What a person or a late process left there is kept before it is covered.
  await keepState(repository, tree, 'changes that lay in the tree before a merge');
  const row = openRow(world, project, tree.taskId, 'lay-merge', { commit, work });
  await repository.exclusively(() => setMergeRef(repository, tree, commit));
  world.step('lay-merge:ref');
  await showInTree(repository, tree, before?.commit ?? work, commit);
  settleRow(world, row, 'done');
}

/** Back to the work alone. Done when nothing was laid. */
export async function takeMergeBack(repository: Repository, tree: TreeRecord): Promise<void> {
  const laid = await laidMerge(repository, tree.taskId);
  if (laid === null) return;
  const { world, project } = repository;
  const row = openRow(world, project, tree.taskId, 'take-merge-back', {
    commit: laid.commit,
    work: laid.work,
  });
  await finishTakingBack(repository, tree, laid.commit, laid.work);
  settleRow(world, row, 'done');
}

/** May be repeated: the tree holds the merge, the work, or a mixture of both, and nothing else. */
export async function finishTakingBack(
  repository: Repository,
  tree: TreeRecord,
  commit: string,
  work: string,
): Promise<void> {
  await showInTree(repository, tree, commit, work);
  repository.world.step('lay-merge:back');
  await repository.exclusively(() => repository.dropRef(mergeRef(tree.taskId)));
}

async function setMergeRef(repository: Repository, tree: TreeRecord, commit: string): Promise<void> {
  const ref = mergeRef(tree.taskId);
  const old = (await repository.resolve(ref)) ?? NO_COMMIT;
  const updated = await repository.updateRef(ref, commit, old, 'merge with the present base');
  if (updated !== 'done') throw new AppError('git-locked', `The ref ${ref} is locked.`);
}

export async function showInTree(
  repository: Repository,
  tree: TreeRecord,
  from: string,
  commit: string,
): Promise<void> {
  const files = filesOf(repository, tree);
  await withIndex(files, true, async (index) => {
    await layOut(files, index, from, commit);
    await showIndex(adminFolder(repository, tree), index);
  });
}

async function requireOurs(repository: Repository, tree: TreeRecord): Promise<void> {
  const problem = await examineTree(repository, tree);
  if (problem !== null) throw new AppError('task-tree-missing', problem.message);
}

const MOST_ROUNDS = 5;

/**
 * After a test run: tracked files as in the commit, what is new and not ignored moved to the leftovers. A round is
 * repeated while it finds something, since an altered ignore file hides others.
 */
export async function restoreFiles(
  repository: Repository,
  tree: TreeRecord,
  commit: string,
): Promise<{ readonly restored: readonly string[]; readonly moved: readonly string[] }> {
  await requireOurs(repository, tree);
  const files = filesOf(repository, tree);
  const restored = new Set<string>();
  const moved = new Set<string>();
  await withIndex(files, true, async (index) => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { nestedRepositories, gitLookalikes } = await walkTree(files.path);
      const unkeepable = await notIgnored(
        repository,
        tree,
        index,
        [...nestedRepositories, ...gitLookalikes],
        commit,
      );
      for (const place of await moveAside(files, unkeepable)) moved.add(place);
      const now = await takeAll(files, index, commit);
      const changes = await changesBetween(repository, commit, now);
      if (changes.length === 0) break;
      const added = changes.filter((change) => change.oldBlob === null).map((change) => change.path);
      for (const place of await moveAside(files, added)) moved.add(place);
      for (const change of changes) {
        if (change.oldBlob !== null) restored.add(change.from ?? change.path);
        // A renamed file is a lost old name and a new one.
        if (change.from !== null) for (const place of await moveAside(files, [change.path])) moved.add(place);
      }
      await onFiles(files, index, ['read-tree', '--reset', '-u', commit]);
    }
    await showIndex(adminFolder(repository, tree), index);
  });
  return { restored: [...restored].toSorted(), moved: [...moved].toSorted() };
}

async function notIgnored(
  repository: Repository,
  tree: TreeRecord,
  index: string,
  places: readonly string[],
  commit: string,
): Promise<readonly string[]> {
  if (places.length === 0) return [];
  const files = filesOf(repository, tree);
  await startIndex(files, index, commit);
  const ignored = await ignoredAmong(files, index, places);
  return places.filter((place) => !ignored.has(place));
}
