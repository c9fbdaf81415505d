import { isAppError } from '../../../src-shared/errors.ts';
import { isEnded } from '../../../src-shared/model/task.ts';
import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { LocalDay, Millis } from '../../../src-shared/time.ts';
import { millis, minutes, seconds } from '../../../src-shared/time.ts';
import { applyResponse } from '../inbox/apply-response.ts';
import type { AccountLock } from '../limits/account-lock.ts';
import { currentDay } from '../limits/spending.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { Disposable } from '../ports/world.ts';
import type { Engine } from '../services.ts';
import type { KillSwitch } from '../switches/kill-switch.ts';
import { moveTask, projectOf, taskFact, taskOf } from '../tasks/moves.ts';
import { claim, nextStepKind } from './claim.ts';
import { driveTask } from './drive.ts';
import { isPassing } from './gate.ts';
import type { Refusal } from './gate.ts';
import { checkDisk, raiseHold } from './holds.ts';
import { runMergeStep } from './merge-step.ts';
import { parkTask } from './park.ts';
import { planStarts } from './plan-starts.ts';
import { workspaceOf } from './prepare-tree.ts';
import { recover } from './recovery.ts';
import { bookLostTurn } from './settle-turn.ts';
import { stopAllJobs } from './runtime.ts';
import type { Job, Runtime } from './runtime.ts';
import { watchStalls } from './stall-watch.ts';

/** The hub looks at the kill file and at due responses this often; nothing runs faster when idle (P8). */
const LOOK_EVERY = seconds(1);
const SLOW_LOOK_EVERY = seconds(30);
/** A removal or merge that failed for a passing reason is tried again after this. */
const TRY_AGAIN_AFTER = minutes(1);

export interface EngineParts {
  readonly runtime: Runtime;
  readonly lock: AccountLock;
  readonly killSwitch: KillSwitch;
  readonly checkSpike: () => Promise<void>;
  readonly forgetOld: () => Promise<void>;
}

/**
 * The running part of a hub. Invariants: at most one job per task; nothing is started before recovery is done and the
 * guardian runs; every start passes `claim`; what is in memory can be thrown away at any moment.
 */
export function createEngine(deps: CoreDeps, parts: EngineParts): Engine {
  const { stores, clock, log } = deps;
  const { runtime, killSwitch } = parts;
  const timers: Disposable[] = [];
  const refusals = new Map<TaskId, Refusal>();
  const notBefore = new Map<TaskId, number>();
  const idleWaiters: ((state: { readonly onHold: readonly string[] }) => void)[] = [];
  let isReady = false;
  let isTicking = false;
  let wakeAgain = false;
  /** A job broke on a store that could not be written; tried every second until it can. */
  let mustHeal = false;
  let lastFailure = '';
  let lastDay: LocalDay | null = null;

  function wake(): void {
    if (!isReady) return;
    if (isTicking) {
      wakeAgain = true;
      return;
    }
    isTicking = true;
    // Not at once: the caller may be inside a transaction.
    void Promise.resolve().then(tick);
  }

  async function tick(): Promise<void> {
    try {
      do {
        wakeAgain = false;
        await killSwitch.look();
        if (runtime.isStopping) break;
        heal();
        applyDue();
        await parts.checkSpike();
        startReady();
        startMerges();
        startRemovals();
      } while (wakeAgain);
      lastFailure = '';
    } catch (error) {
      // Said once: a disk stays full for longer than a look.
      if (describe(error) !== lastFailure)
        log.error('a look of the engine failed', { error: describe(error) });
      lastFailure = describe(error);
    } finally {
      isTicking = false;
    }
    tellIdle();
  }

  /** Responses whose time to undo is over. */
  function applyDue(): void {
    const now = clock.now();
    for (const item of stores.items.stored()) {
      if (item.dispatchAt !== null && item.dispatchAt <= now) applyResponse(deps, item);
    }
  }

  function startReady(): void {
    refusals.clear();
    const queue = stores.tasks
      .list({ states: ['ready'] })
      .filter((task) => !runtime.jobs.has(task.id))
      .map((task) => {
        const run = task.runId === null ? null : stores.runs.get(task.runId);
        return {
          taskId: task.id,
          projectId: task.projectId,
          isContinuation: run !== null && run.nextTurn?.kind !== 'start',
          position: task.position,
        };
      });
    for (const taskId of planStarts(queue, runtime.lastServed)) {
      const claimed = claim(deps, runtime, taskId);
      if (claimed.kind === 'refused') {
        refusals.set(taskId, claimed.refusal);
        continue;
      }
      const task = taskOf(deps, taskId);
      runtime.lastServed = task.projectId;
      const what = nextStepKind(deps, task) === 'agent' ? 'agent' : 'steps';
      startJob(task.id, task.projectId, what, (job) => driveTask(deps, runtime, parts.lock, job));
    }
  }

  function startMerges(): void {
    if (killSwitch.state() !== null) return;
    for (const task of stores.tasks.list({ states: ['merging'] })) {
      if (isBusy(task.id)) continue;
      startJob(task.id, task.projectId, 'merge', () => runMergeStep(deps, task));
    }
  }

  /** Trees of ended tasks go; what is dirty in them is kept on a side ref first. */
  function startRemovals(): void {
    if (killSwitch.state() !== null) return;
    for (const tree of stores.trees.list(['making', 'active', 'removing'])) {
      const task = stores.tasks.get(tree.taskId);
      if (task === null || !isEnded(task.state) || isBusy(task.id)) continue;
      startJob(task.id, task.projectId, 'removal', async () => {
        await deps.workspaces.remove(workspaceOf(deps, task), `task ${task.state}`);
      });
    }
  }

  const isBusy = (taskId: TaskId): boolean =>
    runtime.jobs.has(taskId) || (notBefore.get(taskId) ?? 0) > clock.monotonic();

  function startJob(
    taskId: TaskId,
    projectId: ProjectId,
    what: Job['what'],
    run: (job: Job) => Promise<void>,
  ): void {
    const job: Job = {
      taskId,
      projectId,
      what,
      stopReason: null,
      stopCurrent: null,
      lastSignAt: clock.now(),
      lastSign: 'it had been started',
      process: null,
      lastCpu: null,
      stallItem: null,
      done: Promise.resolve(),
    };
    runtime.jobs.set(taskId, job);
    job.done = run(job)
      .then(() => {
        notBefore.delete(taskId);
      })
      .catch((error: unknown) => {
        log.error('a job failed', { taskId, what, error: describe(error) });
        jobFailed(job, error);
      })
      .finally(() => {
        runtime.jobs.delete(taskId);
        deps.feed.taskChanged(taskId);
        wake();
      });
  }

  /** Something threw that no step expects (git broke, the disk is full): the task is not left hanging. */
  function jobFailed(job: Job, error: unknown): void {
    notBefore.set(job.taskId, clock.monotonic() + TRY_AGAIN_AFTER);
    timers.push(clock.after(millis(TRY_AGAIN_AFTER + 1), wake));
    if (job.what === 'removal') {
      if (isAppError(error, 'tree-not-ours')) leaveTree(job, error.message);
      return;
    }
    mustHeal = true;
    // The store cannot be written either: `heal` goes on when there is room again.
    if (isAppError(error, 'disk-full')) return;
    try {
      for (const turn of stores.turns.running()) {
        if (turn.taskId === job.taskId) bookLostTurn(deps, runtime, turn);
      }
      // The kill switch ends git too; the task stays where it is and goes on after release.
      if (killSwitch.state() !== null) return;
      const task = taskOf(deps, job.taskId);
      if (task.state !== 'running' && task.state !== 'testing' && task.state !== 'merging') return;
      parkTask(deps, task, {
        kind: 'review',
        cause: task.state === 'merging' ? 'merge-failed' : 'step-failed',
        message: `The step broke: ${whatBroke(error)}`,
      });
    } catch (second) {
      log.error('a failed job could not be parked', { taskId: job.taskId, error: describe(second) });
    }
  }

  /** What is not provably ours is never removed: it stays, said once, until the next start of a hub looks again. */
  function leaveTree(job: Job, message: string): void {
    notBefore.set(job.taskId, Number.MAX_SAFE_INTEGER);
    const task = taskOf(deps, job.taskId);
    stores.ledger.append(taskFact(deps, task, 'tree.left', { reason: message }));
  }

  /**
   * What stands as running without a job: its job broke on a store that could not be written. Its turns are booked
   * whatever has become of the task since (killed, cancelled): a launch that stands as live holds a slot.
   */
  function heal(): void {
    for (const turn of stores.turns.running()) {
      if (!runtime.jobs.has(turn.taskId)) bookLostTurn(deps, runtime, turn);
    }
    let isWhole = true;
    for (const task of stores.tasks.list({ states: ['running', 'testing'] })) {
      if (!isBusy(task.id)) moveTask(deps, task, 'requeue', 'its step broke');
      else if (!runtime.jobs.has(task.id)) isWhole = false;
    }
    for (const run of stores.testRuns.running()) {
      if (!runtime.jobs.has(run.taskId))
        stores.testRuns.update({ ...run, state: 'lost', endedAt: clock.now() });
    }
    if (isWhole) mustHeal = false;
  }

  function lookAtDisk(): void {
    const held = stores.holds.list().length;
    try {
      checkDisk(deps);
    } catch (error) {
      log.warn('the hold for the full disk could not be stored', { error: describe(error) });
    }
    if (stores.holds.list().length !== held) wake();
  }

  function slowLook(): void {
    lookAtDisk();
    void watchStalls(deps, runtime).catch((error: unknown) =>
      log.warn('the stall watch failed', { error: describe(error) }),
    );
    const day = currentDay(stores, clock);
    if (day !== lastDay) {
      lastDay = day;
      newDay();
    }
  }

  function newDay(): void {
    void parts
      .forgetOld()
      .catch((error: unknown) => log.warn('retention failed', { error: describe(error) }));
    wake();
  }

  function idleState(): { readonly onHold: readonly string[] } | null {
    if (runtime.jobs.size > 0 || isTicking || wakeAgain) return null;
    const now = clock.now();
    if (stores.items.stored().some((item) => item.dispatchAt !== null && item.dispatchAt > now)) return null;
    if (stores.tasks.count({ states: ['running', 'testing'] }) > 0) return null;
    const onHold = new Set<string>();
    for (const task of stores.tasks.list({ states: ['ready'] })) {
      const refusal = refusals.get(task.id);
      if (refusal === undefined || (isPassing(refusal) && !isLasting(task.projectId, refusal))) return null;
      onHold.add(`${projectOf(deps, task.projectId).name}: ${refusal.reason}`);
    }
    for (const task of stores.tasks.list({ states: ['merging'] })) {
      if (killSwitch.state() === null && !isBusy(task.id)) return null;
      onHold.add(`${projectOf(deps, task.projectId).name}: a merge waits`);
    }
    return { onHold: [...onHold] };
  }

  /** With no job running, a full project can only mean that it has no slots at all. */
  const isLasting = (projectId: ProjectId, refusal: Refusal): boolean =>
    refusal.kind === 'no-slot' && projectOf(deps, projectId).slots === 0;

  function tellIdle(): void {
    if (idleWaiters.length === 0) return;
    const state = idleState();
    if (state === null) return;
    for (const tell of idleWaiters.splice(0)) tell(state);
  }

  /** Without a call: tells early that nobody is logged in. It lifts nothing, as it calls a wrong key logged in. */
  async function checkLogin(): Promise<void> {
    const login = await deps.executor.loginState();
    if (login.kind === 'logged-out')
      raiseHold(deps, 'login', 'Claude Code says that nobody is logged in.', null);
  }

  return {
    start: async () => {
      await deps.guardian.start();
      watchGuardian();
      await recover(deps, runtime);
      await killSwitch.look();
      checkDisk(deps);
      if (stores.tasks.count({ states: ['ready'] }) > 0) await checkLogin();
      isReady = true;
      timers.push(clock.every(LOOK_EVERY, lookEverySecond));
      timers.push(clock.every(SLOW_LOOK_EVERY, slowLook));
      timers.push(deps.killFile.watch(wake));
      lastDay = currentDay(stores, clock);
      newDay();
    },
    wake,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        wake();
      }),
    stop: async (bound: Millis | number) => {
      runtime.isStopping = true;
      for (const timer of timers.splice(0)) timer.dispose();
      await Promise.race([
        stopAllJobs(runtime, 'hub-stopping'),
        new Promise<void>((resolve) => clock.after(millis(bound), resolve)),
      ]);
      await deps.guardian.stop();
    },
  };

  /** Cheap when nothing is due: one look at a file, two indexed queries. */
  function lookEverySecond(): void {
    const now = clock.now();
    const isDue =
      mustHeal ||
      killSwitch.isOwing() ||
      deps.killFile.read() !== null ||
      stores.items.stored().some((item) => item.dispatchAt !== null && item.dispatchAt <= now) ||
      stores.holds.list().some((hold) => hold.probeAt <= now) ||
      (runtime.jobs.size === 0 && idleWaiters.length > 0);
    if (isDue) wake();
  }

  /** A guardian that dies by itself is replaced; until then nothing new is started. */
  function watchGuardian(): void {
    void deps.guardian.lost.then(async () => {
      if (runtime.isStopping) return;
      log.warn('the guardian ended by itself; starting another');
      stores.ledger.append({ kind: 'guardian.lost' });
      isReady = false;
      await deps.guardian.start();
      isReady = true;
      watchGuardian();
      wake();
    });
  }
}

/** With what to do about it, where that is known. */
const whatBroke = (error: unknown): string =>
  isAppError(error) && error.hint !== undefined
    ? `${error.message} ${error.hint}`
    : error instanceof Error
      ? error.message
      : 'unknown error';

const describe = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
