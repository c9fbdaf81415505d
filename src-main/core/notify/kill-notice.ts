import { seconds } from '../../../src-shared/time.ts';
import type { HubCalls } from '../ports/hub-calls.ts';
import type { Clock, Disposable } from '../ports/world.ts';
import type { NoticeDesk } from './notice-desk.ts';
import { killText } from './notice-text.ts';
import type { Writing } from './words.ts';

/** The receipt of a kill is written within 2 s; after this it is told without one. */
const RECEIPT_PATIENCE = seconds(4);

export interface KillNotice extends Disposable {
  /** Looks at the kill switch and tells of an engagement that is new, once its receipt is there. */
  look(isWanted: boolean): Promise<void>;
}

const size = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/**
 * Tells that everything was stopped; quiet hours do not hold it back. Taken away when the switch is released.
 *
 * @param again called when it is time to look once more
 */
export function createKillNotice(
  deps: {
    readonly hub: HubCalls;
    readonly desk: NoticeDesk;
    readonly clock: Clock;
    writing(): Writing;
  },
  again: () => void,
): KillNotice {
  const { hub, desk, clock } = deps;
  const startedAt = clock.now();
  /** The engagement that was told of, or that is older than we are; null while nothing is killed. */
  let told: string | null = null;
  let key: string | null = null;
  let timer: Disposable | null = null;

  async function released(): Promise<void> {
    told = null;
    timer?.dispose();
    timer = null;
    if (key !== null) await desk.withdraw(key);
    key = null;
  }

  return {
    dispose: () => timer?.dispose(),
    look: async (isWanted) => {
      const { killed } = await hub.query('hub.status', undefined);
      if (killed === null) return released();
      if (told === killed.since) return;
      if (!isWanted || Date.parse(killed.since) < startedAt) {
        told = killed.since;
        return;
      }
      const [entry] = await hub.query('ledger.list', { kind: 'kill.receipt', since: killed.since, limit: 1 });
      if (entry === undefined && clock.now() - Date.parse(killed.since) < RECEIPT_PATIENCE) {
        timer ??= clock.after(RECEIPT_PATIENCE, () => {
          timer = null;
          again();
        });
        return;
      }
      told = killed.since;
      const receipt =
        entry === undefined ? null : { ended: size(entry.data['ended']), alive: size(entry.data['alive']) };
      key = await desk.tell({
        ...killText(receipt, deps.writing()),
        target: { kind: 'inbox' },
        urgency: 'critical',
      });
    },
  };
}
