import { describe, expect, test } from 'vitest';
import type { ChangeView } from '../../../src-shared/api/hub.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import { createEventFeed, type EventFeed } from '../../../src-main/api/event-feed.ts';

const task = (number: number): TaskId => `tsk_${number}` as TaskId;

/** Reads `count` changes. */
async function take(
  feed: EventFeed,
  lastEventId: string | null,
  count: number,
): Promise<{ readonly id: string; readonly change: ChangeView }[]> {
  const stop = new AbortController();
  const taken: { id: string; change: ChangeView }[] = [];
  for await (const [id, change] of feed.changes(lastEventId, stop.signal)) {
    taken.push({ id, change });
    if (taken.length === count) break;
  }
  stop.abort();
  return taken;
}

describe('the feed of changes', () => {
  test('tells a new reader to look at everything, then what happens, in order and with numbers', async () => {
    const feed = createEventFeed(7);
    feed.taskChanged(task(1));
    const reading = take(feed, null, 3);
    feed.itemChanged(5);
    feed.hubChanged();
    expect(await reading).toEqual([
      { id: '7-1', change: { kind: 'reset' } },
      { id: '7-2', change: { kind: 'item', number: 5 } },
      { id: '7-3', change: { kind: 'hub' } },
    ]);
    expect(feed.listeners).toBe(0);
  });

  test('goes on from the last number a reader has seen', async () => {
    const feed = createEventFeed(7);
    for (const number of [1, 2, 3]) feed.taskChanged(task(number));
    expect(await take(feed, '7-1', 2)).toEqual([
      { id: '7-2', change: { kind: 'task', taskId: 'tsk_2' } },
      { id: '7-3', change: { kind: 'task', taskId: 'tsk_3' } },
    ]);
  });

  test.each(['6-1', '7-9', 'x', '', '7--1'])(
    'tells a reader with the cursor "%s" to reload',
    async (cursor) => {
      const feed = createEventFeed(7);
      feed.taskChanged(task(1));
      expect(await take(feed, cursor, 1)).toEqual([{ id: '7-1', change: { kind: 'reset' } }]);
    },
  );

  test('tells a reader that was away for too long to reload', async () => {
    const feed = createEventFeed(7);
    for (let number = 1; number <= 1500; number += 1) feed.taskChanged(task(number));
    expect(await take(feed, '7-1', 1)).toEqual([{ id: '7-1500', change: { kind: 'reset' } }]);
    expect(await take(feed, '7-1499', 1)).toEqual([
      { id: '7-1500', change: { kind: 'task', taskId: 'tsk_1500' } },
    ]);
  });

  test('does not grow without bound for a reader that does not read', async () => {
    const feed = createEventFeed(7);
    const stop = new AbortController();
    const reader = feed.changes(null, stop.signal);
    const first = reader.next();
    for (let number = 0; number < 10_000; number += 1) feed.hubChanged();
    expect((await first).value?.[1]).toEqual({ kind: 'reset' });
    stop.abort();
    await reader.return(undefined);
    expect(feed.listeners).toBe(0);
  });

  test('calls a listener back once for changes of one moment, after the work that made them', async () => {
    const feed = createEventFeed(7);
    let stored = 0;
    const seen: number[] = [];
    const listening = feed.listen(() => seen.push(stored));
    const transaction = (result: number): void => {
      feed.hubChanged();
      feed.itemChanged(5);
      stored = result;
    };
    transaction(1);
    await Promise.resolve();
    transaction(2);
    transaction(3);
    await Promise.resolve();
    expect(seen).toEqual([1, 3]);
    feed.hubChanged();
    listening.dispose();
    await Promise.resolve();
    expect(seen).toEqual([1, 3]);
    expect(feed.listeners).toBe(0);
  });
});
