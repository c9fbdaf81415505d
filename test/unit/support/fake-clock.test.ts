import { expect, test } from 'vitest';
import { FakeClock } from '../../support/fake-clock.ts';
import { epochMs, millis } from '../../../src-shared/time.ts';

test('timers fire at their own moment and in order, also those that a timer sets', () => {
  const clock = new FakeClock(0);
  const seen: string[] = [];
  const note = (name: string): void => void seen.push(`${name}@${clock.now()}`);
  clock.after(millis(30), () => note('late'));
  clock.after(millis(10), () => {
    note('early');
    clock.after(millis(5), () => note('nested'));
  });
  const ticks = clock.every(millis(20), () => note('tick'));
  clock.advance(40);
  ticks.dispose();
  clock.advance(100);
  expect(seen).toEqual(['early@10', 'nested@15', 'tick@20', 'late@30', 'tick@40']);
  expect(clock.pending).toBe(0);
});

test('a wall clock that jumps back neither fires nor delays timers', () => {
  const clock = new FakeClock(1_000_000);
  let fired = 0;
  clock.after(millis(100), () => (fired += 1));
  clock.set(5);
  expect([clock.now(), fired]).toEqual([5, 0]);
  clock.advance(100);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([105, 100, 1]);
});

test('days, midnights and months are those of UTC', () => {
  const clock = new FakeClock(Date.UTC(2026, 1, 28, 23, 59));
  const now = clock.now();
  expect([clock.localDay(now), clock.nextMidnight(now), clock.startOfMonth(now)]).toEqual([
    '2026-02-28',
    epochMs(Date.UTC(2026, 2, 1)),
    epochMs(Date.UTC(2026, 1, 1)),
  ]);
});
