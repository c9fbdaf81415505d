import type { JournalId } from '../../../src-shared/ids.ts';
import type { JournalRow, TreeRecord } from '../../core/ports/stores.ts';
import type { MergeOutcome, WorkspaceOf } from '../../core/ports/workspaces.ts';
import { commitSubject } from '../../core/workspace/commit-subject.ts';
import {
  baseCheckouts,
  bringAlong,
  isLockedByUs,
  lockCheckout,
  lockProof,
  uncommitted,
  unlockCheckout,
  wouldBeLost,
  type BaseCheckout,
} from './base-checkout.ts';
import { record } from './git-world.ts';
import { openRow, settleRow } from './journal.ts';
import { laidMerge } from './laid-merge.ts';
import { computeMerge, mergeCommit } from './lay-merge.ts';
import { baseRef, type Repository } from './repository.ts';

type Outcome = MergeOutcome | { readonly kind: 'base-moved'; readonly base: string };

/**
 * See `Workspaces.merge`. The merge is computed without a checkout; moving the base branch is the one step that
 * decides. Checkouts of the base branch are locked and looked at before it and brought along after it.
 */
export async function mergeWork(
  repository: Repository,
  tree: TreeRecord | null,
  of: WorkspaceOf,
  commit: string,
  testedBase: string,
): Promise<Outcome> {
  const { settings } = of.project;
  if (settings.merge === 'none') return { kind: 'left-on-branch' };
  return await repository.exclusively(async (): Promise<Outcome> => {
    const base = await repository.baseHead();
    if (await repository.contains(base, commit)) {
      return commit === tree?.baseCommit
        ? { kind: 'left-on-branch' }
        : { kind: 'merged', commit: base, baseBefore: testedBase };
    }
    if (base !== testedBase && settings.retest !== 'never') return { kind: 'base-moved', base };
    const target = await targetOf(repository, of, base, commit);
    if (typeof target !== 'string') return target;
    return await moveBase(repository, of, { base, target, commit });
  });
}

/** The commit that the base branch is to point to. */
async function targetOf(
  repository: Repository,
  of: WorkspaceOf,
  base: string,
  commit: string,
): Promise<string | Outcome> {
  const isAhead = await repository.contains(commit, base);
  if (of.project.settings.merge === 'ff') return isAhead ? commit : { kind: 'not-fast-forward' };
  // What was tested is what is merged: the retested merge, by itself or by the work that it was made of.
  const [first, second] = await repository.parentsOf(commit);
  if (first === base && second !== undefined) return commit;
  const laid = await laidMerge(repository, of.taskId);
  if (laid !== null && !laid.isConflict && laid.base === base && laid.work === commit) return laid.commit;

  const merged = await computeMerge(repository, base, commit);
  if (merged.kind === 'conflict') return { kind: 'conflict', paths: merged.paths };
  return await mergeCommit(repository, merged, base, commit, mergeTitle(of));
}

export const mergeTitle = (of: WorkspaceOf): string =>
  `Merge task ${of.taskNumber}: ${commitSubject(of)}\n\nSignalbox-Task: ${of.taskNumber}`;

interface Move {
  readonly base: string;
  readonly target: string;
  readonly commit: string;
}

async function moveBase(repository: Repository, of: WorkspaceOf, move: Move): Promise<Outcome> {
  const { world, project } = repository;
  const checkouts = await baseCheckouts(repository);
  const row = openRow(world, project, of.taskId, 'merge', {
    ref: baseRef(project),
    old: move.base,
    new: move.target,
    commit: move.commit,
    checkouts: JSON.stringify(checkouts),
  });
  world.step('merge:journaled');
  const proof = lockProof(world.hub, row);
  const refuse = async (outcome: Outcome): Promise<Outcome> => {
    for (const checkout of checkouts) await unlockCheckout(checkout, proof);
    settleRow(world, row, 'undone');
    return outcome;
  };
  for (const checkout of checkouts) {
    const holder = await lockCheckout(repository, checkout, proof);
    if (holder !== null) return await refuse({ kind: 'locked', message: `Another program holds ${holder}.` });
    const dirty = await uncommitted(repository, checkout, move.base);
    if (dirty !== null) return await refuse({ kind: 'base-dirty', checkout: checkout.path, paths: dirty });
    const paths = await wouldBeLost(repository, checkout, move.base, move.target);
    if (paths.length > 0) return await refuse({ kind: 'base-occupied', checkout: checkout.path, paths });
  }
  world.step('merge:locked');
  const updated = await repository.updateRef(
    baseRef(project),
    move.target,
    move.base,
    `merge task ${of.taskNumber}`,
  );
  world.step('merge:updated');
  if (updated === 'moved') return await refuse({ kind: 'base-moved', base: await repository.baseHead() });
  if (updated !== 'done')
    return await refuse({ kind: 'locked', message: `Another program holds ${updated.lockedBy}.` });
  await finishMerge(repository, row, of.taskId, move, checkouts, false);
  return { kind: 'merged', commit: move.target, baseBefore: move.base };
}

async function finishMerge(
  repository: Repository,
  row: JournalId,
  taskId: WorkspaceOf['taskId'],
  move: Move,
  checkouts: readonly BaseCheckout[],
  isAgain: boolean,
): Promise<void> {
  const { world, project } = repository;
  const proof = lockProof(world.hub, row);
  for (const checkout of checkouts) {
    const isAlong = await bringAlong(repository, checkout, move.base, move.target, isAgain);
    world.step('merge:along');
    await unlockCheckout(checkout, proof);
    if (!isAlong) {
      // The branch is merged; the checkout shows the difference as changes, and nothing of the person's is touched.
      world.log.warn('A checkout could not be brought along after a merge.', { project: project.name });
    }
  }
  settleRow(world, row, 'done', () =>
    record(world, project, taskId, 'git.merged', {
      branch: project.baseBranch,
      commit: move.commit,
      merged: move.target,
      baseBefore: move.base,
      mode: project.settings.merge,
    }),
  );
}

/** After a crash: asks only whether base contains the commit. */
export async function settleMerge(repository: Repository, row: JournalRow): Promise<void> {
  const { world } = repository;
  const [old, target, commit] = [
    row.data['old'] ?? null,
    row.data['new'] ?? null,
    row.data['commit'] ?? null,
  ];
  const checkouts = JSON.parse(row.data['checkouts'] ?? '[]') as readonly BaseCheckout[];
  await repository.exclusively(async () => {
    const base = await repository.resolve(baseRef(repository.project));
    const isDone = base !== null && target !== null && (await repository.contains(base, target));
    if (!isDone || old === null || commit === null || row.taskId === null) {
      for (const checkout of checkouts) await unlockCheckout(checkout, lockProof(world.hub, row.id));
      settleRow(world, row.id, 'undone');
      return;
    }
    const proof = lockProof(world.hub, row.id);
    // Without our lock the checkout was finished before the crash, or a person has gone on in it since.
    const unfinished: BaseCheckout[] = [];
    for (const checkout of checkouts) if (await isLockedByUs(checkout, proof)) unfinished.push(checkout);
    await finishMerge(repository, row.id, row.taskId, { base: old, target, commit }, unfinished, true);
  });
}
