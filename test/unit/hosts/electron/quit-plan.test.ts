import { expect, test } from 'vitest';
import { quitPlan, stopPatienceMs, type QuitState } from '../../../../src-main/hosts/electron/quit-plan.ts';

const BUSY: QuitState = { cause: 'person', isOurHub: true, running: 2, isDecided: false };

test('a person who quits while agents run is asked', () => {
  expect([quitPlan(BUSY), quitPlan({ ...BUSY, running: 1 })]).toMatchObject([
    { kind: 'ask', running: 2 },
    { kind: 'ask', running: 1 },
  ]);
});

test.each([
  ['nothing runs', { running: 0 }],
  ['the hub is another program', { isOurHub: false }],
  ['the person has said so', { isDecided: true }],
  ['the computer shuts down', { cause: 'shutdown' }],
  ['a signal asks for it', { cause: 'signal' }],
  ['an update is installed', { cause: 'update' }],
] as const)('nobody is asked when %s', (_when, over) => {
  expect(quitPlan({ ...BUSY, ...over })).toEqual({ kind: 'stop' });
});

test('a shutdown waits less than a person would', () => {
  expect(stopPatienceMs('shutdown')).toBeLessThan(5000);
});
