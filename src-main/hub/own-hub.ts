import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HostKind, HubEndView } from '../../src-shared/api/hub.ts';
import { Via } from '../../src-shared/model/item.ts';
import { seconds } from '../../src-shared/time.ts';
import type { DataFolder } from '../adapters/data-folder.ts';
import { removeHubRecord, writeHubRecord } from '../adapters/hub-lock/hub-record.ts';
import type { Caller } from '../adapters/local-socket/caller.ts';
import { listenLocally, type LocalServer } from '../adapters/local-socket/server.ts';
import { makeSocketPlace } from '../adapters/local-socket/socket-path.ts';
import type { ApiContext, ApiServices, HubFacts } from '../api/context.ts';
import { appRouter } from '../api/router.ts';
import type { Clock, Disposable } from '../core/ports/world.ts';
import type { Engine } from '../core/services.ts';
import { buildServices, type BuildOptions, type Built } from './build-services.ts';
import { loadParts } from './load-parts.ts';
import { personName } from './person.ts';
import { VERSION } from './version.ts';
import { watchChain } from './watch-chain.ts';
import { wantsNotifications } from './wants-notifications.ts';

/** What a stopping hub gives its turns to be interrupted (15-cli). */
const STOP_WITHIN = seconds(10);

export interface OwnHubOptions {
  /** Made and found usable. */
  readonly folder: DataFolder;
  /** Of the data folder; the hub lets go of it when it has stopped. */
  readonly lock: Disposable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly host: HostKind;
  /** As in `BuildOptions`. */
  readonly node?: NonNullable<BuildOptions['node']>;
  /** What is thrown where nobody waits for it goes there, and ends the hub. */
  readonly onCrash: (handler: (error: unknown) => void) => void;
}

/** Why a hub ends; the first reason wins. */
export type HubEnd =
  | { readonly by: HubEndView['stopped']; readonly onHold: readonly string[] }
  | { readonly by: 'failure'; readonly error: unknown };

/** The hub in this process. Whoever started it waits for `ended` and then stops it, in any case. */
export interface OwnHub {
  readonly pid: number;
  readonly services: ApiServices;
  readonly engine: Engine;
  /** Who may call, and as whom: for a channel of the host beside the local socket. */
  contextOf(caller: Caller): ApiContext;
  /** Resolves once recovery is done and dispatch begins; rejects when that fails, which also ends the hub. */
  readonly ready: Promise<void>;
  /** What a person is to be told of the ledger; resolves some time after `ready`, null when it is well. */
  readonly ledgerProblem: Promise<string | null>;
  /** Resolves with the first reason to end. */
  readonly ended: Promise<HubEnd>;
  end(by: HubEndView['stopped'], onHold?: readonly string[]): void;
  /**
   * Interrupts turns, lets go of everything. Twice is once.
   *
   * @returns how many items wait for a person
   */
  stop(): Promise<number>;
  /** For a process that ends at once: nothing that others would look for is left. */
  leave(): void;
}

const contextFor =
  (built: Built) =>
  (caller: Caller): ApiContext => {
    const via = Via.safeParse(caller.via);
    return {
      ...built.services,
      // Only this user can open the socket; a client that does not say its name acts as this user all the same.
      actor: { name: caller.name === '' ? personName() : caller.name, via: via.success ? via.data : 'cli' },
      isAgent: caller.isAgent,
    };
  };

/**
 * Makes this process, which holds the lock, the hub of the data folder. It answers as soon as the store is open;
 * recovery and dispatch come after.
 */
export async function startOwnHub(options: OwnHubOptions): Promise<OwnHub> {
  const { folder, lock, env, clock, host, onCrash } = options;
  const { promise: ended, resolve: settle } = Promise.withResolvers<HubEnd>();
  const end: OwnHub['end'] = (by, onHold = []) => settle({ by, onHold });
  const hub: HubFacts = { pid: process.pid, since: clock.now(), host, requestStop: () => end('asked') };
  let socket: ReturnType<typeof makeSocketPlace> | null = null;
  let built: Built | null = null;
  let server: LocalServer | null = null;
  const leave = (): void => {
    removeHubRecord(folder.data);
    socket?.dispose();
  };
  const letGo = async (): Promise<void> => {
    leave();
    await built?.dispose();
    lock.dispose();
  };
  try {
    const { node } = options;
    built = await buildServices({ folder, env, clock, hub, ...(node === undefined ? {} : { node }) });
    const { engine, services } = built;
    const { log } = services;
    const fail = (what: string) => (error: unknown) => {
      log.error(what, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      settle({ by: 'failure', error });
    };
    onCrash(fail('something was thrown where nobody waited for it'));

    const contextOf = contextFor(built);
    socket = makeSocketPlace(folder.data, process.env);
    server = await listenLocally({ path: socket.path, router: appRouter, contextOf, log });
    await writeHubRecord(folder.data, {
      pid: hub.pid,
      since: hub.since,
      host,
      socket: socket.path,
      hubId: services.stores.hubId,
      version: VERSION,
    });
    log.info('the hub has started', { pid: hub.pid, host, version: VERSION });

    let stopping: Promise<number> | null = null;
    const ready = startEngine(built);
    ready.catch(fail('the engine could not start'));
    const chain = watchChain(services, ready);
    // The desktop application raises them itself.
    const notices = host === 'desktop' || !wantsNotifications(env) ? null : startNotices();
    async function startNotices(): Promise<Disposable | null> {
      try {
        await ready;
        const { startHubNotifications } = await import('./hub-notifications.ts');
        return startHubNotifications({ services, contextOf, dataFolder: folder.data, env, clock });
      } catch (error) {
        log.warn('notifications could not start', { error: String(error) });
        return null;
      }
    }
    return {
      pid: hub.pid,
      services,
      engine,
      contextOf,
      ready,
      ledgerProblem: chain.problem,
      ended,
      end,
      leave,
      stop: () => {
        stopping ??= (async () => {
          try {
            await ready.catch(() => undefined);
            (await notices)?.dispose();
            await chain.finish();
            await engine.stop(STOP_WITHIN);
            await server?.close();
            log.info('the hub has ended');
            return services.stores.items.list({ states: ['open'] }).length;
          } finally {
            await letGo();
          }
        })();
        return stopping;
      },
    };
  } catch (error) {
    await server?.close();
    await letGo();
    throw error;
  }
}

async function startEngine(built: Built): Promise<void> {
  const { log } = built.services;
  // Who waits for the hub is answered before recovery takes its time: a call is accepted, read and answered.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  void built
    .sweep()
    .catch((error: unknown) => log.warn('leftovers could not be swept', { error: String(error) }));
  await built.engine.start();
  void loadParts(log).catch((error: unknown) => log.warn('parts could not load', { error: String(error) }));
}
