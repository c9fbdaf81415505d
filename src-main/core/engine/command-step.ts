import { assertNever } from '../../../src-shared/errors.ts';
import type { AttemptId } from '../../../src-shared/ids.ts';
import type { Run, Task } from '../../../src-shared/model/task.ts';
import type { CommandOutcome, CommandRequest } from '../ports/commands.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { TestRun } from '../ports/stores.ts';
import { isKilled } from '../switches/switch-keys.ts';
import { taskFact } from '../tasks/moves.ts';
import type { Job } from './runtime.ts';

export interface CommandResult {
  readonly state: 'passed' | 'failed' | 'timed-out' | 'stopped' | 'refused';
  readonly testRun: TestRun;
  readonly exitCode: number | null;
  readonly tail: string;
  /** Our own sentence, for `refused`. */
  readonly message: string;
  readonly hint: string;
}

/** Runs one test or set-up command of a task with its row, its ledger entry and its place in the job. */
export async function runCommand(
  deps: CoreDeps,
  job: Job,
  of: {
    readonly task: Task;
    readonly run: Run;
    readonly attemptId: AttemptId;
    readonly commit: string | null;
    readonly lockWaitMs?: number;
  },
  request: Omit<CommandRequest, 'started'>,
): Promise<CommandResult> {
  const { stores, clock } = deps;
  const begun: TestRun = {
    id: deps.ids.next('testRun'),
    taskId: of.task.id,
    runId: of.run.id,
    attemptId: of.attemptId,
    purpose: request.purpose,
    commit: of.commit,
    pid: null,
    processStart: null,
    state: 'running',
    exitCode: null,
    confinement: null,
    outputHash: null,
    tail: '',
    lockWaitMs: of.lockWaitMs ?? 0,
    startedAt: clock.now(),
    endedAt: null,
  };
  stores.testRuns.insert(begun);
  if (job.stopReason !== null) return finish(deps, of.task, begun, { kind: 'stopped' });
  let current = begun;
  const running = deps.commands.start({
    ...request,
    started: (process) => {
      current = { ...current, ...process };
      stores.testRuns.update(current);
      job.process = { ...process, mark: request.ownerMark };
    },
  });
  job.stopCurrent = () => running.stop();
  try {
    const outcome = await running.outcome;
    return finish(deps, of.task, current, isStopped(deps, job, outcome) ? { kind: 'stopped' } : outcome);
  } finally {
    job.stopCurrent = null;
    job.process = null;
  }
}

/** A command that was ended from outside by the kill switch did not fail. */
const isStopped = (deps: CoreDeps, job: Job, outcome: CommandOutcome): boolean =>
  (job.stopReason !== null || isKilled(deps)) && !(outcome.kind === 'exited' && outcome.exitCode === 0);

function finish(deps: CoreDeps, task: Task, begun: TestRun, outcome: CommandOutcome): CommandResult {
  const ended = { ...begun, ...endOf(outcome), endedAt: deps.clock.now() } satisfies TestRun;
  deps.stores.transaction(() => {
    deps.stores.testRuns.update(ended);
    deps.stores.ledger.append(
      taskFact(deps, task, begun.purpose === 'test' ? 'test.result' : 'setup.result', {
        state: ended.state,
        exitCode: ended.exitCode,
        confinement: ended.confinement,
        durationMs:
          outcome.kind === 'exited' || outcome.kind === 'timed-out' ? Math.round(outcome.durationMs) : 0,
        lockWaitMs: ended.lockWaitMs,
        outputHash: ended.outputHash,
      }),
    );
  });
  deps.feed.taskChanged(task.id);
  return {
    state: ended.state,
    testRun: ended,
    exitCode: ended.exitCode,
    tail: ended.tail,
    message: outcome.kind === 'refused' ? outcome.message : '',
    hint: outcome.kind === 'refused' ? outcome.hint : '',
  };
}

type Ended = Pick<TestRun, 'exitCode' | 'confinement' | 'outputHash' | 'tail'> & {
  readonly state: CommandResult['state'];
};

function endOf(outcome: CommandOutcome): Ended {
  switch (outcome.kind) {
    case 'exited':
      return {
        state: outcome.exitCode === 0 ? 'passed' : 'failed',
        exitCode: outcome.exitCode,
        confinement: outcome.confinement,
        outputHash: outcome.outputHash,
        tail: outcome.tail,
      };
    case 'timed-out':
      return {
        state: 'timed-out',
        exitCode: null,
        confinement: outcome.confinement,
        outputHash: outcome.outputHash,
        tail: outcome.tail,
      };
    case 'stopped':
      return { state: 'stopped', exitCode: null, confinement: null, outputHash: null, tail: '' };
    case 'refused':
      return { state: 'refused', exitCode: null, confinement: null, outputHash: null, tail: outcome.message };
    default:
      return assertNever(outcome, 'command outcome');
  }
}
