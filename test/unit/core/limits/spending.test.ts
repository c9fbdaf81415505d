import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_AGENT } from '../../../../src-shared/model/agent.ts';
import { microUsd, type MicroUsd } from '../../../../src-shared/money.ts';
import type { LocalDay } from '../../../../src-shared/time.ts';
import {
  budgetSince,
  callLimitReached,
  callLimits,
  decideReservation,
  moneyLeftFor,
  moneyLimits,
  type MoneyLimit,
} from '../../../../src-main/core/limits/spending.ts';
import { makeProject, makeSpike } from '../../../support/core-builders.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const limit = (name: MoneyLimit['name'], of: number, booked = 0, reserved = 0): MoneyLimit => ({
  name,
  limit: microUsd(of),
  booked: microUsd(booked),
  reserved: microUsd(reserved),
});

test('with room everywhere the per-call cap is reserved', () => {
  expect(
    decideReservation({ perCall: microUsd(500_000), limits: [limit('project-budget', 10_000_000)] }),
  ).toEqual({ kind: 'reserve', amount: 500_000, narrowest: 'per-call' });
});

test('the narrowest limit sets the amount and is named', () => {
  const decision = decideReservation({
    perCall: microUsd(500_000),
    limits: [
      limit('project-budget', 10_000_000, 9_700_000),
      limit('spike-budget', 5_000_000, 4_000_000, 880_000),
    ],
  });
  expect(decision).toEqual({ kind: 'reserve', amount: 120_000, narrowest: 'spike-budget' });
});

test('exactly one cent starts, less does not', () => {
  const decide = (booked: number) =>
    decideReservation({
      perCall: microUsd(500_000),
      limits: [limit('project-budget', 1_000_000, booked)],
    });
  expect([decide(990_000), decide(990_001)]).toEqual([
    { kind: 'reserve', amount: 10_000, narrowest: 'project-budget' },
    { kind: 'used-up', which: 'project-budget', isOnlyReserved: false },
  ]);
});

test('a per-call cap below one cent is itself the limit that is used up', () => {
  expect(decideReservation({ perCall: microUsd(0), limits: [limit('project-budget', 10_000_000)] })).toEqual({
    kind: 'used-up',
    which: 'per-call',
    isOnlyReserved: false,
  });
});

test('overspending by the price of one response leaves nothing, not a negative amount', () => {
  expect(
    decideReservation({
      perCall: microUsd(500_000),
      limits: [limit('project-budget', 1_000_000, 1_300_000)],
    }),
  ).toEqual({ kind: 'used-up', which: 'project-budget', isOnlyReserved: false });
});

test('money that running turns hold is told apart from money that is spent', () => {
  const decide = (booked: number, reserved: number) =>
    decideReservation({
      perCall: microUsd(500_000),
      limits: [limit('project-budget', 1_000_000, booked, reserved)],
    });
  expect([decide(500_000, 500_000), decide(995_000, 5_000)]).toEqual([
    { kind: 'used-up', which: 'project-budget', isOnlyReserved: true },
    { kind: 'used-up', which: 'project-budget', isOnlyReserved: false },
  ]);
});

const money = fc.integer({ min: 0, max: 20_000_000 });
const anyLimits = fc.array(
  fc.record({
    name: fc.constantFrom('project-budget', 'spike-budget'),
    limit: money,
    booked: money,
    reserved: money,
  }),
  { minLength: 1, maxLength: 3 },
);

test('never more is reserved than the cap and every limit leave, and never less than a cent', () => {
  fc.assert(
    fc.property(money, anyLimits, (perCall, limits) => {
      const typed = limits as unknown as readonly MoneyLimit[];
      const decision = decideReservation({ perCall: microUsd(perCall), limits: typed });
      const least = Math.min(perCall, ...typed.map((each) => each.limit - each.booked - each.reserved));
      expect(decision.kind).toBe(least >= 10_000 ? 'reserve' : 'used-up');
      if (decision.kind === 'reserve') expect(decision.amount).toBe(least);
    }),
  );
});

test('however starts and results interleave, what is booked and reserved together never passes the limit', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('start' as const), perCall: money }),
    fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(money, fc.array(step, { maxLength: 40 }), (total, steps) => {
      const running: number[] = [];
      let booked = 0;
      for (const each of steps) {
        if (each.kind === 'start') {
          const reserved = running.reduce((sum, amount) => sum + amount, 0);
          const decision = decideReservation({
            perCall: microUsd(each.perCall),
            limits: [limit('project-budget', total, booked, reserved)],
          });
          if (decision.kind === 'reserve') running.push(decision.amount);
        } else if (running.length > 0) {
          const [amount = 0] = running.splice(each.which % running.length, 1);
          booked += Math.floor(amount * each.share);
        }
        const reserved = running.reduce((sum, amount) => sum + amount, 0);
        expect(booked + reserved).toBeLessThanOrEqual(total);
      }
    }),
  );
});

test('a monthly budget counts from the first of the month, a total one from the beginning', () => {
  const clock = new FakeClock(Date.UTC(2026, 4, 17, 10));
  const monthly = makeProject();
  const total = makeProject({ settings: { budgetPeriod: 'total' } });
  expect([budgetSince(monthly, clock), budgetSince(total, clock)]).toEqual([Date.UTC(2026, 4, 1), 0]);
});

const noMoney = 0 as MicroUsd;

test("a spike's budget counts over all its projects since its start, beside the project's own", () => {
  const a = makeProject({ settings: { budgetUsd: 4 } });
  const b = makeProject();
  const spike = makeSpike({ projectIds: [a.id, b.id], budgetMicroUsd: 3_000_000, startedAt: 1000 });
  const clock = new FakeClock(Date.UTC(2026, 4, 17, 10));
  const turns = {
    booked: (filter: { projectIds?: readonly string[]; since?: number }) =>
      microUsd((filter.projectIds?.length ?? 0) * 100 + (filter.since === 1000 ? 7 : 0)),
    reserved: (filter: { projectIds?: readonly string[] }) => microUsd(filter.projectIds?.length ?? 0),
  };
  expect(moneyLimits({ turns }, a, spike, clock)).toEqual([
    { name: 'project-budget', limit: 4_000_000, booked: 100, reserved: 1 },
    { name: 'spike-budget', limit: 3_000_000, booked: 207, reserved: 2 },
  ]);
  expect(moneyLeftFor({ turns }, a, spike, clock)).toBe(3_000_000 - 207 - 2);
  expect(moneyLimits({ turns }, makeProject(), spike, clock).map((each) => each.name)).toEqual([
    'project-budget',
  ]);
  expect(moneyLeftFor({ turns: { booked: () => noMoney, reserved: () => noMoney } }, a, null, clock)).toBe(
    4_000_000,
  );
});

const day = '2026-05-17' as LocalDay;

/** Calls as (agent, project) pairs; those of a spike are the ones asked for with `since`. */
const launchesOf = (calls: readonly { agent: string; projectId: string; isSinceSpike: boolean }[]) => ({
  callsOn: (
    _day: LocalDay,
    filter: { agent?: string; projectId?: string; projectIds?: readonly string[]; since?: number },
  ) =>
    calls.filter(
      (call) =>
        (filter.agent === undefined || filter.agent === call.agent) &&
        (filter.projectId === undefined || filter.projectId === call.projectId) &&
        (filter.projectIds === undefined || filter.projectIds.includes(call.projectId)) &&
        (filter.since === undefined || call.isSinceSpike),
    ).length,
});

test("calls are counted over the agent's projects and within the project's own number", () => {
  const a = makeProject({ settings: { callsPerDay: 2 } });
  const b = makeProject();
  const launches = launchesOf([
    { agent: 'claude', projectId: a.id, isSinceSpike: false },
    { agent: 'claude', projectId: b.id, isSinceSpike: false },
    { agent: 'other', projectId: b.id, isSinceSpike: false },
  ]);
  const limits = callLimits({ launches }, a, { ...DEFAULT_AGENT, callsPerDay: 2 }, null, day);
  expect(limits).toEqual([
    { name: 'agent-calls', limit: 2, used: 2 },
    { name: 'project-calls', limit: 2, used: 1 },
  ]);
  expect(callLimitReached(limits)?.name).toBe('agent-calls');
});

test('a limit of no calls is reached before the first one', () => {
  const limits = callLimits(
    { launches: launchesOf([]) },
    makeProject(),
    { ...DEFAULT_AGENT, callsPerDay: 0 },
    null,
    day,
  );
  expect(callLimitReached(limits)).toEqual({ name: 'agent-calls', limit: 0, used: 0 });
});

test("a spike's calls and other projects' calls do not count against each other", () => {
  const inSpike = makeProject();
  const other = makeProject();
  const launches = launchesOf([
    { agent: 'claude', projectId: inSpike.id, isSinceSpike: true },
    { agent: 'claude', projectId: inSpike.id, isSinceSpike: true },
    { agent: 'claude', projectId: inSpike.id, isSinceSpike: false },
    { agent: 'claude', projectId: other.id, isSinceSpike: true },
  ]);
  const spike = makeSpike({ projectIds: [inSpike.id], callsPerDay: 5, callsBefore: 9 });
  const agent = { ...DEFAULT_AGENT, callsPerDay: 5 };
  expect([
    callLimits({ launches }, inSpike, agent, spike, day),
    callLimits({ launches }, other, agent, spike, day),
  ]).toEqual([[{ name: 'spike-calls', limit: 5, used: 2 }], [{ name: 'agent-calls', limit: 9, used: 2 }]]);
});

test('an agent that a person switched off during a spike makes no calls in it either', () => {
  const inSpike = makeProject();
  const spike = makeSpike({ projectIds: [inSpike.id], callsPerDay: 5, callsBefore: 9 });
  const limits = callLimits(
    { launches: launchesOf([]) },
    inSpike,
    { ...DEFAULT_AGENT, callsPerDay: 0 },
    spike,
    day,
  );
  expect(callLimitReached(limits)).toEqual({ name: 'agent-calls', limit: 0, used: 0 });
});

test('nothing more starts in a spike whose end is under way', () => {
  const inSpike = makeProject();
  const spike = makeSpike({ projectIds: [inSpike.id], callsPerDay: 5, endedReason: 'enough' });
  const agent = { ...DEFAULT_AGENT, callsPerDay: 5 };
  const limits = callLimits({ launches: launchesOf([]) }, inSpike, agent, spike, day);
  expect(callLimitReached(limits)).toEqual({ name: 'spike-calls', limit: 0, used: 0 });
});
