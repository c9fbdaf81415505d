import type { TaskId } from '../../../src-shared/ids.ts';
import type { Repository } from './repository.ts';

export const mergeRef = (taskId: TaskId): string => `refs/signalbox/merge/${taskId}`;
/** Names the same commit as `mergeRef` when what lies there has conflicts: it is to be resolved, never merged. */
export const conflictRef = (taskId: TaskId): string => `refs/signalbox/conflict/${taskId}`;

/** Work merged with a newer base, which lies in the tree in place of the work alone. */
export interface LaidMerge {
  readonly commit: string;
  /** First parent: the base it was merged with. */
  readonly base: string;
  /** Second parent: the work. */
  readonly work: string;
  /** Files hold git's conflict marks, or one side of what cannot be marked. */
  readonly isConflict: boolean;
}

/** @returns null when the tree holds the branch's own work */
export async function laidMerge(repository: Repository, taskId: TaskId): Promise<LaidMerge | null> {
  const commit = await repository.resolve(mergeRef(taskId));
  if (commit === null) return null;
  const [base, work] = await repository.parentsOf(commit);
  if (base === undefined || work === undefined) return null;
  const tree = repository.world.stores.trees.get(taskId);
  // A commit made since then has taken the merge in; the ref is left from a crash right after it.
  if (tree !== null && tree.lastCommit !== work && (await repository.contains(tree.lastCommit, base))) {
    await repository.dropRef(mergeRef(taskId));
    return null;
  }
  const isConflict = (await repository.resolve(conflictRef(taskId))) === commit;
  return { commit, base, work, isConflict };
}
