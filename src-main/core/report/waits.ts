import type { ProjectId } from '../../../src-shared/ids.ts';

/** How long things waited, in milliseconds. */
export interface WaitSummary {
  readonly count: number;
  readonly medianMs: number | null;
  readonly longestMs: number | null;
  readonly sumMs: number;
}

/** The middle one, or the mean of the two middle ones; null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

export const summaryOf = (waits: readonly number[]): WaitSummary => ({
  count: waits.length,
  medianMs: median(waits),
  longestMs: waits.reduce<number | null>((most, wait) => (most === null || wait > most ? wait : most), null),
  sumMs: waits.reduce((sum, wait) => sum + wait, 0),
});

/** Summaries by project, in the order in which the projects first come. */
export function summariesByProject(
  waits: readonly { readonly projectId: ProjectId | null; readonly waitedMs: number }[],
): readonly { readonly projectId: ProjectId | null; readonly summary: WaitSummary }[] {
  const by = new Map<ProjectId | null, number[]>();
  for (const { projectId, waitedMs } of waits) {
    const own = by.get(projectId);
    if (own === undefined) by.set(projectId, [waitedMs]);
    else own.push(waitedMs);
  }
  return [...by].map(([projectId, own]) => ({ projectId, summary: summaryOf(own) }));
}

const MINUTE_MS = 60_000;
/** Upper bounds of the classes of waits; the last class has none. */
export const WAIT_CLASSES_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** How many waits fall into each class; a wait of exactly a bound is in the class above it. */
export function countByClass(waits: readonly number[]): readonly number[] {
  const counts = [...WAIT_CLASSES_MS, Infinity].map(() => 0);
  for (const wait of waits) {
    const found = WAIT_CLASSES_MS.findIndex((bound) => wait < bound);
    const index = found === -1 ? WAIT_CLASSES_MS.length : found;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}
