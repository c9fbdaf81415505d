import type { WebSocket } from 'ws';
import type { HostKind } from '../../src-shared/api/hub.ts';
import { AppError, isAppError } from '../../src-shared/errors.ts';
import { seconds, type Millis } from '../../src-shared/time.ts';
import { openDataFolder, type DataFolder } from '../adapters/data-folder.ts';
import { LOCK_PATIENCE, ownOrFindHub, type HubLockDeps } from '../adapters/hub-lock/hub-lock.ts';
import { readHubRecord, type HubRecord } from '../adapters/hub-lock/hub-record.ts';
import type { Caller } from '../adapters/local-socket/caller.ts';
import { listensAt } from '../adapters/local-socket/listens-at.ts';
import { createMessageHandler } from '../adapters/local-socket/message-handler.ts';
import { passOnToHub } from '../adapters/local-socket/pass-on.ts';
import { watchHubEnd } from '../adapters/local-socket/watch-end.ts';
import { appRouter } from '../api/router.ts';
import type { Clock, Disposable } from '../core/ports/world.ts';
import { tryLock } from '../store/hub-lock.ts';
import { startOwnHub, type HubEnd, type OwnHub } from './own-hub.ts';

/** Between two looks for a hub, or for a lock that a hanging process holds. */
const LOOK_AGAIN = seconds(1);

export interface OpenHubOptions {
  /** Located; made if it is not there. */
  readonly folder: DataFolder;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** What the hub is called while this host is it. */
  readonly host: Extract<HostKind, 'web' | 'desktop'>;
  /** Only be a client of the hub that runs, now and later. */
  readonly attachOnly: boolean;
  readonly onCrash: (handler: (error: unknown) => void) => void;
  /** What the person is to be told: the state has changed. */
  readonly changed: (state: HubState) => void;
  /** This process has become the hub. */
  readonly owned?: (hub: Pick<OwnHub, 'services' | 'ledgerProblem'>) => void;
}

export type HubState =
  | { readonly kind: 'own'; readonly pid: number }
  | { readonly kind: 'attached'; readonly pid: number; readonly host: HubRecord['host'] }
  /** The hub has ended, and nobody is it yet. */
  | { readonly kind: 'none' };

/** The hub of a data folder as a host has it: in this process, or as a client of the one that runs. */
export interface HubAccess {
  readonly state: HubState;
  /**
   * Answers a client's tRPC messages on its WebSocket from this turn on, through the hub that there is.
   *
   * @returns false when there is none now: the client is left as it is
   */
  accept(socket: WebSocket, caller: Caller): boolean;
  /** Resolves when the hub in this process is to end: it was asked to, or it broke. */
  readonly ended: Promise<HubEnd>;
  /** Stops the hub if it is this process, or leaves the other one. */
  dispose(): Promise<void>;
  /** As `OwnHub.leave`. */
  leave(): void;
}

type Attached = HubRecord & { readonly socket: string };

/** Finds the hub without touching lock or database. */
async function findRunning(folder: DataFolder): Promise<Attached | null> {
  const record = readHubRecord(folder.data);
  if (record === null || record.socket === null || record.host === 'command') return null;
  return (await listensAt(record.socket)) ? { ...record, socket: record.socket } : null;
}

/**
 * Becomes the hub of the data folder if it has none, else a client of the one that runs. When that one ends, this host
 * becomes the hub, unless it was to be a client only (12-engine, Who is the hub).
 *
 * @throws AppError 'hub-not-running' with `attachOnly` and no hub; 'hub-unreachable' as `ownOrFindHub`
 */
export async function openHub(options: OpenHubOptions): Promise<HubAccess> {
  const { env, clock, host, attachOnly, onCrash } = options;
  const folder = openDataFolder(options.folder);
  const lockDeps: HubLockDeps = { folder: folder.data, clock, tryLock, answers: listensAt };
  const ended = Promise.withResolvers<HubEnd>();
  let isDisposed = false;
  let state: HubState = { kind: 'none' };
  let own: { readonly hub: OwnHub; readonly accept: (socket: WebSocket, caller: Caller) => void } | null =
    null;
  let attached: { readonly record: Attached; readonly watch: Disposable } | null = null;
  let pause: { readonly timer: Disposable; readonly over: () => void } | null = null;
  let searching: Promise<void> = Promise.resolve();

  const become = (next: HubState): void => {
    state = next;
    options.changed(next);
  };
  const beHub = async (lock: Disposable): Promise<void> => {
    const hub = await startOwnHub({ folder, lock, env, clock, host, onCrash });
    const { contextOf, services } = hub;
    own = { hub, accept: createMessageHandler({ router: appRouter, contextOf, log: services.log }) };
    void hub.ended.then(ended.resolve);
    if (isDisposed) return;
    become({ kind: 'own', pid: hub.pid });
    options.owned?.(hub);
  };
  const attach = (record: Attached): void => {
    const watch = watchHubEnd(record.socket, () => {
      attached = null;
      if (isDisposed) return;
      become({ kind: 'none' });
      searching = search();
    });
    attached = { record, watch };
    become({ kind: 'attached', pid: record.pid, host: record.host });
  };
  /** One look. @returns whether there is a hub now */
  const look = async (patience: Millis): Promise<boolean> => {
    if (attachOnly) {
      const found = await findRunning(folder);
      if (found !== null && !isDisposed) attach(found);
      return found !== null;
    }
    const owner = await ownOrFindHub(lockDeps, patience);
    if (owner.kind === 'hub') {
      if (!isDisposed) attach(owner.record);
    } else if (isDisposed) owner.lock.dispose();
    else await beHub(owner.lock);
    return true;
  };
  /** After a hub's end, until there is one again. */
  const search = async (): Promise<void> => {
    while (!isDisposed) {
      try {
        if (await look(LOOK_AGAIN)) return;
      } catch (error) {
        // A hub that hangs, or a command that holds the lock for long, may still end.
        if (!isAppError(error, 'hub-unreachable')) {
          ended.resolve({ by: 'failure', error });
          return;
        }
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = { timer: clock.after(LOOK_AGAIN, resolve), over: resolve };
      await promise;
    }
  };

  if (!(await look(LOCK_PATIENCE))) {
    throw new AppError('hub-not-running', 'No hub runs for this data folder.', {
      hint: 'Start it with signalbox hub, or leave out --no-hub.',
    });
  }
  return {
    get state() {
      return state;
    },
    accept: (socket, caller) => {
      if (own !== null) own.accept(socket, caller);
      else if (attached !== null) passOnToHub(socket, attached.record.socket, caller);
      else return false;
      return true;
    },
    ended: ended.promise,
    dispose: async () => {
      isDisposed = true;
      attached?.watch.dispose();
      pause?.timer.dispose();
      pause?.over();
      await searching;
      await own?.hub.stop();
    },
    leave: () => own?.hub.leave(),
  };
}
