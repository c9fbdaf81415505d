import { expect, test } from 'vitest';
import { bookTurn } from '../../../../src-main/core/engine/booking.ts';
import type { TurnOutcome, TurnReport } from '../../../../src-main/core/ports/harness.ts';
import { microUsd } from '../../../../src-shared/money.ts';

const RESERVED = microUsd(500_000);
const report = (given: Partial<TurnReport>): TurnReport => ({
  sessionId: null,
  subtype: 'success',
  isError: false,
  numTurns: 2,
  durationMs: 1,
  totalMicroUsd: null,
  turnMicroUsd: null,
  usageByModel: [],
  denials: [],
  ...given,
});
const doneWith = (given: Partial<TurnReport>): TurnOutcome => ({
  kind: 'done',
  summary: '',
  remove: [],
  rename: [],
  report: report(given),
});

test('the stream form books the turn as it was reported', () => {
  expect(
    bookTurn(
      doneWith({ totalMicroUsd: microUsd(8700), turnMicroUsd: microUsd(2900) }),
      RESERVED,
      microUsd(5800),
      true,
    ),
  ).toEqual({
    costMicroUsd: 2900,
    totalMicroUsd: 8700,
    basis: 'reported',
  });
});

test('the one-shot form books the difference of running totals, never the total', () => {
  expect(
    bookTurn(doneWith({ totalMicroUsd: microUsd(8700) }), RESERVED, microUsd(5800), true).costMicroUsd,
  ).toBe(2900);
});

test('a total that went down books nothing rather than a negative cost', () => {
  expect(
    bookTurn(doneWith({ totalMicroUsd: microUsd(10) }), RESERVED, microUsd(5800), true).costMicroUsd,
  ).toBe(0);
});

test('a turn cut without a result keeps its reservation as assumed, if its prompt was written', () => {
  const cut: TurnOutcome = { kind: 'interrupted', by: 'kill-switch', report: null };
  expect(bookTurn(cut, RESERVED, microUsd(0), true)).toMatchObject({
    costMicroUsd: 500_000,
    basis: 'assumed',
  });
  expect(bookTurn(cut, RESERVED, microUsd(0), false)).toMatchObject({ costMicroUsd: 0, basis: 'none' });
});

test('a failure that made no request cost nothing', () => {
  const unknown: TurnOutcome = {
    kind: 'failed',
    category: 'unknown-session',
    message: '',
    resetsAt: null,
    report: null,
  };
  expect(bookTurn(unknown, RESERVED, microUsd(0), true)).toMatchObject({ costMicroUsd: 0, basis: 'none' });
});
