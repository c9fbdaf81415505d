import type { ProjectId } from '../../../src-shared/ids.ts';
import type { EpochMs } from '../../../src-shared/time.ts';

/** One process of an agent, from its start to its end. */
export interface ProcessSpan {
  readonly projectId: ProjectId;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface Overlap {
  /** Projects that ran at the same time as another one, in the order of their ids. */
  readonly projectIds: readonly ProjectId[];
  readonly milliseconds: number;
}

/**
 * Time in which processes of two or more different projects ran. One that ends in the millisecond in which
 * another begins does not overlap with it; a span that ends before it begins (a clock that went back) is empty.
 */
export function overlapOf(spans: readonly ProcessSpan[]): Overlap {
  const edges = spans
    .filter((span) => span.to > span.from)
    .flatMap((span) => [
      { at: span.from, projectId: span.projectId, change: 1 },
      { at: span.to, projectId: span.projectId, change: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const running = new Map<ProjectId, number>();
  const together = new Set<ProjectId>();
  let milliseconds = 0;
  let since = 0;
  for (const edge of edges) {
    if (running.size >= 2 && edge.at > since) {
      milliseconds += edge.at - since;
      for (const projectId of running.keys()) together.add(projectId);
    }
    since = edge.at;
    const count = (running.get(edge.projectId) ?? 0) + edge.change;
    // Edges of one millisecond come in any order, so a count may pass below zero on its way.
    if (count === 0) running.delete(edge.projectId);
    else running.set(edge.projectId, count);
  }
  return { projectIds: [...together].sort(), milliseconds };
}
