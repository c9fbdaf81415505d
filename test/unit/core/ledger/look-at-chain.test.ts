import { expect, test } from 'vitest';
import { lookAtChain } from '../../../../src-main/core/ledger/look-at-chain.ts';
import type { ChainCheck, LedgerStore } from '../../../../src-main/core/ports/ledger-store.ts';

type Asked = Parameters<LedgerStore['verifySteps']>[0];

const found = (checkedFrom: number, brokenAt: number | null): ChainCheck => ({
  ok: brokenAt === null,
  entries: 9,
  head: '',
  brokenAt,
  checkedFrom,
});

/** A ledger whose checks take two slices each. */
function ledgerOf(answers: { readonly since: ChainCheck; readonly whole: ChainCheck }) {
  const asked: Asked[] = [];
  function* verifySteps(options: Asked): Generator<void, ChainCheck> {
    asked.push(options);
    yield;
    yield;
    return options.full ? answers.whole : answers.since;
  }
  return { asked, verifySteps };
}

/** @param slices how many may be taken */
function look(ledger: ReturnType<typeof ledgerOf>, slices: number): number | null {
  let taken = 0;
  const steps = lookAtChain(ledger, () => (taken += 1) > slices);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('what is new is looked at first and all of it then, and nothing is noted', () => {
  const ledger = ledgerOf({ since: found(5, null), whole: found(1, 3) });
  expect(look(ledger, 9)).toBe(3);
  expect(ledger.asked).toEqual([
    { full: false, isNoted: false },
    { full: true, isNoted: false },
  ]);
});

test('a fault in what is new is told without looking at the rest', () => {
  const ledger = ledgerOf({ since: found(5, 7), whole: found(1, 3) });
  expect([look(ledger, 9), ledger.asked.length]).toEqual([7, 1]);
});

test('a ledger that was never verified is looked at once', () => {
  const ledger = ledgerOf({ since: found(1, null), whole: found(1, null) });
  expect([look(ledger, 9), ledger.asked.length]).toEqual([null, 1]);
});

test('a look whose time is over ends and finds nothing', () => {
  const ledger = ledgerOf({ since: found(5, null), whole: found(1, 3) });
  expect([look(ledger, 3), ledger.asked.length]).toEqual([null, 2]);
});
