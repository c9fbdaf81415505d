import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HubEndView } from '../../../src-shared/api/hub.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { millis, seconds } from '../../../src-shared/time.ts';
import { openDataFolder } from '../../adapters/data-folder.ts';
import { hubRunning, ownOrFindHub } from '../../adapters/hub-lock/hub-lock.ts';
import { removeHubRecord, writeHubRecord } from '../../adapters/hub-lock/hub-record.ts';
import type { Caller } from '../../adapters/local-socket/caller.ts';
import { listensAt } from '../../adapters/local-socket/listens-at.ts';
import { listenLocally } from '../../adapters/local-socket/server.ts';
import { makeSocketPlace } from '../../adapters/local-socket/socket-path.ts';
import type { ApiContext, HubFacts } from '../../api/context.ts';
import { appRouter, loadRouters } from '../../api/router.ts';
import { Via } from '../../../src-shared/model/item.ts';
import type { Disposable } from '../../core/ports/world.ts';
import { tryLock } from '../../store/hub-lock.ts';
import { buildServices, type Built } from './build-deps.ts';
import { personName, VERSION, type Host } from './host.ts';
import { watchHub } from './hub-lines.ts';
import { watchSignals } from './hub-signals.ts';

/** What a stopping hub gives its turns to be interrupted (15-cli). */
const STOP_WITHIN = seconds(10);

export interface HubOptions {
  readonly untilIdle: boolean;
  /** Null for no limit. */
  readonly maxSeconds: number | null;
}

type End = { readonly by: HubEndView['stopped'] | 'failure'; readonly onHold: readonly string[] };

/** The first reason to end wins; later ones change nothing. */
function createEnding(): {
  readonly promise: Promise<End>;
  end(by: End['by'], onHold?: readonly string[]): void;
} {
  const { promise, resolve } = Promise.withResolvers<End>();
  return { promise, end: (by, onHold = []) => resolve({ by, onHold }) };
}

const contextOf =
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
 * The hub in the foreground, until it is idle (with `untilIdle`), its time is over, or it is told to stop. It answers
 * as soon as the store is open; recovery and dispatch come after.
 *
 * @throws AppError 'hub-running' when there is another, 'timeout' when `maxSeconds` are over
 */
export async function runHub(host: Host, options: HubOptions): Promise<HubEndView> {
  const { clock, out } = host;
  const folder = openDataFolder(host.folder);
  const owned = await ownOrFindHub({ folder: folder.data, clock, tryLock, answers: listensAt });
  if (owned.kind === 'hub') throw hubRunning(owned.record);
  const ending = createEnding();
  const hub: HubFacts = {
    pid: process.pid,
    since: clock.now(),
    host: 'hub',
    requestStop: () => ending.end('asked'),
  };
  let socket: ReturnType<typeof makeSocketPlace> | null = null;
  let built: Built | null = null;
  let lines: Disposable | null = null;
  const leave = (): void => {
    removeHubRecord(folder.data);
    socket?.dispose();
  };
  const signals = watchSignals(clock, {
    stop: () => {
      out.note(
        'Stopping: turns are interrupted, sessions stay resumable. Press Ctrl+C again to stop at once.',
      );
      ending.end('signal');
    },
    endAtOnce: (exitCode) => {
      leave();
      process.exit(exitCode);
    },
  });
  try {
    built = await buildServices({ folder, env: host.env, clock, hub });
    const { log } = built.services;
    let failure: unknown = null;
    const fail = (what: string) => (error: unknown) => {
      log.error(what, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      failure = error;
      ending.end('failure');
    };
    host.onCrash(fail('something was thrown where nobody waited for it'));

    socket = makeSocketPlace(folder.data, process.env);
    const server = await listenLocally({
      path: socket.path,
      router: appRouter,
      contextOf: contextOf(built),
      log,
    });
    await writeHubRecord(folder.data, {
      pid: hub.pid,
      since: hub.since,
      host: 'hub',
      socket: socket.path,
      hubId: built.services.stores.hubId,
      version: VERSION,
    });
    out.note(`The hub runs (pid ${hub.pid}) on ${folder.data}.`);
    if (!out.json) lines = watchHub(built.services.stores, built.services.feed, out.note);
    log.info('the hub has started', { pid: hub.pid, version: VERSION });

    // Who waits for the hub is answered before recovery takes its time: a call is accepted, read and answered.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    const { engine } = built;
    const limit =
      options.maxSeconds === null
        ? null
        : clock.after(millis(options.maxSeconds * 1000), () => ending.end('max-seconds'));
    const started = engine.start();
    void built
      .sweep()
      .catch((error: unknown) => log.warn('leftovers could not be swept', { error: String(error) }));
    started.then(() => {
      // Now rather than with the first call: the files may be replaced below a hub that runs for weeks.
      void loadRouters().catch((error: unknown) =>
        log.warn('calls could not load', { error: String(error) }),
      );
      if (options.untilIdle) void engine.idle().then(({ onHold }) => ending.end('idle', onHold));
    }, fail('the engine could not start'));

    const end = await ending.promise;
    limit?.dispose();
    await started.catch(() => undefined);
    await engine.stop(STOP_WITHIN);
    await server.close();
    log.info('the hub has ended', { by: end.by });
    const openItems = built.services.stores.items.list({ states: ['open'] }).length;
    return finish(end, failure, options, { note: out.note, openItems });
  } finally {
    lines?.dispose();
    leave();
    await built?.dispose();
    owned.lock.dispose();
    signals.dispose();
  }
}

function finish(
  end: End,
  failure: unknown,
  options: HubOptions,
  { note, openItems }: { readonly note: (text: string) => void; readonly openItems: number },
): HubEndView {
  if (end.by === 'failure') throw failure;
  if (end.by === 'max-seconds') {
    throw new AppError('timeout', `The hub's ${options.maxSeconds} s are over.`, {
      hint: 'Start it again to go on: signalbox hub',
    });
  }
  for (const reason of end.onHold) note(`On hold: ${reason}`);
  return { stopped: end.by, onHold: [...end.onHold], openItems };
}
