import type { HubEndView } from '../../../src-shared/api/hub.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { millis } from '../../../src-shared/time.ts';
import { openDataFolder } from '../../adapters/data-folder.ts';
import { hubRunning, ownOrFindHub } from '../../adapters/hub-lock/hub-lock.ts';
import { listensAt } from '../../adapters/local-socket/listens-at.ts';
import type { Disposable } from '../../core/ports/world.ts';
import { watchSignals } from '../../hub/hub-signals.ts';
import { startOwnHub, type HubEnd, type OwnHub } from '../../hub/own-hub.ts';
import { tryLock } from '../../store/hub-lock.ts';
import type { Host } from './host.ts';
import { watchHub } from './hub-lines.ts';

export interface HubOptions {
  readonly untilIdle: boolean;
  /** Null for no limit. */
  readonly maxSeconds: number | null;
}

/**
 * The hub in the foreground, until it is idle (with `untilIdle`), its time is over, or it is told to stop. It answers
 * as soon as the store is open; recovery and dispatch come after.
 *
 * @throws AppError 'hub-running' when there is another, 'timeout' when `maxSeconds` are over
 */
export async function runHub(host: Host, options: HubOptions): Promise<HubEndView> {
  const { clock, out, env, onCrash } = host;
  const folder = openDataFolder(host.folder);
  const owned = await ownOrFindHub({ folder: folder.data, clock, tryLock, answers: listensAt });
  if (owned.kind === 'hub') throw hubRunning(owned.record);
  let hub: OwnHub | null = null;
  // The first Ctrl+C may come while it is still starting.
  let isAsked = false;
  const signals = watchSignals(clock, {
    stop: () => {
      out.note(
        'Stopping: turns are interrupted, sessions stay resumable. Press Ctrl+C again to stop at once.',
      );
      isAsked = true;
      hub?.end('signal');
    },
    endAtOnce: (exitCode) => {
      hub?.leave();
      process.exit(exitCode);
    },
  });
  let lines: Disposable | null = null;
  let limit: Disposable | null = null;
  try {
    hub = await startOwnHub({ folder, lock: owned.lock, env, clock, host: 'hub', onCrash });
    const { engine, services, ready, end } = hub;
    if (isAsked) end('signal');
    out.note(`The hub runs (pid ${hub.pid}) on ${folder.data}.`);
    void hub.ledgerProblem.then((problem) => {
      if (problem !== null) out.note(`signalbox: ${problem}`);
    });
    if (!out.json) lines = watchHub(services.stores, services.feed, out.note);
    if (options.maxSeconds !== null) {
      limit = clock.after(millis(options.maxSeconds * 1000), () => end('max-seconds'));
    }
    if (options.untilIdle) {
      ready.then(
        () => engine.idle().then(({ onHold }) => end('idle', onHold)),
        // It has ended the hub already.
        () => undefined,
      );
    }
    const ended = await hub.ended;
    lines?.dispose();
    return finish(ended, options, { note: out.note, openItems: await hub.stop() });
  } finally {
    lines?.dispose();
    limit?.dispose();
    await hub?.stop();
    signals.dispose();
  }
}

function finish(
  end: HubEnd,
  options: HubOptions,
  { note, openItems }: { readonly note: (text: string) => void; readonly openItems: number },
): HubEndView {
  if (end.by === 'failure') throw end.error;
  if (end.by === 'max-seconds') {
    throw new AppError('timeout', `The hub's ${options.maxSeconds} s are over.`, {
      hint: 'Start it again to go on: signalbox hub',
    });
  }
  for (const reason of end.onHold) note(`On hold: ${reason}`);
  return { stopped: end.by, onHold: [...end.onHold], openItems };
}
