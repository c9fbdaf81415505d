import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { EpochMs, Millis } from '../../../src-shared/time.ts';
import type { StopReason } from '../ports/harness.ts';

/** What one task is doing in this hub right now; at most one job per task. */
export interface Job {
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly what: 'agent' | 'steps' | 'merge' | 'removal';
  /** Set by the first stop; every stage looks at it before it starts something. */
  stopReason: StopReason | null;
  /** Ends what runs at this moment; null between processes. */
  stopCurrent: ((reason: StopReason) => Promise<void>) | null;
  /** For the stall watch: last sign of life, and what it was. */
  lastSignAt: EpochMs;
  lastSign: string;
  /** The process whose tree is watched; null while none runs. */
  process: { readonly pid: number; readonly processStart: string | null; readonly mark: string } | null;
  lastCpu: Millis | null;
  stallItem: number | null;
  done: Promise<void>;
}

/** The hub's memory: nothing in it is needed after a crash. */
export interface Runtime {
  readonly jobs: Map<TaskId, Job>;
  isStopping: boolean;
  lastServed: ProjectId | null;
  /** The task whose launch tries whether a hold is over; null when none does. */
  probe: TaskId | null;
  readonly maxProcesses: number;
}

export const createRuntime = (maxProcesses: number): Runtime => ({
  jobs: new Map(),
  isStopping: false,
  lastServed: null,
  probe: null,
  maxProcesses,
});

/** Asks the task's job to end what runs, and waits until it has. */
export async function stopJob(runtime: Runtime, taskId: TaskId, reason: StopReason): Promise<void> {
  const job = runtime.jobs.get(taskId);
  if (job === undefined) return;
  job.stopReason ??= reason;
  await job.stopCurrent?.(reason);
  await job.done;
}

export const stopAllJobs = async (runtime: Runtime, reason: StopReason): Promise<void> => {
  await Promise.all([...runtime.jobs.keys()].map((taskId) => stopJob(runtime, taskId, reason)));
};
