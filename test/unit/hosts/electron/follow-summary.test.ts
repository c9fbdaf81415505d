import { describe, expect, test } from 'vitest';
import type { HubCalls } from '../../../../src-main/core/ports/hub-calls.ts';
import { followSummary } from '../../../../src-main/hosts/electron/follow-summary.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A hub that answers when it is let. */
function world() {
  const clock = new FakeClock();
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  const told: unknown[] = [];
  const hub = {
    query: (name: string) => {
      asked.push(name);
      return new Promise((resolve) => waiting.push(() => resolve({ preferences: {} })));
    },
    subscribe: () => ({ dispose: () => undefined }),
  } as unknown as HubCalls;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const follower = followSummary(
    { hub, clock, log },
    {
      onSummary: () => told.push('summary'),
      onPreferences: () => undefined,
      onSilence: (isSilent) => told.push(isSilent ? 'silent' : 'speaks'),
    },
  );
  const answer = (): void => waiting.splice(0).forEach((each) => each());
  return { clock, asked, told, answer, follower };
}

describe('following the hub', () => {
  test('a hub that is not asked for anything is asked now and then, and one that lets it wait is silent', async () => {
    const { clock, asked, told, answer, follower } = world();
    await clock.advanceAsync(10_000);
    expect(asked).toEqual(['hub.summary', 'settings.show']);
    await clock.advanceAsync(5_000);
    // Not asked again while it has not answered.
    await clock.advanceAsync(60_000);
    expect([told, asked.length]).toEqual([['silent'], 2]);
    answer();
    await clock.advanceAsync(1, 1);
    expect(told).toEqual(['silent', 'summary', 'speaks']);
    follower.dispose();
    expect(clock.pending).toBe(0);
  });

  test('one that answers in time is never called silent', async () => {
    const { clock, told, answer } = world();
    for (let second = 0; second < 60; second += 1) {
      await clock.advanceAsync(1000);
      answer();
    }
    expect([told.includes('silent'), told.includes('summary')]).toEqual([false, true]);
  });
});
