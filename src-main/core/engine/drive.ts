import { assertNever } from '../../../src-shared/errors.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import type { AccountLock } from '../limits/account-lock.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { moveTask, runOf, taskOf } from '../tasks/moves.ts';
import { stepAfter, stepOf, workflowNamed } from '../workflow/definition.ts';
import { runAgentStep } from './agent-step.ts';
import { offerForApproval } from './approve-offer.ts';
import { runCommitStep } from './commit-step.ts';
import type { Job, Runtime } from './runtime.ts';
import { requeueTests, runTestStep } from './test-step.ts';

/**
 * Carries a dispatched task from step to step until it rests: at an item, in the queue, or at its end. What a step
 * is decides what happens, not which workflow it belongs to.
 */
export async function driveTask(
  deps: CoreDeps,
  runtime: Runtime,
  lock: AccountLock,
  job: Job,
): Promise<void> {
  for (;;) {
    const task = taskOf(deps, job.taskId);
    if (task.state !== 'running' && task.state !== 'testing') return;
    if (job.stopReason !== null) {
      putBack(deps, task, job.stopReason);
      return;
    }
    const run = runOf(deps, task);
    const step = stepOf(workflowNamed(run.workflow), run.step);
    switch (step.kind) {
      case 'agent':
        await runAgentStep(deps, runtime, job, task);
        break;
      case 'commit':
        await runCommitStep(deps, job, task);
        break;
      case 'test':
        await driveTests(deps, lock, job, task);
        break;
      case 'human-gate':
        offerForApproval(deps, task, { testRun: null, notes: [] });
        break;
      case 'merge':
        throw new Error(`Task ${task.id} is ${task.state} at its merge.`);
      default:
        assertNever(step.kind, 'step kind');
    }
    if (!hasMoved(deps, task, run.step)) return;
  }
}

/** A step that left state and place as they were has rested the task (it was stopped); going on would spin. */
function hasMoved(deps: CoreDeps, before: Task, step: string): boolean {
  const after = taskOf(deps, before.id);
  const moved = after.state !== before.state || runOf(deps, after).step !== step;
  if (!moved && (after.state === 'running' || after.state === 'testing')) {
    moveTask(deps, after, 'requeue', 'stopped');
    return false;
  }
  return moved;
}

async function driveTests(deps: CoreDeps, lock: AccountLock, job: Job, task: Task): Promise<void> {
  const begun = task.state === 'testing' ? task : moveTask(deps, task, 'begin-tests');
  const run = runOf(deps, begun);
  const tested = await runTestStep(deps, lock, job, begun);
  const current = taskOf(deps, task.id);
  if (current.state !== 'testing') return;
  if (tested.kind === 'rested') {
    requeueTests(deps, current, job.stopReason ?? 'stopped');
    return;
  }
  const next = stepAfter(workflowNamed(run.workflow), run.step, 'passed');
  deps.stores.transaction(() => {
    deps.stores.runs.update({ ...runOf(deps, current), step: next });
    if (next === 'merge') moveTask(deps, current, 'retested');
    else offerForApproval(deps, current, { testRun: tested.result?.testRun ?? null, notes: tested.notes });
  });
}

function putBack(deps: CoreDeps, task: Task, reason: string): void {
  moveTask(deps, task, 'requeue', reason);
}
