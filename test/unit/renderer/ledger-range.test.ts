import { describe, expect, it } from 'vitest';
import { costBars } from '../../../src-renderer/features/ledger/cost-bars.ts';
import { fillOf } from '../../../src-renderer/features/ledger/fills.ts';
import { dayOf, rangeInput, startOfDay } from '../../../src-renderer/features/ledger/range.ts';

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
