import { describe, expect, test } from 'vitest';
import type { HubCalls } from '../../../../src-main/core/ports/hub-calls.ts';
import { withKillSwitch } from '../../../../src-main/hosts/electron/kill-switch.ts';

function world() {
  const calls: unknown[] = [];
  const hub = {
    query: (name: string) => Promise.resolve(calls.push(name)),
    mutate: (name: string, input: unknown) => Promise.resolve(calls.push([name, input])),
    subscribe: () => ({ dispose: () => undefined }),
  } as unknown as HubCalls;
  const pressed: string[] = [];
  const guarded = withKillSwitch(hub, (reason) => {
    pressed.push(reason);
    return Promise.resolve({} as never);
  });
  return { calls, pressed, guarded };
}

describe('the kill switch of the window', () => {
  test.each([
    [{ reason: 'stop it' }, 'stop it'],
    [{}, ''],
    [null, ''],
    ['nonsense', ''],
    [{ reason: 'x'.repeat(5000) }, ''],
  ])('stops whatever comes with it, and never waits for a hub: %j', async (input, reason) => {
    const { calls, pressed, guarded } = world();
    await guarded.mutate('hub.kill', input as never);
    expect([pressed, calls]).toEqual([[reason], []]);
  });

  test('leaves every other call to the hub', async () => {
    const { calls, pressed, guarded } = world();
    await guarded.query('hub.summary', undefined);
    await guarded.mutate('hub.release', { confirmed: true });
    expect([pressed, calls]).toEqual([[], ['hub.summary', ['hub.release', { confirmed: true }]]]);
  });
});
