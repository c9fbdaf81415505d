import { expect, test } from 'vitest';
import type { TurnOutcome } from '../../../../src-main/core/ports/harness.ts';
import type { FailureCategory } from '../../../../src-shared/model/turn-failure.ts';
import { afterTurn, holdOf } from '../../../../src-main/core/relay/after-turn.ts';

const failed = (category: FailureCategory): TurnOutcome => ({
  kind: 'failed',
  category,
  message: 'm',
  resetsAt: null,
  report: null,
});

test.each<[FailureCategory, string]>([
  ['login', 'login'],
  ['not-logged-in', 'login'],
  ['rate-limit', 'usage-limit'],
  ['usage-limit', 'usage-limit'],
  ['overload', 'overload'],
  ['connection', 'overload'],
  ['billing', 'billing'],
])('%s is a state of the hub: hold %s', (category, hold) => {
  expect(afterTurn(failed(category))).toMatchObject({ kind: 'hold', hold });
});

test.each<FailureCategory>([
  'no-structured-output',
  'schema-retries',
  'budget',
  'max-turns',
  'model-not-found',
  'bad-request',
  'error',
])('%s is a failed attempt that goes on in the session', (category) => {
  expect(holdOf(category)).toBeNull();
  expect(afterTurn(failed(category))).toMatchObject({
    kind: 'failed',
    reason: category,
    again: 'in-session',
  });
});

test.each<FailureCategory>(['prompt-too-long', 'session-in-use', 'unknown-session'])(
  '%s needs a fresh session',
  (category) => {
    expect(afterTurn(failed(category))).toMatchObject({ kind: 'failed', again: 'fresh' });
  },
);

test('a stop by the kill switch, a person or the hub never counts; the time limit does', () => {
  const by = (reason: 'kill-switch' | 'person' | 'hub-stopping' | 'time-limit' | 'stall') =>
    afterTurn({ kind: 'interrupted', by: reason, report: null }).kind;
  expect([by('kill-switch'), by('person'), by('hub-stopping'), by('time-limit'), by('stall')]).toEqual([
    'requeue',
    'requeue',
    'requeue',
    'failed',
    'failed',
  ]);
});

test('a question of blanks is none', () => {
  const outcome = {
    kind: 'question',
    question: ' \n\t',
    options: [],
    summary: '',
    report: {},
  } as unknown as TurnOutcome;
  expect(afterTurn(outcome)).toMatchObject({ kind: 'failed', reason: 'no-question', again: 'no-question' });
});
