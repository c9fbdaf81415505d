import { counted } from '../../../src-shared/counted.ts';
import type { KillState } from '../../../src-shared/model/hold.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Attempt, Run, Task, Turn } from '../../../src-shared/model/task.ts';
import { NO_MONEY } from '../../../src-shared/money.ts';
import type { MicroUsd } from '../../../src-shared/money.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import { raiseItem } from '../inbox/raise-item.ts';
import { waitsForBudget } from '../limits/budget-wait.ts';
import { callLimits, currentDay, decideProjectReservation } from '../limits/spending.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { accountProblem, agentOf, slotsInUse } from '../projects/project-figures.ts';
import { KILL_KEY, PAUSE_KEY } from '../switches/switch-keys.ts';
import { moveTask, projectOf, taskOf } from '../tasks/moves.ts';
import { beginRun } from '../tasks/runs.ts';
import { RELAY, stepOf, workflowNamed } from '../workflow/definition.ts';
import type { StepKind } from '../workflow/definition.ts';
import { decideStart } from './gate.ts';
import type { Refusal, StartView } from './gate.ts';
import { composeTurn } from './compose-turn.ts';
import type { Runtime } from './runtime.ts';

export type Claim =
  | { readonly kind: 'claimed'; readonly isProbe: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export const nextStepKind = (deps: Pick<CoreDeps, 'stores'>, task: Task): StepKind => {
  const run = task.runId === null ? null : deps.stores.runs.get(task.runId);
  return run === null ? stepOf(RELAY, RELAY.first).kind : stepOf(workflowNamed(run.workflow), run.step).kind;
};

/**
 * Passes a ready task through the gate and, in the same transaction, claims the slot, reserves the money and writes
 * down attempt and turn. From then on the run says "recover this turn": a crash at any later moment loses nothing.
 */
export function claim(deps: CoreDeps, runtime: Runtime, taskId: TaskId): Claim {
  return deps.stores.transaction(() => {
    const task = taskOf(deps, taskId);
    const project = projectOf(deps, task.projectId);
    const kind = nextStepKind(deps, task);
    const decision = decideStart(viewOf(deps, runtime, task, project, kind));
    if (decision.kind === 'refused') {
      noteRefusal(deps, task, project, decision.refusal);
      return decision;
    }
    const begun = task.runId === null ? beginRun(deps, task) : { task, run: currentRun(deps, task) };
    if (kind === 'agent') beginTurn(deps, begun.task, begun.run, project, decision.reserve ?? NO_MONEY);
    moveTask(deps, taskOf(deps, taskId), kind === 'test' ? 'dispatch-tests' : 'dispatch');
    if (decision.isProbe) runtime.probe = taskId;
    return { kind: 'claimed', isProbe: decision.isProbe };
  });
}

function currentRun(deps: CoreDeps, task: Task): Run {
  const run = task.runId === null ? null : deps.stores.runs.get(task.runId);
  if (run === null) throw new Error(`Task ${task.id} has no run.`);
  return run;
}

function viewOf(deps: CoreDeps, runtime: Runtime, task: Task, project: Project, kind: StepKind): StartView {
  const { stores, clock } = deps;
  const agent = agentOf(deps.stores, project.settings.agent);
  const spike = stores.spikes.current();
  const now = clock.now();
  const working = [...runtime.jobs.values()].filter((job) => job.what === 'agent' || job.what === 'steps');
  return {
    now,
    nextMidnight: clock.nextMidnight(now),
    isStopping: runtime.isStopping,
    killed: (stores.settings.get(KILL_KEY) as KillState | null) ?? null,
    isPaused: stores.settings.get(PAUSE_KEY) === true,
    project,
    isTaskReady: task.state === 'ready',
    accountProblem: accountProblem(project, agent),
    slotsInUse: slotsInUse(stores, project),
    processes: working.length,
    maxProcesses: runtime.maxProcesses,
    agent:
      kind === 'agent'
        ? {
            holds: stores.holds.list(),
            isProbeRunning: runtime.probe !== null && runtime.jobs.has(runtime.probe),
            calls: callLimits(stores, project, agent, spike, currentDay(deps.stores, deps.clock)),
            callsToCome: unsentTurns(deps),
            money: decideProjectReservation(stores, project, agent, spike, clock),
            waitsForBudget: waitsForBudget(stores, clock, project),
          }
        : null,
  };
}

const unsentTurns = (deps: CoreDeps): number =>
  deps.stores.turns
    .running()
    .filter((turn) => !deps.stores.launches.ofTurn(turn.id).some((launch) => launch.isCall)).length;

function beginTurn(deps: CoreDeps, task: Task, run: Run, project: Project, reserved: MicroUsd): void {
  const { stores, clock, ids } = deps;
  const agent = agentOf(deps.stores, project.settings.agent);
  const sessionId = run.sessionId ?? ids.sessionId();
  const open = stores.attempts.ofRun(run.id).find((each) => each.state === 'running');
  const attempt: Attempt = open ?? {
    id: ids.next('attempt'),
    runId: run.id,
    taskId: task.id,
    step: run.step,
    number: stores.attempts.ofTask(task.id).length + 1,
    state: 'running',
    sessionId,
    model: project.settings.model ?? agent.model,
    endedReason: null,
    startedAt: clock.now(),
    endedAt: null,
  };
  if (open === undefined) stores.attempts.insert(attempt);
  const said = composeTurn(deps, task, run, project);
  const turn: Turn = {
    id: ids.next('turn'),
    attemptId: attempt.id,
    runId: run.id,
    taskId: task.id,
    projectId: project.id,
    agent: agent.name,
    number: stores.turns.ofTask(task.id).length + 1,
    ...said,
    sessionId,
    state: 'running',
    outcome: null,
    reservedMicroUsd: reserved,
    costMicroUsd: NO_MONEY,
    totalMicroUsd: null,
    costBasis: 'none',
    startedAt: clock.now(),
    endedAt: null,
  };
  stores.turns.insert(turn);
  stores.runs.update({ ...run, sessionId, nextTurn: { kind: 'recover', turnId: turn.id } });
}

/** A cap that is used up becomes visible: the task parks (money), or one item a day says so (calls). */
function noteRefusal(deps: CoreDeps, task: Task, project: Project, refusal: Refusal): void {
  if (refusal.kind === 'budget') {
    raiseItem(deps, {
      kind: 'manual',
      cause: refusal.which === 'spike-budget' ? 'spike-budget' : 'budget-used-up',
      task,
      project,
      message: `${refusal.reason[0]?.toUpperCase()}${refusal.reason.slice(1)}: nothing more is started in project ${project.name}.`,
    });
    moveTask(deps, task, 'park', refusal.reason);
  }
  if (refusal.kind === 'calls' && refusal.limit.limit > 0) {
    const key = `calls-item:${project.id}`;
    const day = currentDay(deps.stores, deps.clock);
    if (deps.stores.settings.get(key) === day) return;
    deps.stores.settings.set(key, day);
    raiseItem(deps, {
      kind: 'manual',
      cause: 'calls-used-up',
      task: null,
      project,
      message: `${counted(refusal.limit.limit, 'call is', 'calls are')} used up for today in project ${project.name}. Dispatch goes on at midnight.`,
    });
  }
}
