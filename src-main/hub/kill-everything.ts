import type { KillReceiptView } from '../../src-shared/api/hub.ts';
import { isAppError } from '../../src-shared/errors.ts';
import type { HubId } from '../../src-shared/ids.ts';
import { addMoney, usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, seconds } from '../../src-shared/time.ts';
import { openDataFolder, type DataFolder } from '../adapters/data-folder.ts';
import { readHubRecord } from '../adapters/hub-lock/hub-record.ts';
import { createKillFile } from '../adapters/kill-file.ts';
import { createProcessTable, DEFAULT_GRACE } from '../adapters/process/process-table.ts';
import type { Clock, EndReceipt, KillFile } from '../core/ports/world.ts';

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

interface Stored {
  readonly hubId: HubId | null;
  readonly taskIds: string[];
  readonly costUsd: number;
}

/** Whose processes to look for, and what runs and has cost so far. Reads only: a hub that hangs has the store open. */
async function readStored({ folder, clock }: KillOptions): Promise<Stored> {
  try {
    const [{ openStore }, { createRandomIds }, { costIfLost }] = await Promise.all([
      import('../store/open-store.ts'),
      import('../adapters/random-ids.ts'),
      import('../core/engine/settle-turn.ts'),
    ]);
    const stores = openStore({ folder: folder.data, clock, ids: createRandomIds(clock), readonly: true });
    try {
      const tasks = stores.tasks.list({ states: ['running', 'testing'] });
      const isStopped = new Set(tasks.map(({ id }) => id));
      const cut = stores.turns.running().filter(({ taskId }) => isStopped.has(taskId));
      const cost = addMoney(
        ...tasks.map(({ id }) => stores.turns.booked({ taskId: id })),
        // As they are booked once they are seen to be gone.
        ...cut.map((turn) => costIfLost(stores, turn)),
      );
      return {
        hubId: stores.hubId,
        taskIds: tasks.map(({ id }) => id),
        costUsd: usdFromMicroUsd(cost),
      };
    } finally {
      stores.dispose();
    }
  } catch {
    return { hubId: null, taskIds: [], costUsd: 0 };
  }
}

/**
 * Ends what carries the mark.
 *
 * @param seen what carried it when a hub that is silent was asked: the guardian may have ended it meanwhile. It is left
 * for the hub, or for the next one, to book; null when the hub does that itself
 */
async function endMarked(
  { folder, clock }: KillOptions,
  hubId: HubId,
  seen: readonly number[] | null,
): Promise<EndReceipt> {
  const { ended: own, alive } = await createProcessTable({ clock }).endAllMarked(hubId, DEFAULT_GRACE);
  const gone = (seen ?? []).filter((pid) => !alive.includes(pid));
  const receipt: EndReceipt = { ended: [...new Set([...gone, ...own])], alive };
  if (seen !== null && receipt.ended.length + alive.length > 0) {
    const { writeReceipt } = await import('../adapters/process/guardian-watch.ts');
    writeReceipt(folder.data, { at: clock.now(), cause: 'kill-file', ...receipt });
  }
  return receipt;
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
  const seeing =
    known === null
      ? Promise.resolve([])
      : createProcessTable({ clock })
          .findMarked(known as HubId)
          .then((found) => found.map(({ pid }) => pid))
          .catch(() => []);
  const asked = await askHub(options, reason);
  // A hub that hangs still holds the lock; one that is gone has left its rows to us.
  const answer =
    asked.receipt ?? (asked.wasThere ? null : await options.withoutHub(reason).catch(() => null));
  // Before anything ends: a hub that comes back puts its tasks back at once.
  const isHubSilent = asked.wasThere && asked.receipt === null;
  const recorded = known ?? readHubRecord(folder.data)?.hubId ?? null;
  const stored = isHubSilent || recorded === null ? await readStored(options) : null;
  // The hub may have died meanwhile, or never have known of a process: what carries the mark is looked for anyway.
  const hubId = (recorded ?? stored?.hubId ?? null) as HubId | null;
  const own = hubId === null ? NOTHING : await endMarked(options, hubId, isHubSilent ? await seeing : null);
  const { ended, costUsd, taskIds } = answer ?? { ...NOTHING, ...(isHubSilent ? stored : null) };
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
