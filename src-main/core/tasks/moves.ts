import { AppError } from '../../../src-shared/errors.ts';
import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { LedgerData, LedgerFact } from '../../../src-shared/model/ledger-entry.ts';
import type { LedgerKind } from '../../../src-shared/model/ledger-kinds.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import { isEnded } from '../../../src-shared/model/task.ts';
import type { Run, Task } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { taskStateAfter } from '../relay/task-states.ts';
import type { TaskEvent } from '../relay/task-states.ts';

/** What the moves need of the world; part of `CoreDeps`. */
export type MoveDeps = Pick<CoreDeps, 'stores' | 'clock' | 'feed'>;

export function projectOf(deps: Pick<CoreDeps, 'stores'>, id: ProjectId): Project {
  const project = deps.stores.projects.get(id);
  if (project === null) throw new AppError('not-found', `There is no project ${id}.`);
  return project;
}

export function taskOf(deps: Pick<CoreDeps, 'stores'>, id: TaskId): Task {
  const task = deps.stores.tasks.get(id);
  if (task === null) throw new AppError('not-found', `There is no task ${id}.`);
  return task;
}

/** The current run of a task that has one. @throws Error when it has none: a bug */
export function runOf(deps: Pick<CoreDeps, 'stores'>, task: Task): Run {
  const run = task.runId === null ? null : deps.stores.runs.get(task.runId);
  if (run === null) throw new Error(`Task ${task.id} has no run.`);
  return run;
}

/** A ledger fact about a task, with names as they are now. */
export function taskFact(
  deps: Pick<CoreDeps, 'stores'>,
  task: Task,
  kind: LedgerKind,
  data: LedgerData = {},
): LedgerFact {
  return {
    kind,
    projectId: task.projectId,
    project: deps.stores.projects.get(task.projectId)?.name ?? null,
    taskId: task.id,
    data,
  };
}

type Underscored<Text extends string> = Text extends `${infer Word}-${infer Rest}`
  ? `${Word}_${Underscored<Rest>}`
  : Text;

const ledgerKindOf = (event: TaskEvent): `task.${Underscored<TaskEvent>}` =>
  `task.${event.replaceAll('-', '_') as Underscored<TaskEvent>}`;

/**
 * Moves a task along the one transition table, with its ledger entry, in the caller's transaction or one of its own.
 *
 * @param reason machine-readable word or sentence of ours, stored as `endedReason`; null clears it
 * @throws AppError 'task-wrong-state' for an event the state does not take
 */
export function moveTask(deps: MoveDeps, task: Task, event: TaskEvent, reason: string | null = null): Task {
  const next = taskStateAfter(task.state, event);
  if (next === null) {
    throw new AppError(
      'task-wrong-state',
      `Task #${task.number} is ${task.state}; that does not take "${event}".`,
      {
        hint: `Look at it with "signalbox task show ${task.number}".`,
      },
    );
  }
  const now = deps.clock.now();
  const moved: Task = {
    ...task,
    state: next,
    endedReason: reason,
    updatedAt: now,
    readyAt: next === 'ready' ? (task.readyAt ?? now) : task.readyAt,
  };
  deps.stores.transaction(() => {
    deps.stores.tasks.update(moved);
    deps.stores.ledger.append(
      taskFact(deps, moved, ledgerKindOf(event), {
        from: task.state,
        to: next,
        ...(reason === null ? {} : { reason }),
      }),
    );
    if (isEnded(next))
      endRun(deps, moved, next === 'done' ? 'succeeded' : next === 'failed' ? 'failed' : 'cancelled');
  });
  deps.feed.taskChanged(task.id);
  return moved;
}

function endRun(deps: MoveDeps, task: Task, state: Run['state']): void {
  const run = task.runId === null ? null : deps.stores.runs.get(task.runId);
  if (run === null) return;
  const now = deps.clock.now();
  deps.stores.runs.update({ ...run, state, nextTurn: null, endedAt: now });
  endAttempts(deps, run, state === 'succeeded' ? 'succeeded' : 'cancelled', task.endedReason);
}

/** Ends what runs of a run's attempts; a turn that is still live only books its cost when it settles. */
export function endAttempts(
  deps: Pick<CoreDeps, 'stores' | 'clock'>,
  run: Run,
  state: 'succeeded' | 'failed' | 'cancelled' | 'indeterminate',
  reason: string | null,
): void {
  for (const attempt of deps.stores.attempts.ofRun(run.id)) {
    if (attempt.state !== 'running') continue;
    deps.stores.attempts.update({ ...attempt, state, endedReason: reason, endedAt: deps.clock.now() });
  }
}
