import type { Attempt, NextTurn, Run, Task } from '../../../src-shared/model/task.ts';
import { assertNever } from '../../../src-shared/errors.ts';
import { ALTERED_TREE_ACTIONS } from '../inbox/item-actions.ts';
import { acceptedHashesKey, acceptedPlacesKey } from '../inbox/resolve-action.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { CommitOutcome, Violation } from '../ports/workspaces.ts';
import { withoutAttachments } from '../relay/prompts.ts';
import { runOf, taskFact } from '../tasks/moves.ts';
import { stepAfter, workflowNamed } from '../workflow/definition.ts';
import { executedOutside } from '../workspace/executed-paths.ts';
import { parkTask, safetyStop } from './park.ts';
import { prepareTree, workspaceOf } from './prepare-tree.ts';
import type { Job } from './runtime.ts';
import { parkOrRequeue } from './settle-turn.ts';

/** Validates, scans and commits what the agent left in its tree (12-engine, Git). Parks the task when it may not be taken. */
export async function runCommitStep(deps: CoreDeps, job: Job, task: Task): Promise<'done' | 'rested'> {
  const run = runOf(deps, task);
  const tree = await prepareTree(deps, job, task, run, lastAttempt(deps, run));
  if (tree === null) return 'rested';
  const known = (deps.stores.settings.get(acceptedPlacesKey(task.id)) as readonly string[] | null) ?? [];
  const outside = executedOutside(turnEvents(deps, task, run), tree.path).filter(
    (place) => !known.includes(place),
  );
  if (outside.length > 0) {
    safetyStop(deps, task, 'outside-tree', {
      kind: 'review',
      cause: 'safety-stop',
      message: "A tool of this run was executed on a path outside the task's tree. Nothing was committed.",
      details: outside,
    });
    return 'rested';
  }
  const accepted =
    (deps.stores.settings.get(acceptedHashesKey(task.projectId)) as readonly string[] | null) ?? [];
  const outcome = await deps.workspaces.commit(workspaceOf(deps, task), run.id, run.pendingChanges, accepted);
  return afterCommit(deps, task, run, outcome);
}

/** Events of the run's turns; a turn belongs to a run through its attempt. */
function turnEvents(deps: CoreDeps, task: Task, run: Run) {
  const turns = new Set(
    deps.stores.turns
      .ofTask(task.id)
      .filter((turn) => turn.runId === run.id)
      .map((turn) => turn.id),
  );
  const events = [];
  for (let after = 0; ;) {
    const page = deps.stores.events.page(task.id, after, 1000);
    if (page.length === 0) return events;
    for (const stored of page) {
      after = stored.id;
      if (turns.has(stored.turnId)) events.push(stored.event);
    }
  }
}

export function lastAttempt(deps: CoreDeps, run: Run): Attempt {
  const attempt = deps.stores.attempts.ofRun(run.id).at(-1) ?? deps.stores.attempts.ofTask(run.taskId).at(-1);
  if (attempt === undefined) throw new Error(`Run ${run.id} has no attempt.`);
  return attempt;
}

/** A conflict that was not resolved counts as a failed attempt, like tests that fail. */
function askAgain(deps: CoreDeps, task: Task, paths: readonly string[]): void {
  deps.stores.transaction(() => {
    const run = runOf(deps, task);
    const counted = run.countedAttempts + 1;
    const note = `These files still hold marks of the merge conflict: ${withoutAttachments(paths.slice(0, 20).join(', '))}. Resolve each place and take the lines of marks out.`;
    const nextTurn: NextTurn = { kind: 'again', note };
    deps.stores.runs.update({ ...run, step: 'work', nextTurn, countedAttempts: counted });
    parkOrRequeue(deps, task, counted, 'conflict-unresolved', 'marks of the merge conflict were left');
  });
}

/** What no person mends in the files: the tree has to be made anew. */
const isAltered = (violations: readonly Violation[]): boolean =>
  violations.some(({ rule }) => rule === 'pointer-altered' || rule === 'other-branch');

function afterCommit(deps: CoreDeps, task: Task, run: Run, outcome: CommitOutcome): 'done' | 'rested' {
  switch (outcome.kind) {
    case 'nothing': {
      const hasCommit = run.commit !== null;
      const step = hasCommit
        ? stepAfter(workflowNamed(run.workflow), run.step, 'committed')
        : stepAfter(workflowNamed(run.workflow), run.step, 'unchanged');
      deps.stores.runs.update({ ...runOf(deps, task), step });
      return 'done';
    }
    case 'committed':
      deps.stores.transaction(() => {
        const step = stepAfter(workflowNamed(run.workflow), run.step, 'committed');
        deps.stores.runs.update({
          ...runOf(deps, task),
          step,
          commit: outcome.commit,
          ...(outcome.base === undefined ? {} : { baseCommit: outcome.base }),
        });
        deps.stores.ledger.append(
          taskFact(deps, task, 'task.committed', {
            commit: outcome.commit,
            files: outcome.files.length,
            notes: outcome.notes,
          }),
        );
      });
      return 'done';
    case 'unresolved':
      askAgain(deps, task, outcome.paths);
      return 'rested';
    case 'violations':
      safetyStop(deps, task, outcome.violations[0]?.rule ?? 'violation', {
        kind: 'review',
        cause: 'safety-stop',
        message: 'The changed files break a rule, so nothing was committed.',
        ...(isAltered(outcome.violations) ? { actions: ALTERED_TREE_ACTIONS } : {}),
        details: outcome.violations.map((violation) => `${violation.rule}: ${violation.place}`),
      });
      return 'rested';
    case 'data-class':
      parkTask(deps, task, {
        kind: 'review',
        cause: 'data-class',
        message:
          'Added lines look like real personal data, which a synthetic project does not take. Nothing was committed.',
        details: outcome.hits.map((hit) => `${hit.rule} at ${hit.place} [${hit.hash}]`),
      });
      return 'rested';
    case 'unusable':
      parkTask(deps, task, { kind: 'review', cause: 'tree-gone', message: outcome.message });
      return 'rested';
    case 'locked':
      parkTask(deps, task, { kind: 'manual', cause: 'git-locked', message: outcome.message });
      return 'rested';
    default:
      return assertNever(outcome, 'commit outcome');
  }
}
