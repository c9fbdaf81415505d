import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { costOf } from './cost-bars.ts';

/** Undefined is every model, null what no entry names a model for. */
export type ModelChoice = string | null | undefined;

/**
 * The costs of one model: its part of each day and project. Questions, waits and calls are of tasks, not of models,
 * and stay what they are.
 */
export function ofModel(totals: LedgerTotalsView, model: string | null): LedgerTotalsView {
  const part = <T extends LedgerTotalsView['days'][number] | LedgerTotalsView['projects'][number]>(
    row: T,
  ): T => {
    const models = row.models.filter((each) => each.model === model);
    const { reportedUsd = 0, assumedUsd = 0 } = models[0] ?? {};
    return { ...row, models, reportedUsd, assumedUsd };
  };
  const models = totals.models.filter((each) => each.model === model);
  const projects = totals.projects
    .filter((row) => row.models.some((each) => each.model === model))
    .map(part)
    .sort((a, b) => costOf(b) - costOf(a));
  const { reportedUsd = 0, assumedUsd = 0 } = models[0] ?? {};
  return {
    ...totals,
    models,
    projects,
    days: totals.days.map(part),
    figures: { ...totals.figures, cost: { reportedUsd, assumedUsd, projects: projects.length } },
  };
}
