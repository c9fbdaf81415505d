import type { ProjectSettings } from '../../../src-shared/model/project.ts';
import type { Attempt, Run, Task } from '../../../src-shared/model/task.ts';
import { shellWord } from '../../../src-shared/shell-word.ts';
import { seconds } from '../../../src-shared/time.ts';
import { ALTERED_TREE_ACTIONS } from '../inbox/item-actions.ts';
import { recreateKey } from '../inbox/resolve-action.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { ownerMark } from '../ports/world.ts';
import type { PrepareOutcome, WorkspaceOf, WorkTree } from '../ports/workspaces.ts';
import { projectOf } from '../tasks/moves.ts';
import { missesNetwork } from '../workspace/misses-network.ts';
import { runCommand } from './command-step.ts';
import { parkTask, safetyStop } from './park.ts';
import type { Job } from './runtime.ts';

export const workspaceOf = (deps: Pick<CoreDeps, 'stores'>, task: Task): WorkspaceOf => ({
  taskId: task.id,
  taskNumber: task.number,
  title: task.title,
  project: projectOf(deps, task.projectId),
});

/**
 * Makes or checks the task's tree and runs the set-up command when its inputs changed. Parks the task itself when
 * that does not work.
 *
 * @returns null when the task was parked or stopped
 */
export async function prepareTree(
  deps: CoreDeps,
  job: Job,
  task: Task,
  run: Run,
  attempt: Attempt,
): Promise<WorkTree | null> {
  const of = workspaceOf(deps, task);
  const mustRecreate = deps.stores.settings.get(recreateKey(task.id)) === true;
  const prepared = mustRecreate ? await deps.workspaces.recreate(of) : await deps.workspaces.prepare(of);
  if (prepared.kind !== 'ready') {
    parkForTree(deps, task, prepared);
    return null;
  }
  if (mustRecreate) deps.stores.settings.remove(recreateKey(task.id));
  const { tree } = prepared;
  const stored = deps.stores.runs.get(run.id);
  if (stored !== null && stored.baseCommit === null)
    deps.stores.runs.update({ ...stored, baseCommit: tree.baseCommit });
  const setup = of.project.settings.setupCommand;
  if (setup === undefined || !prepared.needsSetup) return tree;
  const isSetUp = await setUp(deps, job, task, run, attempt, tree, setup);
  if (!isSetUp) return null;
  await deps.workspaces.setupDone(of);
  return tree;
}

function parkForTree(
  deps: CoreDeps,
  task: Task,
  prepared: Exclude<PrepareOutcome, { readonly kind: 'ready' }>,
): void {
  if (prepared.kind === 'locked') {
    parkTask(deps, task, { kind: 'manual', cause: 'git-locked', message: prepared.message });
    return;
  }
  if (prepared.kind === 'not-shared') {
    const { name } = projectOf(deps, task.projectId);
    parkTask(deps, task, {
      kind: 'manual',
      cause: 'step-failed',
      message: 'What the project shares could not be copied into the worktree.',
      details: [
        ...prepared.problems,
        `Put that right in the main checkout, or change the list: signalbox project set ${shellWord(name)} share='[…]'`,
      ],
    });
    return;
  }
  if (prepared.problem === 'pointer-altered' || prepared.problem === 'not-ours') {
    safetyStop(deps, task, prepared.problem, {
      kind: 'review',
      cause: 'safety-stop',
      message: prepared.message,
      // A folder that is not ours is never removed: only the person can put that right.
      ...(prepared.problem === 'pointer-altered' ? { actions: ALTERED_TREE_ACTIONS } : {}),
    });
    return;
  }
  parkTask(deps, task, { kind: 'review', cause: 'tree-gone', message: prepared.message });
}

async function setUp(
  deps: CoreDeps,
  job: Job,
  task: Task,
  run: Run,
  attempt: Attempt,
  tree: WorkTree,
  command: readonly string[],
): Promise<boolean> {
  const { name, settings, facts } = projectOf(deps, task.projectId);
  const done = await runCommand(
    deps,
    job,
    { task, run, attemptId: attempt.id, commit: null },
    {
      purpose: 'setup',
      project: name,
      tree: tree.path,
      checkout: { root: facts.root, share: settings.share },
      command,
      shell: settings.shell,
      timeout: seconds(settings.setupTimeoutS),
      allowNetwork: settings.allowNetwork,
      sandboxRead: settings.sandboxRead,
      environmentNames: settings.env,
      account: null,
      allowUnconfined: settings.allowUnconfinedTests,
      ownerMark: ownerMark(deps.stores.hubId, attempt.id),
    },
  );
  if (done.state === 'passed') return true;
  if (done.state === 'stopped') return false;
  parkTask(deps, task, {
    kind: 'manual',
    cause: done.state === 'refused' ? 'tests-unavailable' : 'setup-failed',
    message:
      done.state === 'refused'
        ? done.message
        : `The set-up command ${done.state === 'timed-out' ? 'ran past its time limit' : `failed with exit code ${done.exitCode ?? 'unknown'}`}.`,
    details:
      done.state === 'refused'
        ? [done.hint]
        : [...networkHint(name, settings, done.tail), ...lastLines(done.tail)],
  });
  return false;
}

/** The only fix there is for a command that has to load something where the network is closed. */
const networkHint = (name: string, settings: ProjectSettings, output: string): readonly string[] =>
  settings.allowNetwork || !missesNetwork(output)
    ? []
    : [
        `It seems to need the network, which commands of this project do not have. Allow it: signalbox project set ${shellWord(name)} allowNetwork=true`,
      ];

const lastLines = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-20);
