import { epochMs, type EpochMs } from '../../../src-shared/time.ts';
import type { QuietHours } from './preferences.ts';

const MINUTES_OF_DAY = 24 * 60;

/** Minutes since midnight, or null for what is no time of day. */
function minutesOf(time: string): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/**
 * When the quiet hours end that hold now; null outside of them. Equal ends mean none: nobody wants silence for ever.
 * By calendar fields of the local zone, so that a change of the clocks moves nothing.
 */
export function quietUntil(hours: QuietHours | null, now: EpochMs): EpochMs | null {
  const from = hours === null ? null : minutesOf(hours.from);
  const to = hours === null ? null : minutesOf(hours.to);
  if (from === null || to === null || from === to) return null;
  const here = new Date(now);
  const minute = here.getHours() * 60 + here.getMinutes();
  const length = (to - from + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const passed = (minute - from + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  if (passed >= length) return null;
  const day = here.getDate() + (to <= minute ? 1 : 0);
  return epochMs(new Date(here.getFullYear(), here.getMonth(), day, Math.floor(to / 60), to % 60).getTime());
}
