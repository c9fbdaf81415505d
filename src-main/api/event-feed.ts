import { tracked, type TrackedEnvelope } from '@trpc/server';
import type { ChangeView } from '../../src-shared/api/hub.ts';
import type { TaskId, ProjectId } from '../../src-shared/ids.ts';
import type { ChangeFeed, StopSignal } from '../core/ports/world.ts';

/** Changes that a client which was away may still ask for. */
const REMEMBERED = 1000;
/** A reader that falls further behind is told to reload instead of filling the memory. */
const MOST_UNREAD = 2000;

interface Numbered {
  readonly seq: number;
  readonly change: ChangeView;
}

/**
 * The core's change feed with numbers, so that a client which reconnects asks from its last one or reloads.
 * A cursor is `<epoch>-<seq>`; a reader without one, or with one of another process or one that is too old, gets a
 * `reset` first: from then on it has a cursor, so that nothing is missed if its connection breaks before the first change.
 */
export interface EventFeed extends ChangeFeed {
  /** Ends when the signal aborts. */
  changes(lastEventId: string | null, signal: StopSignal): AsyncGenerator<TrackedEnvelope<ChangeView>>;
  /**
   * Calls back after changes, once for those of the same moment and never within the transaction that makes them:
   * what is read then is stored. @returns what ends it
   */
  listen(changed: () => void): { dispose(): void };
  readonly listeners: number;
}

/** @param epoch differs between processes, e.g. the hub's start time */
export function createEventFeed(epoch: number): EventFeed {
  const remembered: Numbered[] = [];
  const listeners = new Set<(entry: Numbered) => void>();
  let last = 0;

  const publish = (change: ChangeView): void => {
    last += 1;
    const entry = { seq: last, change };
    remembered.push(entry);
    if (remembered.length > REMEMBERED) remembered.shift();
    for (const listener of [...listeners]) listener(entry);
  };

  /** Null when what was missed is no longer known. */
  const missedSince = (lastEventId: string): readonly Numbered[] | null => {
    const [, ofEpoch, text] = /^(\d+)-(\d+)$/.exec(lastEventId) ?? [];
    const seq = Number(text);
    if (ofEpoch !== String(epoch) || !Number.isSafeInteger(seq) || seq > last) return null;
    const oldest = remembered[0]?.seq ?? last + 1;
    return seq + 1 < oldest ? null : remembered.filter((entry) => entry.seq > seq);
  };

  return {
    taskChanged: (taskId: TaskId) => publish({ kind: 'task', taskId }),
    itemChanged: (number: number) => publish({ kind: 'item', number }),
    projectChanged: (projectId: ProjectId) => publish({ kind: 'project', projectId }),
    hubChanged: () => publish({ kind: 'hub' }),
    get listeners() {
      return listeners.size;
    },
    listen(changed) {
      let isDue = false;
      const listener = (): void => {
        if (isDue) return;
        isDue = true;
        // Transactions are synchronous: this one has been stored or undone by then.
        queueMicrotask(() => {
          isDue = false;
          if (listeners.has(listener)) changed();
        });
      };
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    async *changes(lastEventId, signal) {
      const unread: Numbered[] = [];
      let wake = Promise.withResolvers<void>();
      const listener = (entry: Numbered): void => {
        if (unread.length >= MOST_UNREAD) {
          unread.length = 0;
          unread.push({ seq: entry.seq, change: { kind: 'reset' } });
        } else {
          unread.push(entry);
        }
        wake.resolve();
      };
      signal.addEventListener('abort', () => wake.resolve(), { once: true });
      const missed = lastEventId === null ? null : missedSince(lastEventId);
      unread.push(...(missed ?? [{ seq: last, change: { kind: 'reset' } as const }]));
      listeners.add(listener);
      try {
        while (!signal.aborted) {
          const next = unread.shift();
          if (next !== undefined) {
            yield tracked(`${epoch}-${next.seq}`, next.change);
            continue;
          }
          await wake.promise;
          wake = Promise.withResolvers<void>();
        }
      } finally {
        listeners.delete(listener);
      }
    },
  };
}
