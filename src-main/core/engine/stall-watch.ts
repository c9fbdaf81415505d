import { counted } from '../../../src-shared/counted.ts';
import { minutes } from '../../../src-shared/time.ts';
import { closeItem, raiseItem } from '../inbox/raise-item.ts';
import { stopStalledKey } from '../inbox/resolve-action.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { TurnEvent } from '../ports/harness.ts';
import { projectOf, taskOf } from '../tasks/moves.ts';
import type { Job, Runtime } from './runtime.ts';

/** What a sign of life was, as the probable cause names it when nothing follows. */
export function describeSign(event: TurnEvent): string {
  switch (event.kind) {
    case 'retry':
      return `it was waiting to repeat a request (${event.error})`;
    case 'tool':
      return `it was using ${event.name}`;
    case 'tool-result':
      return 'it waited for the model after a tool';
    case 'assistant':
      return 'it had just said something';
    case 'rate-limit':
      return 'a usage limit was reported';
    case 'session':
      return 'it had started and waited for the model';
    case 'denied':
      return `it was denied ${event.tool}`;
    case 'usage':
    case 'diagnostic':
    case 'activity':
      return 'it had shown activity';
  }
}

/** Less CPU than this between two looks means that nothing moves; a waiting Node process uses a little. */
const IDLE_CPU_MS = 200;

/**
 * One look at every running call: no output, and no CPU in its tree, for the project's stall time raises one item
 * that names the probable cause. It closes by itself when something moves again.
 */
export async function watchStalls(deps: CoreDeps, runtime: Runtime): Promise<void> {
  for (const job of runtime.jobs.values()) {
    if (job.process === null || job.what === 'removal' || job.what === 'merge') continue;
    await watchJob(deps, job);
  }
}

async function watchJob(deps: CoreDeps, job: Job): Promise<void> {
  const { process } = job;
  if (process === null) return;
  const cpu = await deps.processes.cpuTime(process);
  const now = deps.clock.now();
  if (cpu !== null && (job.lastCpu === null || cpu - job.lastCpu > IDLE_CPU_MS)) job.lastSignAt = now;
  job.lastCpu = cpu;
  const task = taskOf(deps, job.taskId);
  const project = projectOf(deps, job.projectId);
  const quiet = now - job.lastSignAt;
  if (job.stallItem !== null) {
    await followStall(deps, job, quiet < minutes(project.settings.stallMinutes));
    return;
  }
  if (quiet < minutes(project.settings.stallMinutes)) return;
  job.stallItem = raiseItem(deps, {
    kind: 'review',
    cause: 'stall',
    task,
    project,
    message: `Nothing has moved for ${counted(Math.floor(quiet / 60_000), 'minute')}: no output and no CPU. Probable cause: ${job.lastSign}.`,
  }).number;
}

async function followStall(deps: CoreDeps, job: Job, moves: boolean): Promise<void> {
  const number = job.stallItem as ItemNumber;
  if (deps.stores.settings.get(stopStalledKey(job.taskId)) === true) {
    deps.stores.settings.remove(stopStalledKey(job.taskId));
    job.stopReason ??= 'stall';
    await job.stopCurrent?.('stall');
    return;
  }
  const item = deps.stores.items.get(number);
  if (item?.state !== 'open') {
    job.stallItem = null;
    job.lastSignAt = deps.clock.now();
  } else if (moves) {
    closeItem(deps, number, 'resolved', 'it moves again');
    job.stallItem = null;
  }
}
