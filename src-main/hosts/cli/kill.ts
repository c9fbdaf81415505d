import type { KillReceiptView } from '../../../src-shared/api/hub.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { isoTime, millis, seconds } from '../../../src-shared/time.ts';
import { openDataFolder } from '../../adapters/data-folder.ts';
import { readHubRecord } from '../../adapters/hub-lock/hub-record.ts';
import { createKillFile } from '../../adapters/kill-file.ts';
import { createProcessTable, DEFAULT_GRACE } from '../../adapters/process/process-table.ts';
import type { KillFile } from '../../core/ports/world.ts';
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

/** @returns why the file could not be written, or null */
function writeSwitch(host: Host, file: KillFile, reason: string): string | null {
  let problem: string | null = null;
  try {
    openDataFolder(host.folder);
  } catch (error) {
    // The folder may still take the file, and what runs has to end in any case.
    problem = isAppError(error) ? error.message : String(error);
  }
  if (file.read() !== null) return null;
  try {
    file.write(reason);
    return null;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return problem ?? `The kill file could not be written in ${host.folder.data} (${code}).`;
  }
}

/** Whose processes to look for, when no record tells it. Only where no hub has the store open. */
async function storedHubId(host: Host): Promise<HubId | null> {
  try {
    const [{ openStore }, { createRandomIds }] = await Promise.all([
      import('../../store/open-store.ts'),
      import('../../adapters/random-ids.ts'),
    ]);
    const ids = createRandomIds(host.clock);
    const stores = openStore({ folder: host.folder.data, clock: host.clock, ids, readonly: true });
    const { hubId } = stores;
    stores.dispose();
    return hubId;
  } catch {
    return null;
  }
}

/**
 * Engages the kill switch whatever state things are in: the file first, then the hub (1 s), then everything that
 * carries the data folder's mark, and says what lives (12-engine, Kill). Where the file cannot be written, everything
 * that runs is ended all the same, and the receipt says why the switch will not hold.
 */
export async function kill(host: Host, reason: string): Promise<KillReceiptView> {
  const { data } = host.folder;
  const file = createKillFile(data, host.clock);
  const problem = writeSwitch(host, file, reason);
  const since = isoTime(file.read()?.at ?? host.clock.now());

  const known = readHubRecord(data)?.hubId ?? null;
  const asked = await askHub(host, reason);
  // A hub that hangs still holds the lock; one that is gone has left its rows to us.
  const answer = asked.receipt ?? (asked.wasThere ? null : await withoutHub(host, reason).catch(() => null));
  // The hub may have died meanwhile, or never have known of a process: what carries the mark is looked for anyway.
  const hubId = (known ?? readHubRecord(data)?.hubId ?? (await storedHubId(host))) as HubId | null;
  const own =
    hubId === null
      ? NOTHING
      : {
          ...NOTHING,
          ...(await createProcessTable({ clock: host.clock }).endAllMarked(hubId, DEFAULT_GRACE)),
        };
  const { ended, costUsd, taskIds } = answer ?? NOTHING;
  return {
    killed: answer?.killed ?? { since, reason, by: host.person },
    ended: [...new Set([...ended, ...own.ended])],
    alive: hubId === null ? [...(answer?.alive ?? [])] : [...own.alive],
    costUsd,
    taskIds,
    // A hub that answers keeps the switch until it can be written.
    ...(problem === null || asked.receipt !== null ? {} : { problem }),
  };
}
