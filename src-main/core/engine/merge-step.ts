import { assertNever } from '../../../src-shared/errors.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { mergeTried } from '../inbox/apply-response.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { MergeOutcome } from '../ports/workspaces.ts';
import { endTask } from '../tasks/end-task.ts';
import { moveTask, projectOf, runOf, taskFact, taskOf } from '../tasks/moves.ts';
import { parkTask } from './park.ts';
import { workspaceOf } from './prepare-tree.ts';

/**
 * Merges exactly the approved commit. May be repeated after a crash: the adapter asks only whether base contains it.
 */
export async function runMergeStep(deps: CoreDeps, task: Task): Promise<void> {
  const run = runOf(deps, task);
  const project = projectOf(deps, task.projectId);
  if (run.commit === null) {
    endTask(deps, taskOf(deps, task.id), 'merged', 'changed nothing');
    return;
  }
  const mustRetest = project.settings.retest === 'moved' && project.settings.testCommand !== undefined;
  const testedBase =
    mustRetest && run.baseCommit !== null ? run.baseCommit : await deps.workspaces.baseHead(project);
  const outcome = await deps.workspaces.merge(workspaceOf(deps, task), run.commit, testedBase);
  deps.stores.transaction(() => afterMerge(deps, taskOf(deps, task.id), outcome));
}

function afterMerge(
  deps: CoreDeps,
  task: Task,
  outcome: MergeOutcome | { readonly kind: 'base-moved'; readonly base: string },
): void {
  if (task.state !== 'merging') return;
  mergeTried(deps, task.id);
  const run = runOf(deps, task);
  switch (outcome.kind) {
    case 'merged':
      deps.stores.ledger.append(
        taskFact(deps, task, 'task.merge', {
          commit: run.commit,
          mergeCommit: outcome.commit,
          baseBefore: outcome.baseBefore,
        }),
      );
      endTask(deps, task, 'merged', null);
      return;
    case 'left-on-branch':
      deps.stores.ledger.append(
        taskFact(deps, task, 'task.merge', { commit: run.commit, mergeCommit: null, baseBefore: null }),
      );
      endTask(deps, task, 'merged', 'left on its branch');
      return;
    case 'base-moved':
      deps.stores.runs.update({ ...run, step: 'retest' });
      moveTask(deps, task, 'retest', 'base moved since the tests');
      return;
    case 'conflict':
      parkForConflict(deps, task, outcome.paths);
      return;
    case 'not-fast-forward':
      parkTask(deps, task, {
        kind: 'review',
        cause: 'merge-failed',
        message: 'The base branch has moved on, and this project merges by fast-forward only.',
      });
      return;
    case 'base-dirty':
      parkTask(deps, task, {
        kind: 'manual',
        cause: 'base-dirty',
        message:
          'The base branch is checked out with uncommitted changes. Commit or stash them, then choose the action "done" (Merge).',
        details: [outcome.checkout, ...outcome.paths],
      });
      return;
    case 'base-occupied':
      parkTask(deps, task, {
        kind: 'manual',
        cause: 'base-dirty',
        message:
          'Merging would overwrite files in the checkout of the base branch that are in no commit (git ignores them or does not know them): the approved commit adds files of the same names. Move them away or delete them, then choose the action "done" (Merge).',
        details: [outcome.checkout, ...outcome.paths],
      });
      return;
    case 'locked':
      parkTask(deps, task, { kind: 'manual', cause: 'git-locked', message: outcome.message });
      return;
    default:
      assertNever(outcome, 'merge outcome');
  }
}

export function parkForConflict(deps: CoreDeps, task: Task, paths: readonly string[]): void {
  parkTask(deps, task, {
    kind: 'review',
    cause: 'merge-conflict',
    message:
      'The approved commit conflicts with what has come to the base branch. Nothing was merged, nothing is lost.',
    details: paths,
  });
}
