import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import { millis, type Millis } from '../../../src-shared/time.ts';
import type { Clock, Disposable } from '../../core/ports/world.ts';
import { isPidAlive, readHubRecord, type HubRecord } from './hub-record.ts';

export interface HeldLock {
  release(): void;
}
/** The lock itself; `store/hub-lock.ts` has it. */
export type TryLock = (file: string) => HeldLock | null;

export interface HubLockDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly tryLock: TryLock;
  /** Whether somebody listens at the socket of the record; listening is proof that its maker holds the lock. */
  readonly answers: (socket: string) => Promise<boolean>;
}

/** How often a taken lock is tried again. */
const TRY_AGAIN = millis(25);
/** How long a hub waits for commands, and a command for another one or for a hub that is starting. */
export const LOCK_PATIENCE = millis(10_000);

export type Ownership =
  | { readonly kind: 'owner'; readonly lock: Disposable }
  /** A hub holds the lock and listens. */
  | { readonly kind: 'hub'; readonly record: HubRecord & { readonly socket: string } };

const listening = async (deps: HubLockDeps): Promise<(HubRecord & { socket: string }) | null> => {
  const record = readHubRecord(deps.folder);
  if (record === null || record.socket === null || record.host === 'command') return null;
  return (await deps.answers(record.socket)) ? { ...record, socket: record.socket } : null;
};

/**
 * Becomes the owner of the data folder, or finds the hub that is. A command that holds the lock is waited for.
 *
 * @throws AppError 'hub-unreachable' when the holder neither answers nor ends within the patience
 */
export async function ownOrFindHub(deps: HubLockDeps, patience: Millis = LOCK_PATIENCE): Promise<Ownership> {
  const until = deps.clock.monotonic() + patience;
  for (;;) {
    const hub = await listening(deps);
    if (hub !== null) return { kind: 'hub', record: hub };
    const lock = deps.tryLock(path.join(deps.folder, 'hub.lock'));
    if (lock !== null) return { kind: 'owner', lock: { dispose: () => lock.release() } };
    if (deps.clock.monotonic() >= until) throw unreachable(deps.folder);
    await new Promise<void>((resolve) => {
      deps.clock.after(TRY_AGAIN, resolve);
    });
  }
}

function unreachable(folder: string): AppError {
  const record = readHubRecord(folder);
  if (record !== null && record.host !== 'command' && isPidAlive(record.pid)) {
    return new AppError('hub-unreachable', `The hub (pid ${record.pid}) does not answer.`, {
      hint: `Wait for it, or end it: kill ${record.pid}`,
      data: { pid: record.pid },
    });
  }
  return new AppError(
    'hub-unreachable',
    'Another signalbox command holds the data folder and does not end.',
    {
      hint: `Try again; the lock is ${path.join(folder, 'hub.lock')}.`,
    },
  );
}

/** What a second hub says (15-cli). */
export const hubRunning = (record: HubRecord): AppError =>
  new AppError('hub-running', `A hub runs already: pid ${record.pid}, host ${record.host}.`, {
    hint: 'Commands go to it by themselves; signalbox hub stop ends it.',
    data: { pid: record.pid, host: record.host },
  });
