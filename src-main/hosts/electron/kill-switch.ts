import { KillInput, type KillReceiptView } from '../../../src-shared/api/hub.ts';
import type { DataFolder } from '../../adapters/data-folder.ts';
import type { PortCalls } from '../../adapters/hub-calls.ts';
import type { HubCalls } from '../../core/ports/hub-calls.ts';
import type { Clock } from '../../core/ports/world.ts';
import { killEverything } from '../../hub/kill-everything.ts';

export interface KillSwitchDeps {
  readonly folder: DataFolder;
  readonly clock: Clock;
  readonly person: string;
  readonly hub: Pick<PortCalls, 'isOpen' | 'mutate'>;
  /** Everything was stopped from here, since no hub answered in time. */
  onAlone(receipt: KillReceiptView): void;
}

export type PressKill = (reason: string) => Promise<KillReceiptView>;

/**
 * The kill switch of tray and window: with a hub that answers, one that hangs, and none at all. The store is left to
 * the next hub, which finds the file.
 */
export function createKillSwitch(deps: KillSwitchDeps): PressKill {
  const { folder, clock, person, hub } = deps;
  return async (reason) => {
    let hasAnswered = false;
    const receipt = await killEverything(
      {
        folder,
        clock,
        person,
        // Without a connection the call would wait for the next hub, and stop that one too, after a release.
        findHub: () =>
          Promise.resolve(
            hub.isOpen
              ? {
                  kill: async (why) => {
                    const answer = await hub.mutate('hub.kill', { reason: why });
                    hasAnswered = true;
                    return answer;
                  },
                  close: () => Promise.resolve(),
                }
              : null,
          ),
        withoutHub: () => Promise.resolve(null),
      },
      reason,
    );
    if (!hasAnswered) deps.onAlone(receipt);
    return receipt;
  };
}

/** The hub as the window calls it: its kill switch is ours. */
export const withKillSwitch = (hub: HubCalls, press: PressKill): HubCalls => ({
  query: (name, input) => hub.query(name, input),
  subscribe: (name, input, handlers) => hub.subscribe(name, input, handlers),
  mutate: (name, input) => {
    if (name !== 'hub.kill') return hub.mutate(name, input);
    const { data } = KillInput.safeParse(input ?? {});
    // Whoever presses wants a stop; a reason that is none does not keep it from that.
    return press(data?.reason ?? '');
  },
});
