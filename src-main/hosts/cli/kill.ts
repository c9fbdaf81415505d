import type { KillReceiptView } from '../../../src-shared/api/hub.ts';
import { millis } from '../../../src-shared/time.ts';
import { killEverything, type AskedHub } from '../../hub/kill-everything.ts';
import { connectWithoutHub, findHub } from './connect.ts';
import type { Host } from './host.ts';

/** A command that holds the lock for its short duration is waited for this long. */
const LOCK_PATIENCE = millis(500);

async function askedHub(host: Host): Promise<AskedHub | null> {
  const hub = await findHub(host);
  if (hub === null) return null;
  return { kill: (reason) => hub.client.hub.kill.mutate({ reason }), close: hub.close };
}

/** Without a hub: the rows too, so that the tasks are ready again with their sessions. */
async function withoutHub(host: Host, reason: string): Promise<KillReceiptView | null> {
  const session = await connectWithoutHub(host, LOCK_PATIENCE);
  try {
    return session === null ? null : await session.client.hub.kill.mutate({ reason });
  } finally {
    await session?.close();
  }
}

/** `signalbox kill`: works with a hub, without one, and with one that hangs. */
export function kill(host: Host, reason: string): Promise<KillReceiptView> {
  const { folder, clock, person } = host;
  return killEverything(
    {
      folder,
      clock,
      person,
      findHub: () => askedHub(host),
      withoutHub: (why) => withoutHub(host, why),
    },
    reason,
  );
}
