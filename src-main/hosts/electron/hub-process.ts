import { millis } from '../../../src-shared/time.ts';
import type { MessagePortLike } from '../../adapters/port-socket.ts';
import type { Clock, Log } from '../../core/ports/world.ts';
import { FromHub, type ToHub } from './hub-messages.ts';
import { ENDED_OFTEN, mayRestart, recentEnds } from './restart-policy.ts';

/** What is used of Electron's `UtilityProcess`. */
export interface HubChild {
  readonly pid: number | undefined;
  postMessage(message: unknown, transfer?: never[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export type HubState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ours'; readonly pid: number }
  | { readonly kind: 'other'; readonly pid: number; readonly host: string }
  /** `message` says why, for a person; null when it was asked to end, or the other program's hub has just ended. */
  | { readonly kind: 'gone'; readonly message: string | null };

export interface Connector {
  readonly name: string;
  readonly via: 'desktop' | 'notification';
}

export interface HubProcessDeps {
  fork(): HubChild;
  /** Two ends of one channel: the first stays here, the second goes to the child. */
  channel(): { readonly ours: MessagePortLike; readonly theirs: unknown };
  /** A connection to another program's hub. @param onClose it is gone */
  connectElsewhere(socket: string, connector: Connector, onClose: () => void): MessagePortLike;
  readonly clock: Clock;
  readonly log: Log;
  onState(state: HubState): void;
  /** Ends a process that hangs: what can only be asked to end does not. */
  endByForce(pid: number): void;
}

export interface HubProcess {
  readonly state: HubState;
  start(): void;
  /** Ends our hub by force, as it does not answer, and starts it again. */
  restart(): void;
  /** A connection to the hub, wherever it runs; null while there is none. */
  openPort(connector: Connector): MessagePortLike | null;
  /** Ends our hub cleanly, or after the patience by force; another program's is left alone. */
  stop(patienceMs: number): Promise<void>;
}

/**
 * The utility process that holds the whole hub (12-engine, Who is the hub): started, restarted after an unexpected
 * end, and given up with a message when that happens too often. Where another program owns the data folder, its hub is
 * used instead.
 */
export function createHubProcess(deps: HubProcessDeps): HubProcess {
  const { clock, log } = deps;
  let state: HubState = { kind: 'starting' };
  let child: HubChild | null = null;
  let elsewhere: string | null = null;
  let ends: readonly number[] = [];
  /** What the child said of itself before it ended. */
  let parting: FromHub | null = null;
  let stopping: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;

  function become(next: HubState): void {
    state = next;
    deps.onState(next);
  }

  function start(): void {
    if (child !== null) return;
    parting = null;
    elsewhere = null;
    become({ kind: 'starting' });
    const started = deps.fork();
    child = started;
    started.on('message', heard);
    started.on('exit', (code) => {
      if (child === started) ended(code);
    });
  }

  function heard(message: unknown): void {
    const said = FromHub.safeParse(message);
    if (!said.success) {
      log.warn('the hub process said what is not known', {});
      return;
    }
    if (said.data.kind === 'ready') become({ kind: 'ours', pid: said.data.pid });
    else parting = said.data;
  }

  function ended(code: number): void {
    child = null;
    if (stopping !== null) {
      become({ kind: 'gone', message: null });
      stopping.resolve();
      return;
    }
    if (parting?.kind === 'other-hub' && parting.socket !== null) {
      elsewhere = parting.socket;
      become({ kind: 'other', pid: parting.pid, host: parting.host });
      return;
    }
    if (parting?.kind === 'stopped') {
      become({ kind: 'gone', message: null });
      return;
    }
    if (parting?.kind === 'failed') {
      become({ kind: 'gone', message: [parting.message, parting.hint ?? ''].join(' ').trim() });
      return;
    }
    log.error('the hub process has ended', { code });
    const now = clock.monotonic();
    ends = [...recentEnds(ends, now), now];
    if (mayRestart(ends, now)) start();
    else become({ kind: 'gone', message: ENDED_OFTEN });
  }

  function force(): void {
    if (child?.pid !== undefined) deps.endByForce(child.pid);
  }

  function otherGone(): void {
    if (elsewhere === null) return;
    elsewhere = null;
    become({ kind: 'gone', message: null });
  }

  return {
    get state() {
      return state;
    },
    start,
    restart: () => {
      // Asked for: it does not count as one of the unexpected ends, after which it is given up.
      ends = [];
      force();
    },
    openPort: (connector) => {
      if (elsewhere !== null) return deps.connectElsewhere(elsewhere, connector, otherGone);
      if (child === null || stopping !== null) return null;
      const { ours, theirs } = deps.channel();
      child.postMessage({ kind: 'connect', ...connector } satisfies ToHub, [theirs as never]);
      return ours;
    },
    stop: (patienceMs) => {
      if (child === null) return Promise.resolve();
      if (stopping === null) {
        const stopped = Promise.withResolvers<void>();
        stopping = stopped;
        child.postMessage({ kind: 'stop' } satisfies ToHub);
        const timer = clock.after(millis(patienceMs), () => {
          log.warn('the hub process did not end in time', {});
          force();
          stopped.resolve();
        });
        void stopped.promise.then(() => timer.dispose());
      }
      return stopping.promise;
    },
  };
}
