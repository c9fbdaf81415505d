import { seconds } from '../../src-shared/time.ts';
import type { Clock } from '../core/ports/world.ts';
import type { EventFeed } from './event-feed.ts';

/** Facts that no change announces are seen this much later at most; the timer lives only while someone follows. */
const LOOK_AGAIN = seconds(1);

/** Resolves at the next change, after the longest pause, or when the signal aborts. */
export function nextLook(feed: EventFeed, clock: Clock, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = feed.listen(resolve);
  const timer = clock.after(LOOK_AGAIN, resolve);
  const aborted = (): void => resolve();
  signal.addEventListener('abort', aborted, { once: true });
  return promise.finally(() => {
    listener.dispose();
    timer.dispose();
    signal.removeEventListener('abort', aborted);
  });
}

/** A cursor of a subscription that is a plain number; null when it is absent or something else. */
export const numberCursor = (lastEventId: string | null | undefined): number | null =>
  /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : null;
