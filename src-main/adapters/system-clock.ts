import type { Clock, Disposable } from '../core/ports/world.ts';
import { epochMs, millis, type LocalDay } from '../../src-shared/time.ts';

/** Node fires a longer timer at once (setTimeout, TIMEOUT_MAX). */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A timer beyond this does not keep the process alive: whoever waits so long has a socket or a child that does. */
const KEEPS_ALIVE_MS = 60_000;

/** Wall clock, calendar and timers of this machine. Days and months are those of the process's time zone. */
export const systemClock: Clock = {
  now: () => epochMs(Date.now()),
  monotonic: () => millis(performance.now()),
  localDay: (at) => {
    const date = new Date(at);
    const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
    return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` as LocalDay;
  },
  // By calendar fields, so that a day of 23 or 25 hours ends where the calendar says. Where a zone skips midnight
  // itself, the first moment of the day is meant, which is what Date makes of it.
  nextMidnight: (at) => {
    const date = new Date(at);
    return epochMs(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime());
  },
  startOfMonth: (at) => {
    const date = new Date(at);
    return epochMs(new Date(date.getFullYear(), date.getMonth(), 1).getTime());
  },
  after: (delay, run) => startTimer(delay, run),
  every: (period, run) => {
    if (!(period > 0)) throw new RangeError('A period must be positive.');
    const timer = setInterval(run, Math.min(period, LONGEST_TIMER_MS));
    timer.unref();
    return { dispose: () => clearInterval(timer) };
  },
};

function startTimer(delay: number, run: () => void): Disposable {
  let timer: NodeJS.Timeout;
  const arm = (left: number): void => {
    const step = Math.min(Math.max(0, left), LONGEST_TIMER_MS);
    timer = setTimeout(() => {
      if (left > step) arm(left - step);
      else run();
    }, step);
    if (delay > KEEPS_ALIVE_MS) timer.unref();
  };
  arm(delay);
  return { dispose: () => clearTimeout(timer) };
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
