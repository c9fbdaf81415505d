import { counted } from '../../../src-shared/counted.ts';
import { assertNever } from '../../../src-shared/errors.ts';
import type { TurnId } from '../../../src-shared/ids.ts';
import type { Attempt, NextTurn, Run, Task, Turn } from '../../../src-shared/model/task.ts';
import { NO_MONEY, type MicroUsd } from '../../../src-shared/money.ts';
import { raiseItem } from '../inbox/raise-item.ts';
import { projectCaps } from '../limits/caps.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { TurnOutcome } from '../ports/harness.ts';
import type { Stores } from '../ports/stores.ts';
import { afterTurn, provesService } from '../relay/after-turn.ts';
import type { AfterTurn } from '../relay/after-turn.ts';
import { isSameQuestion } from '../relay/same-question.ts';
import { isKilled, KILLED_REASON } from '../switches/switch-keys.ts';
import { moveTask, projectOf, taskFact, taskOf } from '../tasks/moves.ts';
import { RELAY, stepAfter, workflowNamed } from '../workflow/definition.ts';
import { bookTurn, reportOf } from './booking.ts';
import { agentOf } from '../projects/project-figures.ts';
import { markSeen } from './delivery.ts';
import { liftHoldsAfterSuccess, raiseHold } from './holds.ts';
import { parkTask, safetyStop } from './park.ts';
import type { Runtime } from './runtime.ts';

/**
 * Books a turn and moves its task, in one transaction. A task that was taken out of the turn's hands meanwhile
 * (killed, cancelled, interrupted) only gets its costs booked, except that a question or a finished work whose
 * result had come in time is still taken: nothing an agent asked is lost.
 */
export function settleTurn(
  deps: CoreDeps,
  runtime: Pick<Runtime, 'probe'>,
  turnId: TurnId,
  outcome: TurnOutcome,
): void {
  deps.stores.transaction(() => {
    const turn = deps.stores.turns.get(turnId);
    if (turn === null || turn.state === 'settled') return;
    const settled = book(deps, turn, outcome);
    if (outcome.kind === 'done' || outcome.kind === 'question') markSeen(deps, settled);
    if (runtime.probe === turn.taskId) runtime.probe = null;
    if (provesService(outcome)) liftHoldsAfterSuccess(deps);
    const task = taskOf(deps, turn.taskId);
    const run = deps.stores.runs.get(turn.runId);
    if (run === null || task.runId !== run.id) return;
    const isStillOurs = run.nextTurn?.kind === 'recover' && run.nextTurn.turnId === turn.id;
    if (!isStillOurs || (task.state !== 'running' && task.state !== 'ready')) return;
    const decision = undoneByKill(deps, afterTurn(outcome));
    if (task.state === 'ready' && decision.kind !== 'question' && decision.kind !== 'finished') return;
    if (isMismatch(settled, outcome)) {
      stopForMismatch(deps, task, settled);
      return;
    }
    carryOut(deps, task, run, settled, decision);
  });
  deps.feed.hubChanged();
}

/**
 * After a crash of the hub: the turn is settled as lost and booked as assumed, or as not started when its prompt was
 * never written. Attempt and run stay as they are; the run says already that this turn is to be recovered.
 */
export function bookLostTurn(deps: CoreDeps, runtime: Pick<Runtime, 'probe'>, turn: Turn): void {
  deps.stores.transaction(() => {
    book(deps, turn, lostOutcome(deps.stores, turn));
    if (runtime.probe === turn.taskId) runtime.probe = null;
  });
}

const lostOutcome = (stores: Pick<Stores, 'launches'>, turn: Turn): TurnOutcome =>
  stores.launches.ofTurn(turn.id).some((launch) => launch.isCall)
    ? {
        kind: 'lost',
        cause: 'completion-unknown',
        message: 'The hub ended while the call ran.',
        exitCode: null,
        signal: null,
      }
    : { kind: 'not-started', message: 'The hub ended before the prompt was written.' };

/** What a turn that runs would be booked with if it were cut now: what `bookLostTurn` says of it. */
export function costIfLost(stores: Pick<Stores, 'launches' | 'sessions'>, turn: Turn): MicroUsd {
  return bookingOf(stores, turn, lostOutcome(stores, turn)).costMicroUsd;
}

const bookingOf = (stores: Pick<Stores, 'launches' | 'sessions'>, turn: Turn, outcome: TurnOutcome) =>
  bookTurn(
    outcome,
    turn.reservedMicroUsd,
    stores.sessions.get(turn.sessionId)?.lastTotalMicroUsd ?? NO_MONEY,
    stores.launches.ofTurn(turn.id).some((launch) => launch.isCall),
  );

function book(deps: CoreDeps, turn: Turn, outcome: TurnOutcome): Turn {
  const { stores, clock } = deps;
  const now = clock.now();
  const launches = stores.launches.ofTurn(turn.id);
  const session = stores.sessions.get(turn.sessionId);
  const booking = bookingOf(stores, turn, outcome);
  const settled: Turn = {
    ...turn,
    state: 'settled',
    outcome: outcome.kind === 'failed' ? outcome.category : outcome.kind,
    reservedMicroUsd: turn.reservedMicroUsd,
    costMicroUsd: booking.costMicroUsd,
    totalMicroUsd: booking.totalMicroUsd,
    costBasis: booking.basis,
    endedAt: now,
  };
  stores.turns.update(settled);
  for (const launch of launches) {
    if (launch.state === 'ended') continue;
    stores.launches.update({
      ...launch,
      state: 'ended',
      exitCode: outcome.kind === 'lost' ? outcome.exitCode : launch.exitCode,
      signal: outcome.kind === 'lost' ? outcome.signal : launch.signal,
      endedAt: now,
    });
  }
  if (session !== null && booking.totalMicroUsd !== null) {
    stores.sessions.put({ ...session, lastTotalMicroUsd: booking.totalMicroUsd });
  }
  const report = reportOf(outcome);
  const task = taskOf(deps, turn.taskId);
  stores.ledger.append({
    ...taskFact(deps, task, 'harness.result', {
      turn: turn.id,
      model: report?.usageByModel[0]?.model ?? stores.attempts.get(turn.attemptId)?.model ?? null,
      status: settled.outcome,
      agentRan: launches.length > 0,
      costMicroUsd: booking.costMicroUsd,
      totalMicroUsd: booking.totalMicroUsd,
      costBasis: booking.basis,
      isError: report?.isError ?? outcome.kind !== 'done',
      subtype: report?.subtype ?? null,
      numTurns: report?.numTurns ?? null,
      durationMs: report === null ? null : Math.round(report.durationMs),
      denials: report?.denials.length ?? 0,
      usageByModel: (report?.usageByModel ?? []).map((usage) => ({ ...usage })),
    }),
    sessionId: turn.sessionId,
  });
  return settled;
}

/** A process that was ended from outside while the kill switch was being engaged looks lost; it does not count. */
const undoneByKill = (deps: CoreDeps, decision: AfterTurn): AfterTurn =>
  decision.kind === 'failed' && isKilled(deps) ? { kind: 'requeue', reason: KILLED_REASON } : decision;

function isMismatch(turn: Turn, outcome: TurnOutcome): boolean {
  const reported = reportOf(outcome)?.sessionId ?? null;
  return (
    reported !== null &&
    (outcome.kind === 'done' || outcome.kind === 'question') &&
    reported !== turn.sessionId
  );
}

function stopForMismatch(deps: CoreDeps, task: Task, turn: Turn): void {
  endAttempt(deps, turn, 'failed', 'session-mismatch');
  safetyStop(deps, task, 'session-mismatch', {
    kind: 'review',
    cause: 'session-mismatch',
    message:
      'Claude Code answered in another session than the one it was given: the conversation may be lost.',
  });
}

/** Whether the session has said something that a fresh one would not know. */
const hadResult = (deps: CoreDeps, turn: Turn): boolean =>
  deps.stores.turns
    .ofTask(turn.taskId)
    .some(
      (each) => each.sessionId === turn.sessionId && (each.outcome === 'question' || each.outcome === 'done'),
    );

/** A conversation is never silently begun anew (20-claude-code, Two ways to run the CLI). */
function stopForLostSession(deps: CoreDeps, task: Task, turn: Turn): void {
  endAttempt(deps, turn, 'failed', 'conversation-lost');
  safetyStop(deps, task, 'conversation-lost', {
    kind: 'review',
    cause: 'conversation-lost',
    message: 'Claude Code no longer has the session that is to be resumed.',
  });
}

function endAttempt(deps: CoreDeps, turn: Turn, state: Attempt['state'], reason: string | null): void {
  const attempt = deps.stores.attempts.get(turn.attemptId);
  if (attempt === null || attempt.state !== 'running') return;
  deps.stores.attempts.update({ ...attempt, state, endedReason: reason, endedAt: deps.clock.now() });
}

function carryOut(deps: CoreDeps, task: Task, run: Run, turn: Turn, decision: AfterTurn): void {
  switch (decision.kind) {
    case 'finished': {
      endAttempt(deps, turn, 'succeeded', null);
      const step = stepAfter(workflowNamed(run.workflow), run.step, 'done');
      deps.stores.runs.update({ ...run, step, nextTurn: null, pendingChanges: decision.requested });
      return;
    }
    case 'question':
      ask(deps, task, run, turn, decision);
      return;
    case 'failed':
      if (decision.reason === 'unknown-session' && hadResult(deps, turn))
        stopForLostSession(deps, task, turn);
      else fail(deps, task, run, turn, decision);
      return;
    case 'hold':
      raiseHold(deps, decision.hold, decision.message, decision.until);
      moveTask(deps, task, 'requeue', decision.hold);
      return;
    case 'requeue':
      moveTask(deps, task, 'requeue', decision.reason);
      return;
    default:
      assertNever(decision, 'decision after a turn');
  }
}

function ask(
  deps: CoreDeps,
  task: Task,
  run: Run,
  turn: Turn,
  asked: Extract<AfterTurn, { kind: 'question' }>,
): void {
  const project = projectOf(deps, task.projectId);
  const agent = agentOf(deps.stores, project.settings.agent);
  const caps = projectCaps(project, agent, deps.stores.spikes.current());
  const repeated = deps.stores.items
    .list({ taskId: task.id, kinds: ['specify'], states: ['answered'] })
    .find(
      (item) =>
        item.runId === run.id && item.delivery === 'seen' && isSameQuestion(item.question, asked.question),
    );
  if (repeated !== undefined) {
    endAttempt(deps, turn, 'failed', 'conversation-lost');
    deps.stores.runs.update({ ...run, nextTurn: { kind: 'answer', item: repeated.number } });
    safetyStop(deps, task, 'conversation-lost', {
      kind: 'review',
      cause: 'conversation-lost',
      message: `The agent asks again what item #${repeated.number} answered: the conversation seems lost.`,
      question: asked.question,
      options: asked.options,
      summary: asked.summary,
      cycle: run.questions + 1,
    });
    return;
  }
  if (run.questions >= caps.maxQuestions.value + run.extraQuestions) {
    deps.stores.runs.update({ ...run, nextTurn: null });
    parkTask(deps, task, {
      kind: 'review',
      cause: 'too-many-questions',
      message: `The agent keeps asking: it has had ${counted(run.questions, 'question')} answered. Its next one is shown here.`,
      question: asked.question,
      options: asked.options,
      summary: asked.summary,
      cycle: run.questions + 1,
    });
    return;
  }
  const cycle = run.questions + 1;
  deps.stores.runs.update({ ...run, questions: cycle, nextTurn: null });
  const item = raiseItem(deps, {
    kind: 'specify',
    task,
    agent: agent.name,
    question: asked.question,
    options: asked.options,
    summary: asked.summary,
    cycle,
  });
  deps.stores.ledger.append({
    ...taskFact(deps, task, 'harness.question', { cycle }),
    item: item.number,
    sessionId: turn.sessionId,
  });
  moveTask(deps, task, 'ask');
}

function fail(
  deps: CoreDeps,
  task: Task,
  run: Run,
  turn: Turn,
  failure: Extract<AfterTurn, { kind: 'failed' }>,
): void {
  endAttempt(
    deps,
    turn,
    failure.reason === 'completion-unknown' ? 'indeterminate' : 'failed',
    failure.reason,
  );
  const counted = run.countedAttempts + 1;
  const nextTurn = nextAfterFailure(turn, failure);
  deps.stores.runs.update({
    ...run,
    countedAttempts: counted,
    nextTurn,
    sessionId: failure.again === 'fresh' ? null : run.sessionId,
    step: failure.again === 'fresh' ? RELAY.first : run.step,
  });
  parkOrRequeue(deps, task, counted, failure.reason, failure.message);
}

function nextAfterFailure(turn: Turn, failure: Extract<AfterTurn, { kind: 'failed' }>): NextTurn {
  switch (failure.again) {
    case 'no-question':
      return { kind: 'no-question' };
    case 'in-session':
      return { kind: 'again', note: `The last call did not count. ${failure.message}` };
    case 'recover':
      return { kind: 'recover', turnId: turn.id };
    case 'fresh':
      return { kind: 'start' };
    default:
      return assertNever(failure.again, 'next try');
  }
}

/** A counted failure: the task is tried again, or parks once `max_attempts` of them have been. */
export function parkOrRequeue(
  deps: CoreDeps,
  task: Task,
  counted: number,
  reason: string,
  message: string,
): void {
  const project = projectOf(deps, task.projectId);
  const max = projectCaps(project, agentOf(deps.stores, project.settings.agent), deps.stores.spikes.current())
    .maxAttempts.value;
  if (counted < max) {
    moveTask(deps, task, 'requeue', reason);
    return;
  }
  parkTask(deps, task, {
    kind: 'review',
    cause: 'attempts-used-up',
    message:
      max === 1
        ? `The only attempt failed: ${message}`
        : `${counted} of ${max} attempts failed; the last: ${message}`,
    details: [reason],
  });
}
