import type { Log } from '../../core/ports/world.ts';

/** What finds, fetches and installs a new version. */
export interface Updater {
  /** @returns the newer version that is offered, null when there is none; rejects when it could not be asked */
  check(): Promise<string | null>;
  /** @param onProgress gets whole percents */
  download(onProgress: (percent: number) => void): Promise<void>;
  /** Ends the application and comes back as the new version. Only once everything of ours is stopped. */
  install(): void;
}

/** Where an update stands; the tray shows it. */
export type UpdateState =
  | { readonly kind: 'idle' | 'checking' }
  | { readonly kind: 'loading'; readonly version: string; readonly percent: number }
  /** Fetched and verified; it is installed when the person says so. */
  | { readonly kind: 'ready'; readonly version: string };

export interface UpdateWords {
  readonly check: string;
  readonly checking: string;
  readonly loading: (version: string, percent: number) => string;
  readonly install: (version: string) => string;
  readonly none: string;
  readonly found: (version: string) => string;
  readonly foundDetail: string;
  /** Not now, then yes: the first is where the focus starts. */
  readonly foundButtons: readonly [string, string];
  readonly ready: (version: string) => string;
  readonly readyDetail: (running: number) => string;
  readonly readyButtons: readonly [string, string];
  readonly failed: string;
}

export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly [string, string];
}

export interface UpdatesDeps {
  readonly updater: Updater;
  readonly log: Log;
  words(): UpdateWords;
  /** @returns whether the second button was pressed */
  confirm(question: Question): Promise<boolean>;
  tell(message: string, detail: string): Promise<void>;
  /** Agents at work, which an installation interrupts. */
  running(): number;
  /** Stops all that is ours, then calls `install`. */
  leave(install: () => void): void;
  /** The state is another one. */
  changed(): void;
}

export interface Updates {
  readonly state: UpdateState;
  /** What the tray's item does: asks for a version, or installs the one that is there. */
  go(): Promise<void>;
}

const IDLE: UpdateState = { kind: 'idle' };

/**
 * Updates happen when a person asks for them, never by themselves: nothing is looked for, fetched or installed
 * without a press, and agents at work are named before they are interrupted.
 */
export function createUpdates(deps: UpdatesDeps): Updates {
  const { updater, log } = deps;
  let state = IDLE;
  const become = (next: UpdateState): void => {
    state = next;
    deps.changed();
  };

  async function find(): Promise<void> {
    become({ kind: 'checking' });
    const version = await updater.check();
    become(IDLE);
    const words = deps.words();
    if (version === null) return deps.tell(words.none, '');
    const isWanted = await deps.confirm({
      message: words.found(version),
      detail: words.foundDetail,
      buttons: words.foundButtons,
    });
    if (isWanted) await load(version);
  }

  async function load(version: string): Promise<void> {
    become({ kind: 'loading', version, percent: 0 });
    await updater.download((percent) => {
      if (state.kind === 'loading' && state.percent !== percent) {
        become({ kind: 'loading', version, percent });
      }
    });
    become({ kind: 'ready', version });
    await offer(version);
  }

  async function offer(version: string): Promise<void> {
    const words = deps.words();
    const isWanted = await deps.confirm({
      message: words.ready(version),
      detail: words.readyDetail(deps.running()),
      buttons: words.readyButtons,
    });
    if (isWanted) deps.leave(() => updater.install());
  }

  return {
    get state() {
      return state;
    },
    go: async () => {
      try {
        if (state.kind === 'ready') await offer(state.version);
        else if (state.kind === 'idle') await find();
      } catch (error) {
        log.warn('an update failed', { error: String(error) });
        become(IDLE);
        await deps.tell(
          deps.words().failed,
          error instanceof Error ? (error.message.split('\n')[0] ?? '') : '',
        );
      }
    },
  };
}
