import { describe, expect, test } from 'vitest';
import type { SessionBus } from '../../../../src-main/adapters/session-bus.ts';
import { followTrayHost, waitForTrayHost } from '../../../../src-main/hosts/electron/tray-host.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** A session bus on which a panel comes and goes. */
function desktop(platform: NodeJS.Platform = 'linux') {
  const clock = new FakeClock();
  let isThere = false;
  let connections = 0;
  const listeners: (() => void)[] = [];
  const bus: SessionBus = {
    call: ({ member }) =>
      Promise.resolve(member === 'NameHasOwner' ? [isThere] : [{ signature: 'b', value: isThere }]),
    follow: (_rule, listener) => {
      listeners.push(() => listener({ path: '/', interface: '', member: '', body: [] }));
      return Promise.resolve();
    },
    variant: (_signature, value) => value,
    isOpen: true,
    dispose: () => {
      connections -= 1;
    },
  };
  const deps = {
    platform,
    env: {},
    clock,
    connect: () => {
      connections += 1;
      return Promise.resolve(bus);
    },
  };
  const changes: boolean[] = [];
  const settled = () => clock.advanceAsync(1, 1);
  return {
    clock,
    deps,
    changes,
    follow: async (known: boolean) => {
      const watch = followTrayHost(deps, known, (isHosted) => changes.push(isHosted));
      for (let turn = 0; turn < 3; turn += 1) await settled();
      return watch;
    },
    panel: async (next: boolean) => {
      isThere = next;
      for (const each of listeners) each();
      await settled();
    },
    connections: () => connections,
  };
}

describe('a panel for the tray', () => {
  test('that comes after the application is told once', async () => {
    const { follow, panel, changes } = desktop();
    await follow(false);
    await panel(true);
    await panel(true);
    expect(changes).toEqual([true]);
  });

  test('that came between the two looks is not missed', async () => {
    const { follow, panel, changes } = desktop();
    await panel(true);
    await follow(false);
    expect(changes).toEqual([true]);
  });

  test('that starts anew wants the tray again, and is never called gone', async () => {
    const { follow, panel, changes, clock } = desktop();
    await panel(true);
    await follow(true);
    await panel(false);
    await clock.advanceAsync(2000);
    await panel(true);
    await clock.advanceAsync(10_000);
    expect(changes).toEqual([true]);
  });

  test('that stays away is told after three seconds, and again when it is back', async () => {
    const { follow, panel, changes, clock } = desktop();
    await panel(true);
    await follow(true);
    await panel(false);
    await clock.advanceAsync(2900);
    expect(changes).toEqual([]);
    await clock.advanceAsync(200);
    await panel(true);
    expect(changes).toEqual([false, true]);
  });

  test('is not looked for on other systems, and nothing is kept after the end', async () => {
    const mac = desktop('darwin');
    await mac.follow(true);
    const linux = desktop();
    const watch = await linux.follow(true);
    watch.dispose();
    await linux.panel(true);
    expect([mac.connections(), linux.connections(), linux.clock.pending, linux.changes]).toEqual([
      0,
      0,
      0,
      [],
    ]);
    expect(await waitForTrayHost(mac.deps)).toBe(true);
  });
});
