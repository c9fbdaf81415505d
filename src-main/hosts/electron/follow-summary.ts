import type { HubSummaryView } from '../../../src-shared/api/hub-summary.ts';
import type { PreferencesView } from '../../../src-shared/api/settings.ts';
import { millis, seconds } from '../../../src-shared/time.ts';
import type { HubCalls } from '../../core/ports/hub-calls.ts';
import type { Clock, Disposable, Log } from '../../core/ports/world.ts';

/** A menu that is made anew more often flickers and closes under the hand (electron.md, 2). */
const AT_MOST_EVERY = millis(500);
/** A hub that hangs tells nothing: it is asked now and then, and given this long. */
const ASK_EVERY = seconds(10);
const ANSWERS_WITHIN = seconds(5);

export interface SummaryHandlers {
  onSummary(summary: HubSummaryView): void;
  onPreferences(preferences: PreferencesView): void;
  /** Whether it has let a question wait for too long; false once it answers again. */
  onSilence(isSilent: boolean): void;
}

export interface SummaryFollower extends Disposable {
  /** Looks again soon. */
  look(): void;
}

/** What tray, badge and shortcut show, kept up by the hub's change feed. */
export function followSummary(
  deps: { readonly hub: HubCalls; readonly clock: Clock; readonly log: Log },
  handlers: SummaryHandlers,
): SummaryFollower {
  const { hub, clock, log } = deps;
  let timer: Disposable | null = null;
  let isAsking = false;
  let isWanted = false;
  let isDisposed = false;
  let isSilent = false;
  let patience: Disposable | null = null;

  function silence(next: boolean): void {
    if (isDisposed || isSilent === next) return;
    isSilent = next;
    handlers.onSilence(next);
  }

  async function ask(): Promise<void> {
    const [summary, settings] = await Promise.all([
      hub.query('hub.summary', undefined),
      hub.query('settings.show', undefined),
    ]);
    if (isDisposed) return;
    handlers.onSummary(summary);
    handlers.onPreferences(settings.preferences);
  }

  function look(): void {
    isWanted = true;
    if (isDisposed || isAsking || timer !== null) return;
    isWanted = false;
    isAsking = true;
    patience = clock.after(ANSWERS_WITHIN, () => silence(true));
    void ask()
      // Without a connection there is nothing to say; the next one begins with a look.
      .catch((error: unknown) => log.info('the summary did not come', { error: String(error) }))
      .finally(() => {
        isAsking = false;
        patience?.dispose();
        silence(false);
        if (isDisposed) return;
        timer = clock.after(AT_MOST_EVERY, () => {
          timer = null;
          if (isWanted) look();
        });
      });
  }

  const subscription = hub.subscribe('hub.changes', undefined, { onEvent: look, onStart: look });
  const asking = clock.every(ASK_EVERY, look);
  return {
    look,
    dispose: () => {
      isDisposed = true;
      asking.dispose();
      patience?.dispose();
      timer?.dispose();
      subscription.dispose();
    },
  };
}
