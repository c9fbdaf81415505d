import { expect, test } from 'vitest';
import type { ProjectId } from '../../../../src-shared/ids.ts';
import { microUsd } from '../../../../src-shared/money.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import {
  decideSpike,
  hasSucceeded,
  type SpikeTask,
  type SpikeView,
} from '../../../../src-main/core/spike/decide-spike.ts';

const A = 'prj_a' as ProjectId;
const B = 'prj_b' as ProjectId;

const ran = (projectId: ProjectId, from: number, to: number, given: Partial<SpikeTask> = {}): SpikeTask => ({
  projectId,
  answered: 1,
  hasApproveItem: true,
  spans: [{ projectId, from: epochMs(from), to: epochMs(to) }],
  ...given,
});

const view = (given: Partial<SpikeView> = {}): SpikeView => ({
  now: epochMs(1000),
  projectIds: [A, B],
  budgetMicroUsd: microUsd(10_000_000),
  callsPerDay: 20,
  endsAt: epochMs(5000),
  bookedMicroUsd: microUsd(0),
  callsToday: 0,
  runningTurns: 0,
  safetyStop: null,
  tasks: [],
  ...given,
});

const reasonOf = (given: Partial<SpikeView>): string => {
  const decision = decideSpike(view(given));
  return decision.kind === 'end' ? decision.reason : 'continue';
};

test('a spike goes on while nothing has happened', () => {
  expect(decideSpike(view())).toEqual({ kind: 'continue' });
});

test('it succeeds when every project relayed to approval and their runs overlapped', () => {
  expect(reasonOf({ tasks: [ran(A, 0, 100), ran(B, 50, 150)] })).toBe('success');
});

test('runs that only follow one another are no success', () => {
  expect(reasonOf({ tasks: [ran(A, 0, 100), ran(B, 100, 200)] })).toBe('continue');
});

test('approval without a relay, or a relay without approval, is no success', () => {
  expect([
    reasonOf({ tasks: [ran(A, 0, 100), ran(B, 50, 150, { answered: 0 })] }),
    reasonOf({ tasks: [ran(A, 0, 100), ran(B, 50, 150, { hasApproveItem: false })] }),
    reasonOf({ tasks: [ran(A, 0, 100)] }),
  ]).toEqual(['continue', 'continue', 'continue']);
});

test('a relay on one task and approval on another do not make a success together', () => {
  expect(
    reasonOf({
      tasks: [ran(A, 0, 100), ran(B, 50, 150, { hasApproveItem: false }), ran(B, 60, 160, { answered: 0 })],
    }),
  ).toBe('continue');
});

test("only a project's first three tasks count towards success", () => {
  const failed = ran(B, 10, 20, { hasApproveItem: false });
  expect([
    reasonOf({ tasks: [ran(A, 0, 100), failed, failed, ran(B, 50, 150)] }),
    reasonOf({ tasks: [ran(A, 0, 100), failed, failed, failed, ran(B, 50, 150)] }),
  ]).toEqual(['success', 'continue']);
});

test('a spike over one project needs no overlap', () => {
  expect(hasSucceeded({ projectIds: [A], tasks: [ran(A, 0, 100)] })).toBe(true);
});

test('it ends when less than a cent of its budget is left', () => {
  expect([
    reasonOf({ bookedMicroUsd: microUsd(9_990_000) }),
    reasonOf({ bookedMicroUsd: microUsd(9_990_001) }),
    reasonOf({ bookedMicroUsd: microUsd(12_000_000) }),
  ]).toEqual(['continue', 'budget', 'budget']);
});

test('its calls of a day end it once the last of them has ended', () => {
  expect([
    reasonOf({ callsToday: 19 }),
    reasonOf({ callsToday: 20, runningTurns: 1 }),
    reasonOf({ callsToday: 20 }),
  ]).toEqual(['continue', 'continue', 'calls']);
});

test('it ends when its last day is over', () => {
  expect([reasonOf({ now: epochMs(4999) }), reasonOf({ now: epochMs(5000) })]).toEqual(['continue', 'time']);
});

test('a safety stop ends it before anything else is looked at', () => {
  expect(
    decideSpike(view({ safetyStop: 'conversation-lost (item 4)', tasks: [ran(A, 0, 100), ran(B, 50, 150)] })),
  ).toEqual({ kind: 'end', reason: 'safety', detail: 'conversation-lost (item 4)' });
});
