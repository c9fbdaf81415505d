import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';

export interface CostBars {
  readonly days: readonly string[];
  /** Costliest first; null is what no entry names a model for. */
  readonly models: readonly (string | null)[];
  /** Upper edge of each model's part, by model, then by day: the parts stand on each other. */
  readonly tops: readonly (readonly number[])[];
  /** Sum of a day. */
  readonly sums: readonly number[];
}

type Money = { readonly reportedUsd: number; readonly assumedUsd: number };
export const costOf = ({ reportedUsd, assumedUsd }: Money): number => reportedUsd + assumedUsd;

/** Costs by day as parts that stand on each other. */
export function costBars({ days, models }: Pick<LedgerTotalsView, 'days' | 'models'>): CostBars {
  const names = models.map(({ model }) => model);
  const reached = days.map(() => 0);
  const tops = names.map((name) =>
    days.map((day, index) => {
      const part = day.models.find(({ model }) => model === name);
      reached[index] = (reached[index] ?? 0) + (part === undefined ? 0 : costOf(part));
      return reached[index];
    }),
  );
  return { days: days.map(({ day }) => day), models: names, tops, sums: days.map(costOf) };
}
