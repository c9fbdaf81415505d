import { counted } from '../../../src-shared/counted.ts';
import type { ProjectId } from '../../../src-shared/ids.ts';
import { LEAST_START_MICRO_USD, moneyLeft, type MicroUsd } from '../../../src-shared/money.ts';
import type { EpochMs } from '../../../src-shared/time.ts';
import { overlapOf, type ProcessSpan } from '../report/overlap.ts';

/** Tasks of a project that count towards success: those that came first; a further one proves nothing more. */
export const TASKS_THAT_COUNT = 3;

/** One task that ran in the spike. */
export interface SpikeTask {
  readonly projectId: ProjectId;
  /** Questions of it that a person answered. */
  readonly answered: number;
  readonly hasApproveItem: boolean;
  /** Its agent processes since the spike's start; never empty. */
  readonly spans: readonly ProcessSpan[];
}

/** A spike and what has come of it so far. */
export interface SpikeView {
  readonly now: EpochMs;
  readonly projectIds: readonly ProjectId[];
  readonly budgetMicroUsd: MicroUsd;
  readonly callsPerDay: number;
  readonly endsAt: EpochMs;
  /** Booked over its projects since its start. */
  readonly bookedMicroUsd: MicroUsd;
  /** Calls of its projects today, of those made since its start. */
  readonly callsToday: number;
  /** Turns of its projects that run now. */
  readonly runningTurns: number;
  /** What the first safety stop in its projects since its start was about; null when there was none. */
  readonly safetyStop: string | null;
  /** Tasks that ran in the spike, those that ran first first. */
  readonly tasks: readonly SpikeTask[];
}

export type SpikeEnd = 'success' | 'budget' | 'safety' | 'calls' | 'time';
export type SpikeDecision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'end'; readonly reason: SpikeEnd; readonly detail: string };

/**
 * Each project has, among its first three tasks, one that went through at least one relay to an approve item,
 * and its runs overlapped in time with another project's. A spike over one project has nothing to overlap with.
 */
export function hasSucceeded(view: Pick<SpikeView, 'projectIds' | 'tasks'>): boolean {
  const counting = view.projectIds.flatMap((projectId) =>
    view.tasks.filter((task) => task.projectId === projectId).slice(0, TASKS_THAT_COUNT),
  );
  const relayed = view.projectIds.every((projectId) =>
    counting.some((task) => task.projectId === projectId && task.answered > 0 && task.hasApproveItem),
  );
  if (!relayed) return false;
  if (view.projectIds.length < 2) return true;
  const { projectIds } = overlapOf(counting.flatMap((task) => task.spans));
  return view.projectIds.every((projectId) => projectIds.includes(projectId));
}

/**
 * Whether the spike ends now, at the first of its stop conditions (10-relay). Safety goes before success: what
 * was reached unsafely is no success. Used-up calls end it once the turns that were paid for have ended.
 */
export function decideSpike(view: SpikeView): SpikeDecision {
  if (view.safetyStop !== null) return end('safety', view.safetyStop);
  if (hasSucceeded(view)) return end('success', 'Each project relayed a question and reached approval.');
  if (moneyLeft(view.budgetMicroUsd, view.bookedMicroUsd) < LEAST_START_MICRO_USD) {
    return end('budget', 'Its budget is used up.');
  }
  if (view.callsToday >= view.callsPerDay && view.runningTurns === 0) {
    return end('calls', `It made its ${counted(view.callsPerDay, 'call')} of a day.`);
  }
  if (view.now >= view.endsAt) return end('time', 'Its days are over.');
  return { kind: 'continue' };
}

const end = (reason: SpikeEnd, detail: string): SpikeDecision => ({ kind: 'end', reason, detail });
