import { Mutex } from 'async-mutex';
import type { Millis } from '../../../src-shared/time.ts';
import { millis } from '../../../src-shared/time.ts';
import type { Clock } from '../../core/ports/world.ts';

/** Waits longer than this are facts for the ledger. */
export const NOTABLE_WAIT = millis(50);

interface Queue {
  readonly mutex: Mutex;
  /** Who works, then who waits, in order. */
  readonly line: string[];
}

/** One at a time per key: a git directory for writes, a tree for what happens in it. */
export interface Turns {
  /**
   * @param who named to those who wait behind it
   * @param waited called before `work` when the wait was notable, with whoever held the turn when it began
   */
  take<T>(
    key: string,
    who: string,
    waited: (holder: string, duration: Millis) => void,
    work: () => Promise<T>,
  ): Promise<T>;
}

export function createTurns(clock: Clock): Turns {
  const queues = new Map<string, Queue>();
  return {
    async take(key, who, waited, work) {
      const queue = queues.get(key) ?? { mutex: new Mutex(), line: [] };
      queues.set(key, queue);
      const [holder = who] = queue.line;
      queue.line.push(who);
      const since = clock.monotonic();
      return await queue.mutex.runExclusive(async () => {
        const duration = millis(clock.monotonic() - since);
        try {
          if (duration > NOTABLE_WAIT) waited(holder, duration);
          return await work();
        } finally {
          queue.line.shift();
          if (queue.line.length === 0) queues.delete(key);
        }
      });
    },
  };
}
