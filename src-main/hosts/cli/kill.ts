import type { KillReceiptView } from '../../../src-shared/api/hub.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { isoTime, millis, seconds } from '../../../src-shared/time.ts';
import { openDataFolder } from '../../adapters/data-folder.ts';
import { readHubRecord } from '../../adapters/hub-lock/hub-record.ts';
import { createKillFile } from '../../adapters/kill-file.ts';
import { createProcessTable, DEFAULT_GRACE } from '../../adapters/process/process-table.ts';
import { connectWithoutHub, findHub } from './connect.ts';
import type { Host } from './host.ts';

/** What the hub gets to answer before this command ends the trees itself. */
const HUB_MAY_TAKE = seconds(1);
/** A command that holds the lock for its short duration is waited for this long. */
const LOCK_PATIENCE = millis(500);

type Receipt = Pick<KillReceiptView, 'ended' | 'alive' | 'costUsd' | 'taskIds'>;
const NOTHING: Receipt = { ended: [], alive: [], costUsd: 0, taskIds: [] };

interface Answer {
  readonly receipt: KillReceiptView | null;
  readonly wasThere: boolean;
}

/** The hub's receipt, if one answers in time. It goes on by itself: it sees the file as well. */
async function askHub(host: Host, reason: string): Promise<Answer> {
  const hub = await findHub(host);
  if (hub === null) return { receipt: null, wasThere: false };
  const late = Promise.withResolvers<null>();
  const timer = host.clock.after(HUB_MAY_TAKE, () => late.resolve(null));
  const asked = hub.client.hub.kill.mutate({ reason }).catch(() => null);
  try {
    return { receipt: await Promise.race([asked, late.promise]), wasThere: true };
  } finally {
    timer.dispose();
    await hub.close();
  }
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

/**
 * Engages the kill switch whatever state things are in: the file first, then the hub (1 s), then everything that
 * carries the data folder's mark, and says what lives (12-engine, Kill).
 */
export async function kill(host: Host, reason: string): Promise<KillReceiptView> {
  const { data } = openDataFolder(host.folder);
  const file = createKillFile(data, host.clock);
  let unwritten: unknown = null;
  try {
    if (file.read() === null) file.write(reason);
  } catch (error) {
    // What runs is ended all the same; a hub that answers keeps the switch.
    unwritten = error;
  }
  const since = isoTime(file.read()?.at ?? host.clock.now());

  const known = readHubRecord(data)?.hubId ?? null;
  const asked = await askHub(host, reason);
  // A hub that hangs still holds the lock; one that is gone has left its rows to us.
  const answer = asked.receipt ?? (asked.wasThere ? null : await withoutHub(host, reason).catch(() => null));
  // The hub may have died meanwhile, or never have known of a process: what carries the mark is looked for anyway.
  const hubId = (known ?? readHubRecord(data)?.hubId ?? null) as HubId | null;
  const own =
    hubId === null
      ? NOTHING
      : {
          ...NOTHING,
          ...(await createProcessTable({ clock: host.clock }).endAllMarked(hubId, DEFAULT_GRACE)),
        };
  if (unwritten !== null && answer === null) throw unwritten;
  const { ended, costUsd, taskIds } = answer ?? NOTHING;
  return {
    killed: answer?.killed ?? { since, reason, by: host.person },
    ended: [...new Set([...ended, ...own.ended])],
    alive: hubId === null ? [...(answer?.alive ?? [])] : [...own.alive],
    costUsd,
    taskIds,
  };
}
