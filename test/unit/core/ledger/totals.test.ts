import { expect, test } from 'vitest';
import { NO_SUMS, sumsOfEntry } from '../../../../src-main/core/ledger/totals.ts';
import type { LedgerSums } from '../../../../src-main/core/ledger/totals.ts';
import type { LedgerData } from '../../../../src-shared/model/ledger-entry.ts';
import { chainOf } from './arbitrary.ts';

const sumsOf = (kind: string, data: LedgerData): ReturnType<typeof sumsOfEntry> => {
  const [entry] = chainOf([{ kind, data }]);
  if (entry === undefined) throw new Error('no entry');
  return sumsOfEntry(entry);
};
const only = (sums: Partial<LedgerSums>): LedgerSums => ({ ...NO_SUMS, entries: 1, ...sums });

test('reported and assumed money stand apart', () => {
  expect(sumsOf('harness.result', { costBasis: 'reported', costMicroUsd: 2900 }).sums).toEqual(
    only({ bookings: 1, reportedMicroUsd: 2900 }),
  );
  expect(sumsOf('harness.result', { costBasis: 'assumed', costMicroUsd: 500_000 }).sums).toEqual(
    only({ bookings: 1, assumedMicroUsd: 500_000 }),
  );
});

test('a cost without a basis is only a mention', () => {
  expect(sumsOf('kill.engaged', { costMicroUsd: 77 }).sums).toEqual(only({}));
  expect(sumsOf('harness.result', { costMicroUsd: 77, costBasis: 'none' }).sums).toEqual(only({}));
});

test('starts and resumes are calls', () => {
  expect(sumsOf('harness.start', {}).sums).toEqual(only({ calls: 1 }));
  expect(sumsOf('harness.resume', { waitedS: 4 }).sums).toEqual(only({ calls: 1 }));
});

test('waits of items and of locks are counted in milliseconds', () => {
  expect(sumsOf('item.responded', { waitedS: 90 }).sums).toEqual(only({ waits: 1, waitedMs: 90_000 }));
  expect(sumsOf('item.responded', { waitedMs: 1234 }).sums).toEqual(only({ waits: 1, waitedMs: 1234 }));
  expect(sumsOf('account.lock_wait', { seconds: 3 }).sums).toEqual(
    only({ lockWaits: 1, lockWaitedMs: 3000 }),
  );
});

test('money goes to the named model, else to the costliest of the usage, else to none', () => {
  const usageByModel = [
    { model: 'small', costMicroUsd: 1 },
    { model: 'big', costMicroUsd: 9 },
  ];
  expect(sumsOf('harness.result', { model: 'named', usageByModel }).key.model).toBe('named');
  expect(sumsOf('harness.result', { usageByModel }).key.model).toBe('big');
  expect(sumsOf('harness.result', { usageByModel: ['odd', null, { model: 3 }] }).key.model).toBeNull();
});

test('figures that are no counts add nothing', () => {
  expect(sumsOf('harness.result', { costBasis: 'reported', costMicroUsd: -5 }).sums).toEqual(
    only({ bookings: 1 }),
  );
  expect(sumsOf('item.responded', { waitedS: 'long' }).sums).toEqual(only({}));
});
