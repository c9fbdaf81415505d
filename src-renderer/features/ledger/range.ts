/** The last so many days, or all since a day of this window's calendar. */
export type Range = { readonly days: number } | { readonly since: string };

export const RANGES = [1, 7, 14] as const;
export const DEFAULT_RANGE: Range = { days: 14 };

/** Midnight of a day such as `2026-07-01`, here; null for what is no day. */
export function startOfDay(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date));
  return start.getMonth() === Number(month) - 1 ? start : null;
}

/** The day of a moment, as {@link startOfDay} reads it. */
export const dayOf = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** As `ledger.totals` takes it. */
export function rangeInput(range: Range): { days: number } | { since: string } {
  if ('days' in range) return { days: range.days };
  const start = startOfDay(range.since);
  return start === null ? { days: RANGES[0] } : { since: start.toISOString() };
}
