import type { LocalDay } from '../../../src-shared/time.ts';

const DAY_MS = 24 * 3600 * 1000;
const utcOf = (day: LocalDay): number => Date.parse(`${day}T00:00:00Z`);

/** The calendar day so many days earlier; days have no length here, so no zone plays a part. */
export const dayBefore = (day: LocalDay, days: number): LocalDay =>
  new Date(utcOf(day) - days * DAY_MS).toISOString().slice(0, 10) as LocalDay;

/** All days from one to another, both included, oldest first; empty when they are the wrong way round. */
export function daysFrom(first: LocalDay, last: LocalDay): readonly LocalDay[] {
  const count = Math.round((utcOf(last) - utcOf(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_each, index) => dayBefore(first, -index));
}
