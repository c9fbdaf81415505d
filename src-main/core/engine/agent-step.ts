import type { Attempt, Launch, Run, Task, Turn } from '../../../src-shared/model/task.ts';
import { seconds } from '../../../src-shared/time.ts';
import { projectCaps } from '../limits/caps.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { RelayTurn, StopReason, TurnOutcome } from '../ports/harness.ts';
import { ownerMark } from '../ports/world.ts';
import type { WorkTree } from '../ports/workspaces.ts';
import { frameContinue, frameLaidConflict } from '../relay/prompts.ts';
import { projectOf, runOf, taskFact } from '../tasks/moves.ts';
import { currentDay } from '../limits/spending.ts';
import { agentOf } from '../projects/project-figures.ts';
import { accountIsUsable } from './account-preflight.ts';
import { setDelivery } from './delivery.ts';
import { recordEvents } from './record-events.ts';
import { parkTask, safetyStop } from './park.ts';
import { prepareTree, workspaceOf } from './prepare-tree.ts';
import type { Job, Runtime } from './runtime.ts';
import { settleTurn } from './settle-turn.ts';

/**
 * One turn of an agent from the claimed slot to the settled result. Each stage is committed before the next begins
 * (12-engine, Delivering an answer exactly once).
 */
export async function runAgentStep(deps: CoreDeps, runtime: Runtime, job: Job, task: Task): Promise<void> {
  const { stores } = deps;
  const run = runOf(deps, task);
  const claimed = run.nextTurn?.kind === 'recover' ? stores.turns.get(run.nextTurn.turnId) : null;
  const attempt = claimed === null ? null : stores.attempts.get(claimed.attemptId);
  if (claimed === null || attempt === null || claimed.state !== 'running') {
    throw new Error(`Task ${task.id} was dispatched without a turn.`);
  }
  const settle = (outcome: TurnOutcome): void => settleTurn(deps, runtime, claimed.id, outcome);
  const tree = (await accountIsUsable(deps, task)) ? await prepareTree(deps, job, task, run, attempt) : null;
  if (tree === null || job.stopReason !== null) {
    settle({ kind: 'interrupted', by: job.stopReason ?? 'person', report: null });
    return;
  }
  const aim = await aimTurn(deps, task, claimed, tree);
  if (aim === null) {
    settle({ kind: 'interrupted', by: 'person', report: null });
    return;
  }
  const turn = await withConflict(deps, task, run, aim.turn);
  await launchTurn(deps, job, { task, run, attempt, turn, tree, session: aim.session }, settle);
}

/**
 * Before the agent is told of a merge conflict the conflict is laid into its tree, where it can be resolved with file
 * tools alone. Also when the turn that was to tell it was cut before: a recovered turn keeps its delivery id.
 */
async function withConflict(deps: CoreDeps, task: Task, run: Run, turn: Turn): Promise<Turn> {
  const isConflict = deps.stores.turns
    .ofTask(task.id)
    .some((each) => each.deliveryId === turn.deliveryId && each.kind === 'conflict');
  if (!isConflict || run.commit === null) return turn;
  const laid = await deps.workspaces.layConflict(workspaceOf(deps, task), run.commit);
  if (laid === null) return turn;
  const prompt = frameLaidConflict({
    ...laid,
    delivery: turn.deliveryId,
    base: projectOf(deps, task.projectId).baseBranch,
    baseCommit: laid.base,
    workCommit: run.commit,
  });
  const told: Turn = { ...turn, prompt };
  deps.stores.turns.update(told);
  return told;
}

interface Aim {
  readonly turn: Turn;
  readonly session: 'new' | 'resume';
}

/**
 * Looks into the session's history before anything is said in it: whether the session exists, and whether the prompt
 * of a cut turn stands there already.
 *
 * @returns null when the task was parked: what cannot be known is never guessed
 */
async function aimTurn(deps: CoreDeps, task: Task, turn: Turn, tree: WorkTree): Promise<Aim | null> {
  const earlier = deps.stores.turns
    .ofTask(task.id)
    .filter((each) => each.sessionId === turn.sessionId && each.id !== turn.id);
  if (earlier.length === 0) return { turn, session: 'new' };
  const trace = await deps.executor.trace(turn.sessionId, tree.path, turn.deliveryId);
  if (trace === 'unreadable') {
    parkTask(deps, task, {
      kind: 'review',
      cause: 'transcript-unreadable',
      message:
        'The history of the session cannot be read, so it is not known what the agent has seen. Nothing was sent.',
    });
    return null;
  }
  if (trace === 'no-session') {
    const hadResult = earlier.some((each) => each.outcome === 'question' || each.outcome === 'done');
    if (!hadResult) return { turn, session: 'new' };
    safetyStop(deps, task, 'conversation-lost', {
      kind: 'review',
      cause: 'conversation-lost',
      message: 'Claude Code no longer has the session that is to be resumed.',
    });
    return null;
  }
  if (trace === 'absent' || turn.kind !== 'recover') return { turn, session: 'resume' };
  const deliveryId = deps.ids.deliveryId();
  const continued: Turn = { ...turn, kind: 'continue', deliveryId, prompt: frameContinue(deliveryId) };
  deps.stores.turns.update(continued);
  return { turn: continued, session: 'resume' };
}

interface LaunchContext {
  readonly task: Task;
  readonly run: Run;
  readonly attempt: Attempt;
  readonly turn: Turn;
  readonly tree: WorkTree;
  readonly session: 'new' | 'resume';
}

async function launchTurn(
  deps: CoreDeps,
  job: Job,
  context: LaunchContext,
  settle: (outcome: TurnOutcome) => void,
): Promise<void> {
  const { task, attempt, turn, tree } = context;
  const project = projectOf(deps, task.projectId);
  const caps = projectCaps(
    project,
    agentOf(deps.stores, project.settings.agent),
    deps.stores.spikes.current(),
  );
  const launch = storeLaunching(deps, context);
  const result = await deps.executor.launch({
    launchId: launch.id,
    ownerMark: launch.ownerMark,
    sessionId: turn.sessionId,
    session: context.session,
    cwd: tree.path,
    model: attempt.model ?? agentOf(deps.stores, project.settings.agent).model,
    budgetMicroUsd: turn.reservedMicroUsd,
    outputForm: project.settings.relayOutput,
    environmentNames: project.settings.env,
    timeout: seconds(caps.callTimeoutS.value),
  });
  if (result.kind === 'not-started') {
    settle({ kind: 'not-started', message: result.message });
    return;
  }
  const live = result.turn;
  job.process = { ...live.process, mark: launch.ownerMark };
  job.stopCurrent = (reason: StopReason) => live.stop(reason);
  const reading = recordEvents(deps, job, turn, live.events);
  // Events that cannot be stored (the disk is full) end the call: unread, it would wait for its reader for ever.
  reading.catch(() => live.stop('hub-stopping'));
  try {
    const launched = storeLaunched(deps, context, launch, live);
    if (job.stopReason !== null) await live.stop(job.stopReason);
    else if (!(await send(deps, context, launched, live))) {
      await live.stop('person');
      await reading;
      await live.outcome;
      settle({ kind: 'not-started', message: 'Claude Code ended before it took the prompt.' });
      return;
    }
    const outcome = await live.outcome;
    await reading;
    settle(outcome);
  } finally {
    job.stopCurrent = null;
    job.process = null;
  }
}

/** Session id and attempt are stored, in a committed transaction, before any process exists. */
function storeLaunching(deps: CoreDeps, context: LaunchContext): Launch {
  const { stores, clock, ids } = deps;
  const { task, turn, attempt, tree } = context;
  const launch: Launch = {
    id: ids.next('launch'),
    turnId: turn.id,
    taskId: task.id,
    projectId: task.projectId,
    agent: turn.agent,
    ownerMark: ownerMark(stores.hubId, attempt.id),
    pid: null,
    processStart: null,
    argv: [],
    state: 'launching',
    isCall: false,
    localDay: currentDay(deps.stores, deps.clock),
    exitCode: null,
    signal: null,
    startedAt: clock.now(),
    endedAt: null,
  };
  stores.transaction(() => {
    const session = stores.sessions.get(turn.sessionId);
    stores.sessions.put(
      session ?? {
        id: turn.sessionId,
        taskId: task.id,
        harness: 'claude-code',
        cwd: tree.path,
        lastTotalMicroUsd: turn.costMicroUsd,
        createdAt: clock.now(),
      },
    );
    stores.launches.insert(launch);
  });
  return launch;
}

function storeLaunched(deps: CoreDeps, context: LaunchContext, launch: Launch, live: RelayTurn): Launch {
  const { stores } = deps;
  const { turn, task } = context;
  const launched: Launch = { ...launch, ...live.process, argv: [...live.process.argv], state: 'launched' };
  stores.transaction(() => {
    stores.launches.update(launched);
    const item = turn.item === null ? null : stores.items.get(turn.item);
    const respondedAt = item?.respondedAt ?? null;
    const waitedMs = item === null || respondedAt === null ? null : Math.max(0, respondedAt - item.raisedAt);
    stores.ledger.append({
      ...taskFact(deps, task, context.session === 'new' ? 'harness.start' : 'harness.resume', {
        attempt: turn.attemptId,
        turn: turn.id,
        kind: turn.kind,
        pid: live.process.pid,
        argv: [...live.process.argv],
        reservedMicroUsd: turn.reservedMicroUsd,
        ...(waitedMs === null ? {} : { waitedMs }),
      }),
      item: turn.item,
      sessionId: turn.sessionId,
    });
  });
  return launched;
}

/** @returns false when no byte of the prompt was taken */
async function send(
  deps: CoreDeps,
  context: LaunchContext,
  launched: Launch,
  live: RelayTurn,
): Promise<boolean> {
  const { stores, clock, feed } = deps;
  const { turn } = context;
  stores.transaction(() => {
    stores.launches.update({ ...launched, state: 'sending', isCall: true });
    setDelivery(deps, turn, 'sending');
    stores.events.append(
      [],
      [
        {
          taskId: turn.taskId,
          turnId: turn.id,
          sessionId: turn.sessionId,
          role: turn.kind === 'answer' || turn.kind === 'send-back' ? 'person' : 'signalbox',
          content: turn.prompt,
          at: clock.now(),
        },
      ],
    );
  });
  feed.taskChanged(turn.taskId);
  if (await live.writePrompt(turn.prompt)) return true;
  stores.transaction(() => {
    stores.launches.update({ ...launched, state: 'launched', isCall: false });
    setDelivery(deps, turn, 'stored');
  });
  return false;
}
