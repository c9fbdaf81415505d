import { describe, expect, it } from 'vitest';
import { costBars } from '../../../src-renderer/features/ledger/cost-bars.ts';
import { fillOf } from '../../../src-renderer/features/ledger/fills.ts';
import { ofModel } from '../../../src-renderer/features/ledger/of-model.ts';
import { dayOf, rangeInput, startOfDay } from '../../../src-renderer/features/ledger/range.ts';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';

describe('the days of the ledger', () => {
  it('asks for the last days, or for all since the midnight of a day', () => {
    expect(rangeInput({ days: 7 })).toEqual({ days: 7 });
    expect(rangeInput({ since: '2026-07-01' })).toEqual({ since: new Date(2026, 6, 1).toISOString() });
  });

  it('takes today for what is no day', () => {
    for (const since of ['', '2026-02-31', '2026-7-1', 'soon'])
      expect(rangeInput({ since })).toEqual({ days: 1 });
  });

  it('reads the days that it writes', () => {
    const day = new Date(2026, 11, 31, 23, 59);
    expect(dayOf(day)).toBe('2026-12-31');
    expect(startOfDay(dayOf(day))).toEqual(new Date(2026, 11, 31));
  });
});

describe('the bars of the costs', () => {
  const cost = (usd: number, assumed = 0) => ({ reportedUsd: usd, assumedUsd: assumed });

  it('stand on each other by model, and reach the sum of the day', () => {
    const bars = costBars({
      models: [
        { model: 'sonnet', ...cost(3) },
        { model: 'opus', ...cost(1) },
      ],
      days: [
        { day: '2026-07-01', calls: 1, ...cost(2), models: [{ model: 'sonnet', ...cost(2) }] },
        {
          day: '2026-07-02',
          calls: 2,
          ...cost(1.5, 0.5),
          models: [
            { model: 'sonnet', ...cost(0.5, 0.5) },
            { model: 'opus', ...cost(1) },
          ],
        },
        { day: '2026-07-03', calls: 0, ...cost(0), models: [] },
      ],
    });
    expect(bars.models).toEqual(['sonnet', 'opus']);
    expect(bars.tops).toEqual([
      [2, 1, 0],
      [2, 2, 0],
    ]);
    expect(bars.sums).toEqual([2, 2, 0]);
  });

  it('differ by fill, whatever their number', () => {
    expect(new Set([0, 1, 2, 3].map(fillOf)).size).toBe(4);
    expect(fillOf(4)).toBe(fillOf(0));
  });
});

describe('the costs of one model', () => {
  const cost = (model: string | null, reportedUsd: number, assumedUsd = 0) => ({
    model,
    reportedUsd,
    assumedUsd,
  });
  const project = (name: string, ...models: ReturnType<typeof cost>[]) => ({
    projectId: name,
    project: name,
    calls: 9,
    tasks: 3,
    reportedUsd: 99,
    assumedUsd: 99,
    models,
  });
  const totals = {
    figures: { cost: cost(null, 6, 1), touches: { all: 7 } },
    models: [cost('large', 5, 1), cost(null, 1)],
    projects: [
      project('a', cost('large', 1), cost(null, 1)),
      project('b', cost('large', 4, 1)),
      project('c', cost(null, 1)),
    ],
    days: [
      { day: '2026-11-30', calls: 1, reportedUsd: 6, assumedUsd: 1, models: [cost('large', 5, 1)] },
      { day: '2026-12-01', calls: 0, reportedUsd: 0, assumedUsd: 0, models: [] },
    ],
  } as unknown as LedgerTotalsView;

  it('are its part of the sum, of each project, and of each day', () => {
    const large = ofModel(totals, 'large');
    expect(large.figures).toMatchObject({
      cost: { reportedUsd: 5, assumedUsd: 1, projects: 2 },
      touches: { all: 7 },
    });
    expect(
      large.projects.map(({ project: name, reportedUsd, assumedUsd }) => [name, reportedUsd, assumedUsd]),
    ).toEqual([
      ['b', 4, 1],
      ['a', 1, 0],
    ]);
    expect(large.days.map(({ reportedUsd, assumedUsd }) => reportedUsd + assumedUsd)).toEqual([6, 0]);
    expect(costBars(large).models).toEqual(['large']);
  });

  it('may be those that name no model, or none at all', () => {
    expect(ofModel(totals, null).projects.map((each) => each.project)).toEqual(['a', 'c']);
    expect(ofModel(totals, 'other')).toMatchObject({
      models: [],
      projects: [],
      figures: { cost: { reportedUsd: 0, assumedUsd: 0, projects: 0 } },
    });
  });
});
