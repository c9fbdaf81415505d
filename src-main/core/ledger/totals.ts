import type { ProjectId } from '../../../src-shared/ids.ts';
import type { LedgerEntry } from '../../../src-shared/model/ledger-entry.ts';
import type { LocalDay } from '../../../src-shared/time.ts';

/**
 * What a set of ledger entries adds up to. Reported and assumed money stand apart, as screens show them; money is
 * in micro-dollars, waits in milliseconds.
 */
export interface LedgerSums {
  readonly entries: number;
  /** `harness.start` and `harness.resume`. */
  readonly calls: number;
  /** Bookings of money: entries with a `costBasis`. */
  readonly bookings: number;
  readonly reportedMicroUsd: number;
  readonly assumedMicroUsd: number;
  /** Responses of persons that say how long the item waited. */
  readonly waits: number;
  readonly waitedMs: number;
  readonly lockWaits: number;
  readonly lockWaitedMs: number;
}

export const NO_SUMS: LedgerSums = {
  entries: 0,
  calls: 0,
  bookings: 0,
  reportedMicroUsd: 0,
  assumedMicroUsd: 0,
  waits: 0,
  waitedMs: 0,
  lockWaits: 0,
  lockWaitedMs: 0,
};

/** What totals are kept by: the hub's calendar day, the project, and the model that was asked. */
export interface TotalsKey {
  readonly localDay: LocalDay;
  readonly projectId: ProjectId | null;
  readonly model: string | null;
}

const wholeNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** A length of time in a fact: milliseconds under `<name>Ms`, or whole seconds under `<name>S`. */
function timeOf(data: LedgerEntry['data'], name: string): number | null {
  const inMs = wholeNumber(data[`${name}Ms`]);
  if (inMs !== null) return inMs;
  const inS = wholeNumber(data[`${name}S`]);
  return inS === null ? null : inS * 1000;
}

/**
 * The model that an entry's costs are counted under: its own `model`, else the costliest of its usage by model
 * (which is a running total of the conversation, so its amounts cannot be added up themselves).
 */
function modelOf(data: LedgerEntry['data']): string | null {
  if (typeof data['model'] === 'string' && data['model'] !== '') return data['model'];
  const usage = data['usageByModel'];
  if (!Array.isArray(usage)) return null;
  let model: string | null = null;
  let most = -1;
  for (const part of usage as readonly unknown[]) {
    if (part === null || typeof part !== 'object') continue;
    const { model: name, costMicroUsd } = part as { model?: unknown; costMicroUsd?: unknown };
    const cost = wholeNumber(costMicroUsd) ?? 0;
    if (typeof name === 'string' && cost > most) [model, most] = [name, cost];
  }
  return model;
}

/**
 * What one entry adds. Money counts when the entry says on what basis it was booked (`costBasis` `reported` or
 * `assumed`), so that a receipt which only mentions a cost is not counted a second time.
 */
export function sumsOfEntry(entry: LedgerEntry): { readonly key: TotalsKey; readonly sums: LedgerSums } {
  const { data, kind } = entry;
  const isBooking = data['costBasis'] === 'reported' || data['costBasis'] === 'assumed';
  const cost = isBooking ? (wholeNumber(data['costMicroUsd']) ?? 0) : 0;
  const isReported = data['costBasis'] === 'reported';
  const waited = kind === 'item.responded' ? timeOf(data, 'waited') : null;
  const lockWaited =
    kind === 'account.lock_wait'
      ? (timeOf(data, 'waited') ?? (wholeNumber(data['seconds']) ?? 0) * 1000)
      : null;
  return {
    key: { localDay: entry.localDay, projectId: entry.projectId, model: modelOf(data) },
    sums: {
      entries: 1,
      calls: kind === 'harness.start' || kind === 'harness.resume' ? 1 : 0,
      bookings: isBooking ? 1 : 0,
      reportedMicroUsd: isReported ? cost : 0,
      assumedMicroUsd: isReported ? 0 : cost,
      waits: waited === null ? 0 : 1,
      waitedMs: waited ?? 0,
      lockWaits: lockWaited === null ? 0 : 1,
      lockWaitedMs: lockWaited ?? 0,
    },
  };
}

export const addSums = (left: LedgerSums, right: LedgerSums): LedgerSums => ({
  entries: left.entries + right.entries,
  calls: left.calls + right.calls,
  bookings: left.bookings + right.bookings,
  reportedMicroUsd: left.reportedMicroUsd + right.reportedMicroUsd,
  assumedMicroUsd: left.assumedMicroUsd + right.assumedMicroUsd,
  waits: left.waits + right.waits,
  waitedMs: left.waitedMs + right.waitedMs,
  lockWaits: left.lockWaits + right.lockWaits,
  lockWaitedMs: left.lockWaitedMs + right.lockWaitedMs,
});
