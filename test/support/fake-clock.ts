import type { Clock, Disposable } from '../../src-main/core/ports/world.ts';
import type { EpochMs, LocalDay, Millis } from '../../src-shared/time.ts';
import { epochMs, isoTime, millis } from '../../src-shared/time.ts';

const DAY_MS = 24 * 3600 * 1000;

interface Timer {
  dueAt: number;
  /** Ties fire in the order in which they were set. */
  readonly order: number;
  readonly period: number | null;
  readonly run: () => void;
}

/**
 * A clock that stands still until it is told to go on. Days are UTC days. Timers run on the monotonic time, so
 * `set` (a wall clock that jumps) neither fires nor delays them, as with the system's own timers.
 */
export class FakeClock implements Clock {
  private wall: number;
  private elapsed = 0;
  private made = 0;
  private readonly timers = new Set<Timer>();

  /** @param start wall time; 2026-03-02T09:00:00Z, a Monday, unless given */
  constructor(start: number = Date.UTC(2026, 2, 2, 9)) {
    this.wall = start;
  }

  now(): EpochMs {
    return epochMs(this.wall);
  }

  monotonic(): Millis {
    return millis(this.elapsed);
  }

  localDay(at: EpochMs): LocalDay {
    return isoTime(at).slice(0, 10) as LocalDay;
  }

  nextMidnight(at: EpochMs): EpochMs {
    return epochMs((Math.floor(at / DAY_MS) + 1) * DAY_MS);
  }

  startOfMonth(at: EpochMs): EpochMs {
    const date = new Date(at);
    return epochMs(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  }

  after(delay: Millis, run: () => void): Disposable {
    return this.add(delay, null, run);
  }

  every(period: Millis, run: () => void): Disposable {
    if (period <= 0) throw new RangeError('a period must be positive');
    return this.add(period, period, run);
  }

  /**
   * Moves both times on and fires what becomes due, each timer at its own moment and in order; timers that a
   * timer sets fire too if they are due by then.
   */
  advance(by: number): void {
    if (by < 0) throw new RangeError('time goes forward; use set for a wall clock that goes back');
    const end = this.elapsed + by;
    for (let timer = this.nextDue(end); timer !== null; timer = this.nextDue(end)) {
      this.goTo(timer.dueAt);
      if (timer.period === null) this.timers.delete(timer);
      else timer.dueAt += timer.period;
      timer.run();
    }
    this.goTo(end);
  }

  /** Advances in steps and lets promises settle after each, for code that awaits between two timers. */
  async advanceAsync(by: number, step = by): Promise<void> {
    for (let left = by; left > 0; left -= step) {
      this.advance(Math.min(step, left));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** The wall clock jumps, forward or back; timers and `monotonic` do not notice. */
  set(wall: number): void {
    this.wall = wall;
  }

  /** How many timers wait: 0 at the end of a test that leaves nothing behind. */
  get pending(): number {
    return this.timers.size;
  }

  private add(delay: number, period: number | null, run: () => void): Disposable {
    this.made += 1;
    const timer: Timer = { dueAt: this.elapsed + Math.max(0, delay), order: this.made, period, run };
    this.timers.add(timer);
    return { dispose: () => void this.timers.delete(timer) };
  }

  private nextDue(end: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of this.timers) {
      if (timer.dueAt > end) continue;
      if (
        next === null ||
        timer.dueAt < next.dueAt ||
        (timer.dueAt === next.dueAt && timer.order < next.order)
      ) {
        next = timer;
      }
    }
    return next;
  }

  private goTo(elapsed: number): void {
    // A callback may have advanced the clock itself; time never goes back for it.
    const by = Math.max(0, elapsed - this.elapsed);
    this.elapsed += by;
    this.wall += by;
  }
}
