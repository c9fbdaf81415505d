import { expect, test } from 'vitest';
import { createTurns } from '../../../../src-main/adapters/git/turns.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

test('turns of one key come one after the other, and a notable wait names who held it', async () => {
  const clock = new FakeClock();
  const turns = createTurns(clock);
  const seen: string[] = [];
  const waited = (who: string) => (holder: string, duration: number) =>
    void seen.push(`${who} waited ${duration} for ${holder}`);
  const gate = Promise.withResolvers<void>();
  const first = turns.take('repo', 'one', waited('one'), () => gate.promise);
  const second = turns.take('repo', 'two', waited('two'), () => Promise.resolve(seen.push('two works')));
  await turns.take('other', 'three', waited('three'), () => Promise.resolve(seen.push('three works')));
  clock.advance(51);
  gate.resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(['three works', 'two waited 51 for one', 'two works']);
});

test('a failure frees the turn, and a short wait is no fact', async () => {
  const clock = new FakeClock();
  const turns = createTurns(clock);
  const facts: unknown[] = [];
  const note = (...fact: unknown[]) => void facts.push(fact);
  const failing = turns.take('repo', 'one', note, () => Promise.reject(new Error('no')));
  const next = turns.take('repo', 'two', note, () => Promise.resolve('done'));
  clock.advance(50);
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(facts).toEqual([]);
});
