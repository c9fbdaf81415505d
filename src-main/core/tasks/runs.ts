import type { SessionId } from '../../../src-shared/ids.ts';
import { NO_CHANGES } from '../../../src-shared/model/task.ts';
import type { Run, Task } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { RELAY } from '../workflow/definition.ts';

type RunDeps = Pick<CoreDeps, 'stores' | 'clock' | 'ids'>;

/** Begins the first run of a task, at its first step with a fresh session to come. */
export function beginRun(deps: RunDeps, task: Task): { readonly task: Task; readonly run: Run } {
  const run: Run = {
    id: deps.ids.next('run'),
    taskId: task.id,
    workflow: RELAY.name,
    state: 'running',
    step: RELAY.first,
    nextTurn: { kind: 'start' },
    sessionId: null,
    baseCommit: null,
    commit: null,
    questions: 0,
    extraQuestions: 0,
    countedAttempts: 0,
    pendingChanges: NO_CHANGES,
    startedAt: deps.clock.now(),
    endedAt: null,
  };
  return store(deps, task, run);
}

/**
 * Begins a new run on the same task: attempts count from 0, session, tree, commit and questions stay unless `fresh`
 * (12-engine, Words).
 */
export function beginRunAgain(
  deps: RunDeps,
  task: Task,
  before: Run,
  fresh: boolean,
): { readonly task: Task; readonly run: Run } {
  const sessionId: SessionId | null = fresh ? null : before.sessionId;
  const run: Run = {
    ...before,
    id: deps.ids.next('run'),
    state: 'running',
    step: fresh ? RELAY.first : before.step,
    sessionId,
    nextTurn: sessionId === null ? { kind: 'start' } : before.nextTurn,
    countedAttempts: 0,
    startedAt: deps.clock.now(),
    endedAt: null,
  };
  deps.stores.runs.update({ ...before, state: 'halted', nextTurn: null, endedAt: deps.clock.now() });
  return store(deps, task, run);
}

function store(deps: RunDeps, task: Task, run: Run): { readonly task: Task; readonly run: Run } {
  const withRun: Task = { ...task, runId: run.id, updatedAt: deps.clock.now() };
  deps.stores.runs.insert(run);
  deps.stores.tasks.update(withRun);
  return { task: withRun, run };
}
