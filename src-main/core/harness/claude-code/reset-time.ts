import { epochMs } from '../../../../src-shared/time.ts';
import type { EpochMs } from '../../../../src-shared/time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const PATTERN =
  /resets\s+(?:(?<month>[a-z]{3})[a-z]*\s+(?<day>\d{1,2})(?:,|\s+at)?\s+)?(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s*(?<half>am|pm)?\s*\((?<zone>[A-Za-z0-9_+/-]{1,40})\)/i;

/** Wall time of a moment in a zone, as if it were UTC; null when the zone is unknown. */
function wallTime(at: number, zone: string): number | null {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }).formatToParts(at);
    const part = (type: string): number => Number(parts.find((entry) => entry.type === type)?.value);
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  } catch {
    return null;
  }
}

/**
 * When a usage limit ends, from the sentence that the CLI prints (`… · resets 7:47pm (UTC)`, seen in 2.1.332;
 * a date before the time is accepted too). Only the one-shot form needs it: the stream has the moment itself.
 *
 * @returns the next such moment after `now`; null when the text names none, no zone or an unknown one
 */
export function parseResetTime(text: string, now: EpochMs): EpochMs | null {
  const groups = PATTERN.exec(text.slice(0, 2_000))?.groups;
  if (groups === undefined) return null;
  const written = Number(groups['hour']);
  const half = groups['half']?.toLowerCase();
  const minute = Number(groups['minute'] ?? 0);
  const isHourRight = half === undefined ? written <= 23 : written >= 1 && written <= 12;
  if (!isHourRight || minute > 59) return null;
  const hour = half === undefined ? written : (written % 12) + (half === 'pm' ? 12 : 0);

  const wallNow = wallTime(now, groups['zone'] ?? '');
  if (wallNow === null) return null;
  const offset = wallNow - Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const timeOfDay = (hour * 60 + minute) * MINUTE_MS;

  if (groups['month'] !== undefined) {
    const month = MONTHS.indexOf(groups['month'].toLowerCase());
    if (month === -1) return null;
    const year = new Date(wallNow).getUTCFullYear();
    const inYear = (which: number): number =>
      Date.UTC(which, month, Number(groups['day'])) + timeOfDay - offset;
    return epochMs(inYear(year) > now - DAY_MS ? inYear(year) : inYear(year + 1));
  }
  const today = Math.floor(wallNow / DAY_MS) * DAY_MS + timeOfDay - offset;
  return epochMs(today > now ? today : today + DAY_MS);
}
