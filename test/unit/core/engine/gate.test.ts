import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideStart } from '../../../../src-main/core/engine/gate.ts';
import type { StartView } from '../../../../src-main/core/engine/gate.ts';
import { microUsd } from '../../../../src-shared/money.ts';
import { epochMs } from '../../../../src-shared/time.ts';

const OPEN: StartView = {
  now: epochMs(1000),
  nextMidnight: epochMs(9000),
  isStopping: false,
  killed: null,
  isPaused: false,
  project: { name: 'h1-a', isEnabled: true, disabledReason: null, isPaused: false, slots: 1 },
  isTaskReady: true,
  accountProblem: null,
  slotsInUse: 0,
  processes: 0,
  maxProcesses: 4,
  agent: {
    holds: [],
    isProbeRunning: false,
    calls: [{ name: 'agent-calls', limit: 20, used: 0 }],
    callsToCome: 0,
    money: { kind: 'reserve', amount: microUsd(500_000), narrowest: 'per-call' },
    waitsForBudget: false,
  },
};
const hold = (probeAt: number) => ({
  kind: 'login' as const,
  reason: 'Log in.',
  since: epochMs(0),
  until: null,
  probeAt: epochMs(probeAt),
  item: null,
});

test('an open gate reserves what the money allows', () => {
  expect(decideStart(OPEN)).toEqual({ kind: 'go', reserve: 500_000, isProbe: false });
});

test.each<[string, Partial<StartView>]>([
  ['killed', { killed: { since: epochMs(0), reason: 'x', by: 'asha' } }],
  ['paused', { isPaused: true }],
  ['project-off', { project: { ...OPEN.project, isEnabled: false } }],
  ['project-off', { accountProblem: 'no account' }],
  ['project-paused', { project: { ...OPEN.project, isPaused: true } }],
  ['no-slot', { slotsInUse: 1 }],
  ['hub-full', { processes: 4 }],
  ['stopping', { isStopping: true }],
  ['not-ready', { isTaskReady: false }],
])('nothing passes when it is %s', (kind, change) => {
  expect(decideStart({ ...OPEN, ...change })).toMatchObject({ kind: 'refused', refusal: { kind } });
});

test('a hold lets one launch through when its time to try has come, and no second one', () => {
  const agent = OPEN.agent;
  if (agent === null) throw new Error('no agent');
  expect(decideStart({ ...OPEN, agent: { ...agent, holds: [hold(2000)] } })).toMatchObject({
    refusal: { kind: 'hold' },
  });
  const half = { ...OPEN, agent: { ...agent, holds: [hold(1000)] } };
  expect(decideStart(half)).toMatchObject({ kind: 'go', isProbe: true });
  expect(decideStart({ ...half, agent: { ...half.agent, isProbeRunning: true } })).toMatchObject({
    refusal: { kind: 'hold' },
  });
});

test('a step that starts no agent needs neither calls nor money nor a lifted hold', () => {
  expect(decideStart({ ...OPEN, agent: null })).toEqual({ kind: 'go', reserve: null, isProbe: false });
});

test('whatever the view, an engaged kill switch, a pause or a project that is off starts nothing', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.nat(8),
      fc.nat(8),
      fc.nat(25),
      (killed, paused, off, inUse, slots, used) => {
        const decision = decideStart({
          ...OPEN,
          killed: killed ? { since: epochMs(0), reason: '', by: '' } : null,
          isPaused: paused,
          project: { ...OPEN.project, isEnabled: !off, slots },
          slotsInUse: inUse,
          agent:
            OPEN.agent === null ? null : { ...OPEN.agent, calls: [{ name: 'agent-calls', limit: 20, used }] },
        });
        const mayGo = !killed && !paused && !off && inUse < slots && used < 20;
        expect(decision.kind).toBe(mayGo ? 'go' : 'refused');
      },
    ),
  );
});
