import type { Run, Task } from '../../../src-shared/model/task.ts';
import type { ApproveOffer } from '../../../src-shared/model/item.ts';
import { raiseItem } from '../inbox/raise-item.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { TestRun } from '../ports/stores.ts';
import { accountNotice, agentOf } from '../projects/project-figures.ts';
import { moveTask, projectOf, runOf, taskFact, taskOf } from '../tasks/moves.ts';

/** Raises the approve item for the run's commit and moves the task, in one transaction. */
export function offerForApproval(
  deps: CoreDeps,
  task: Task,
  tests: { readonly testRun: TestRun | null; readonly notes: readonly string[] },
): void {
  deps.stores.transaction(() => {
    const current = taskOf(deps, task.id);
    const run = runOf(deps, current);
    const project = projectOf(deps, task.projectId);
    const unusedAccount = accountNotice(project, agentOf(deps.stores, project.settings.agent));
    const offer: ApproveOffer = {
      commit: run.commit,
      baseCommit: run.baseCommit ?? '',
      testRunId: tests.testRun?.id ?? null,
      testOutcome:
        run.commit === null ? 'nothing-to-test' : tests.testRun === null ? 'not-configured' : 'passed',
      changedFiles: changedFilesOf(deps, task),
      notes: [
        ...notesOf(deps, task, run),
        ...(tests.testRun === null || unusedAccount === null ? [] : [unusedAccount]),
        ...tests.notes,
      ],
    };
    const item = raiseItem(deps, {
      kind: 'approve',
      task: current,
      agent: project.settings.agent,
      summary: run.pendingChanges.summary,
      offer,
    });
    moveTask(deps, current, 'offer');
    const readyMs = current.readyAt === null ? null : Math.max(0, item.raisedAt - current.readyAt);
    deps.stores.ledger.append({
      ...taskFact(deps, current, 'task.offered', { commit: run.commit, readyToApproveMs: readyMs }),
      item: item.number,
    });
  });
}

function changedFilesOf(deps: CoreDeps, task: Task): number {
  const committed = deps.stores.ledger.page({
    taskId: task.id,
    kind: 'task.committed',
    limit: 1,
    newest: true,
  });
  const files = committed.at(-1)?.data['files'];
  return typeof files === 'number' ? files : 0;
}

/** Denials do not fail a run; a person who approves should see them. */
function notesOf(deps: CoreDeps, task: Task, run: Run): readonly string[] {
  const notes: string[] = [];
  if (run.commit === null) notes.push('The agent reports done and changed nothing.');
  const turns = new Set(
    deps.stores.turns
      .ofTask(task.id)
      .filter((turn) => turn.runId === run.id)
      .map((turn) => turn.id),
  );
  const denied = new Map<string, number>();
  for (let after = 0; ;) {
    const page = deps.stores.events.page(task.id, after, 1000);
    if (page.length === 0) break;
    for (const stored of page) {
      after = stored.id;
      if (stored.event.kind === 'denied' && turns.has(stored.turnId)) {
        const what = `${stored.event.tool}: ${stored.event.reason}`;
        denied.set(what, (denied.get(what) ?? 0) + 1);
      }
    }
  }
  for (const [what, count] of denied)
    notes.push(count === 1 ? `Denied ${what}` : `Denied ${count} times ${what}`);
  return notes;
}
