import type { Project } from '../../../src-shared/model/project.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { shellWord } from '../../../src-shared/shell-word.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { agentOf } from '../projects/project-figures.ts';
import { projectOf } from '../tasks/moves.ts';
import { parkTask } from './park.ts';

/** The account that tests of a project run under now; null when they run as the person or there are none. */
function accountInUse(deps: Pick<CoreDeps, 'stores'>, project: Project): string | null {
  const { testCommand, runTestsAs } = project.settings;
  if (testCommand === undefined || runTestsAs === undefined) return null;
  return agentOf(deps.stores, project.settings.agent).testsUnderAccount ? runTestsAs : null;
}

/**
 * Looks, before a call is paid for, whether its work could be tested at all: an account may go missing after the
 * project named it. Parks the task with what to do when it cannot be used.
 *
 * @returns false when the task was parked
 */
export async function accountIsUsable(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'feed' | 'commands'>,
  task: Task,
): Promise<boolean> {
  const project = projectOf(deps, task.projectId);
  const account = accountInUse(deps, project);
  const problem = account === null ? null : await deps.commands.checkAccount(account);
  if (account === null || problem === null) return true;
  const { agent } = project.settings;
  parkTask(deps, task, {
    kind: 'manual',
    cause: 'tests-unavailable',
    message: `Nothing was started: the tests of project ${project.name} run under the account "${account}", which cannot be used. ${problem}`,
    details: [
      `Mend that, or name another account: signalbox project set ${shellWord(project.name)} runTestsAs=NAME`,
      `Or let its tests run as the account that Signalbox runs as: signalbox agent set ${shellWord(agent)} testsUnderAccount=false`,
    ],
  });
  return false;
}
