import type { KillReceiptView } from '../../src-shared/api/hub.ts';
import { isAppError } from '../../src-shared/errors.ts';
import type { HubId } from '../../src-shared/ids.ts';
import { isoTime, seconds } from '../../src-shared/time.ts';
import { openDataFolder, type DataFolder } from '../adapters/data-folder.ts';
import { readHubRecord } from '../adapters/hub-lock/hub-record.ts';
import { createKillFile } from '../adapters/kill-file.ts';
import { createProcessTable, DEFAULT_GRACE } from '../adapters/process/process-table.ts';
import type { Clock, KillFile } from '../core/ports/world.ts';

/** What the hub gets to answer before whoever pressed ends the trees itself. */
const HUB_MAY_TAKE = seconds(1);

type Receipt = Pick<KillReceiptView, 'ended' | 'alive' | 'costUsd' | 'taskIds'>;
const NOTHING: Receipt = { ended: [], alive: [], costUsd: 0, taskIds: [] };

/** A hub that was found. */
export interface AskedHub {
  kill(reason: string): Promise<KillReceiptView>;
  close(): Promise<void>;
}

export interface KillOptions {
  readonly folder: DataFolder;
  readonly clock: Clock;
  /** Who presses it. */
  readonly person: string;
  /** The hub that answers, or null when there is none. */
  findHub(): Promise<AskedHub | null>;
  /** Where nobody holds the data folder: engages it in the store too. Null when that does not go. */
  withoutHub(reason: string): Promise<KillReceiptView | null>;
}

interface Answer {
  readonly receipt: KillReceiptView | null;
  readonly wasThere: boolean;
}

/** The hub's receipt, if one answers in time. It goes on by itself: it sees the file as well. */
async function askHub(options: KillOptions, reason: string): Promise<Answer> {
  const hub = await options.findHub();
  if (hub === null) return { receipt: null, wasThere: false };
  const late = Promise.withResolvers<null>();
  const timer = options.clock.after(HUB_MAY_TAKE, () => late.resolve(null));
  const asked = hub.kill(reason).catch(() => null);
  try {
    return { receipt: await Promise.race([asked, late.promise]), wasThere: true };
  } finally {
    timer.dispose();
    await hub.close();
  }
}

/** @returns why the file could not be written, or null */
function writeSwitch(folder: DataFolder, file: KillFile, reason: string): string | null {
  let problem: string | null = null;
  try {
    openDataFolder(folder);
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
    return problem ?? `The kill file could not be written in ${folder.data} (${code}).`;
  }
}

/** Whose processes to look for, when no record tells it. Only where no hub has the store open. */
async function storedHubId({ folder, clock }: KillOptions): Promise<HubId | null> {
  try {
    const [{ openStore }, { createRandomIds }] = await Promise.all([
      import('../store/open-store.ts'),
      import('../adapters/random-ids.ts'),
    ]);
    const stores = openStore({ folder: folder.data, clock, ids: createRandomIds(clock), readonly: true });
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
export async function killEverything(options: KillOptions, reason: string): Promise<KillReceiptView> {
  const { folder, clock, person } = options;
  const file = createKillFile(folder.data, clock);
  const problem = writeSwitch(folder, file, reason);
  const since = isoTime(file.read()?.at ?? clock.now());

  const known = readHubRecord(folder.data)?.hubId ?? null;
  const asked = await askHub(options, reason);
  // A hub that hangs still holds the lock; one that is gone has left its rows to us.
  const answer =
    asked.receipt ?? (asked.wasThere ? null : await options.withoutHub(reason).catch(() => null));
  // The hub may have died meanwhile, or never have known of a process: what carries the mark is looked for anyway.
  const hubId = (known ?? readHubRecord(folder.data)?.hubId ?? (await storedHubId(options))) as HubId | null;
  const own =
    hubId === null
      ? NOTHING
      : {
          ...NOTHING,
          ...(await createProcessTable({ clock }).endAllMarked(hubId, DEFAULT_GRACE)),
        };
  const { ended, costUsd, taskIds } = answer ?? NOTHING;
  return {
    killed: answer?.killed ?? { since, reason, by: person },
    ended: [...new Set([...ended, ...own.ended])],
    alive: hubId === null ? [...(answer?.alive ?? [])] : [...own.alive],
    costUsd,
    taskIds,
    // A hub that answers keeps the switch until it can be written.
    ...(problem === null || asked.receipt !== null ? {} : { problem }),
  };
}
