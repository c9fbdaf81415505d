import { counted } from '../../../src-shared/counted.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { NextTurn, Run, Task } from '../../../src-shared/model/task.ts';
import { seconds } from '../../../src-shared/time.ts';
import type { AccountLock } from '../limits/account-lock.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { ownerMark } from '../ports/world.ts';
import type { WorkTree } from '../ports/workspaces.ts';
import { moveTask, projectOf, runOf, taskFact, taskOf } from '../tasks/moves.ts';
import { stepAfter, workflowNamed } from '../workflow/definition.ts';
import { agentOf } from '../projects/project-figures.ts';
import { runCommand } from './command-step.ts';
import type { CommandResult } from './command-step.ts';
import { lastAttempt } from './commit-step.ts';
import { parkForConflict } from './merge-step.ts';
import { parkTask } from './park.ts';
import { prepareTree, workspaceOf } from './prepare-tree.ts';
import type { Job } from './runtime.ts';
import { parkOrRequeue } from './settle-turn.ts';

export interface TestStepResult {
  readonly kind: 'passed' | 'rested';
  readonly notes: readonly string[];
  readonly result: CommandResult | null;
}

const RESTED: TestStepResult = { kind: 'rested', notes: [], result: null };

/**
 * Runs the project's tests on the run's commit (or on the commit merged with the present base, for a retest) and moves
 * the task when they do not pass. What the tests changed in tracked files is put back.
 */
export async function runTestStep(
  deps: CoreDeps,
  lock: AccountLock,
  job: Job,
  task: Task,
): Promise<TestStepResult> {
  const run = runOf(deps, task);
  const project = projectOf(deps, task.projectId);
  const command = project.settings.testCommand;
  if (command === undefined || run.commit === null) return { kind: 'passed', notes: [], result: null };
  const attempt = lastAttempt(deps, run);
  const tree = await prepareTree(deps, job, task, run, attempt);
  if (tree === null) return RESTED;
  const target =
    run.step === 'retest' ? await layMerged(deps, task, run) : { commit: run.commit, base: null };
  if (target === null) return RESTED;
  const tested = await underAccountLock(deps, lock, job, task, project, (account, lockWaitMs) =>
    runCommand(
      deps,
      job,
      { task, run, attemptId: attempt.id, commit: target.commit, lockWaitMs },
      {
        purpose: 'test',
        project: project.name,
        tree: tree.path,
        checkout: { root: project.facts.root, share: project.settings.share },
        command,
        shell: project.settings.shell,
        timeout: seconds(project.settings.testTimeoutS),
        allowNetwork: project.settings.allowNetwork,
        sandboxRead: project.settings.sandboxRead,
        environmentNames: project.settings.env,
        account,
        allowUnconfined: project.settings.allowUnconfinedTests,
        ownerMark: ownerMark(deps.stores.hubId, attempt.id),
      },
    ),
  );
  const restored = await deps.workspaces.restoreAfterTests(workspaceOf(deps, task), run.commit);
  const notes = [
    ...(restored.restored.length === 0
      ? []
      : [`Tests changed ${counted(restored.restored.length, 'file; it was', 'files; they were')} put back.`]),
    ...(restored.moved.length === 0
      ? []
      : [
          `Tests left ${counted(restored.moved.length, 'new file; it is', 'new files; they are')} kept with the test output.`,
        ]),
  ];
  if (tested === 'lock-timeout') {
    failTests(
      deps,
      task,
      null,
      'lock-timeout',
      'The tests waited for the agent account past their time limit.',
    );
    return RESTED;
  }
  if (tested === 'account-busy') {
    parkTask(deps, task, {
      kind: 'manual',
      cause: 'tests-unavailable',
      message: 'Processes of the agent account live on and could not be ended, so no tests can run under it.',
    });
    return RESTED;
  }
  if (tested === 'stopped') return RESTED;
  return afterTests(deps, task, tree, target.base, tested, notes);
}

async function layMerged(
  deps: CoreDeps,
  task: Task,
  run: Run,
): Promise<{ readonly commit: string; readonly base: string } | null> {
  const preview = await deps.workspaces.mergePreview(workspaceOf(deps, task), run.commit ?? '');
  if (preview.kind === 'clean') return { commit: preview.commit, base: preview.base };
  parkForConflict(deps, task, preview.paths);
  return null;
}

const WITHOUT_LOCK = {
  stopped: 'stopped',
  'timed-out': 'lock-timeout',
  'not-reaped': 'account-busy',
} as const;

/** Tests that run under the agent account take turns, across all projects and processes; the wait is in the ledger. */
async function underAccountLock(
  deps: CoreDeps,
  lock: AccountLock,
  job: Job,
  task: Task,
  project: Project,
  run: (account: string | null, lockWaitMs: number) => Promise<CommandResult>,
): Promise<CommandResult | 'lock-timeout' | 'stopped' | 'account-busy'> {
  const account = agentOf(deps.stores, project.settings.agent).testsUnderAccount
    ? (project.settings.runTestsAs ?? null)
    : null;
  if (account === null) return run(null, 0);
  const acquired = await lock.acquire({
    account,
    owner: deps.ids.next('launch'),
    timeout: seconds(project.settings.testTimeoutS),
    isStopped: () => job.stopReason !== null,
  });
  const waitedMs = Math.round(acquired.waitedMs);
  deps.stores.ledger.append(
    taskFact(deps, task, 'account.lock_wait', { waitedMs, account, outcome: acquired.kind }),
  );
  if (acquired.kind !== 'held') return WITHOUT_LOCK[acquired.kind];
  const { lock: held } = acquired;
  void held.lost.then(() => job.stopCurrent?.('person'));
  try {
    return await run(account, waitedMs);
  } finally {
    if (await deps.commands.reapAccount(account)) held.release();
    else held.abandon();
  }
}

function afterTests(
  deps: CoreDeps,
  task: Task,
  tree: WorkTree,
  retestedBase: string | null,
  result: CommandResult,
  notes: readonly string[],
): TestStepResult {
  switch (result.state) {
    case 'passed':
      deps.stores.runs.update({
        ...runOf(deps, task),
        ...(retestedBase === null ? {} : { baseCommit: retestedBase }),
      });
      return { kind: 'passed', notes, result };
    case 'stopped':
      return RESTED;
    case 'refused':
      parkTask(deps, task, {
        kind: 'manual',
        cause: 'tests-unavailable',
        message: result.message,
        details: [result.hint, tree.path],
      });
      return RESTED;
    case 'failed':
    case 'timed-out':
      failTests(
        deps,
        task,
        { kind: 'tests-failed', testRunId: result.testRun.id },
        'tests-failed',
        result.state === 'failed'
          ? `the tests ended with exit code ${result.exitCode ?? 'unknown'}`
          : 'the tests ran past their time limit',
      );
      return RESTED;
  }
}

/** A failing test run counts as a failed attempt and goes back to the agent as an automatic resume. */
function failTests(
  deps: CoreDeps,
  task: Task,
  nextTurn: NextTurn | null,
  reason: string,
  message: string,
): void {
  deps.stores.transaction(() => {
    const current = taskOf(deps, task.id);
    if (current.state !== 'testing') return;
    const run = runOf(deps, current);
    const counted = run.countedAttempts + 1;
    const step = nextTurn === null ? run.step : stepAfter(workflowNamed(run.workflow), run.step, 'failed');
    deps.stores.runs.update({ ...run, step, nextTurn, countedAttempts: counted });
    parkOrRequeue(deps, current, counted, reason, message);
  });
}

/** A task that goes back to the queue because its tests were stopped starts with them again. */
export const requeueTests = (deps: CoreDeps, task: Task, reason: string): void => {
  const current = taskOf(deps, task.id);
  if (current.state === 'testing') moveTask(deps, current, 'requeue', reason);
};
