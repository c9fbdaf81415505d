import type { CostBasis } from '../../../src-shared/model/task.ts';
import { NO_MONEY, microUsd } from '../../../src-shared/money.ts';
import type { MicroUsd } from '../../../src-shared/money.ts';
import type { TurnOutcome, TurnReport } from '../ports/harness.ts';
import { spentNothing } from '../relay/after-turn.ts';

export interface Booking {
  readonly costMicroUsd: MicroUsd;
  /** The session's running total as reported; null when nothing was. */
  readonly totalMicroUsd: MicroUsd | null;
  readonly basis: CostBasis;
}

export const reportOf = (outcome: TurnOutcome): TurnReport | null =>
  outcome.kind === 'lost' || outcome.kind === 'not-started' ? null : outcome.report;

/**
 * What a settled turn cost. The CLI reports running totals over a session, resumes included, so differences are
 * booked, never totals (PROTOCOL.md, 9). A turn cut without a result keeps its whole reservation as an assumed cost:
 * never below what was billed, as the stream shows no final output counts for a reply that was cut.
 *
 * @param lastTotal the session's total as last stored
 * @param wasSent whether the prompt was written
 */
export function bookTurn(
  outcome: TurnOutcome,
  reserved: MicroUsd,
  lastTotal: MicroUsd,
  wasSent: boolean,
): Booking {
  if (!wasSent || spentNothing(outcome))
    return { costMicroUsd: NO_MONEY, totalMicroUsd: null, basis: 'none' };
  const report = reportOf(outcome);
  if (report === null) return { costMicroUsd: reserved, totalMicroUsd: null, basis: 'assumed' };
  const total = report.totalMicroUsd;
  if (report.turnMicroUsd !== null)
    return { costMicroUsd: report.turnMicroUsd, totalMicroUsd: total, basis: 'reported' };
  if (total === null) return { costMicroUsd: reserved, totalMicroUsd: null, basis: 'assumed' };
  return { costMicroUsd: microUsd(Math.max(0, total - lastTotal)), totalMicroUsd: total, basis: 'reported' };
}
