import { expect, test } from 'vitest';
import { createEventQueue } from '../../../../src-main/adapters/claude-code/event-queue.ts';
import { collect } from './fake-child.ts';

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let isSettled = false;
  void promise.then(() => {
    isSettled = true;
  });
  await new Promise<void>((resolve) => setImmediate(resolve));
  return isSettled;
};

test('items come out in order and the end comes after them', async () => {
  const queue = createEventQueue<number>(10);
  queue.push(1);
  queue.push(2);
  queue.end();
  queue.push(3);
  expect(await collect(queue)).toEqual([1, 2]);
});

test('the producer waits at the limit until the consumer has taken everything', async () => {
  const queue = createEventQueue<number>(2);
  queue.push(1);
  expect(await settled(queue.roomy())).toBe(true);
  queue.push(2);
  const room = queue.roomy();
  expect(await settled(room)).toBe(false);
  const reader = queue[Symbol.asyncIterator]();
  await reader.next();
  await reader.next();
  expect(await settled(room)).toBe(false);
  const third = reader.next();
  expect(await settled(room)).toBe(true);
  queue.push(3);
  expect(await third).toEqual({ done: false, value: 3 });
});

test('a consumer that leaves holds nobody up, and what comes after is counted', async () => {
  const queue = createEventQueue<number>(2);
  queue.push(1);
  for await (const item of queue) if (item === 1) break;
  queue.push(2);
  queue.push(3);
  queue.push(4);
  expect([await settled(queue.roomy()), queue.dropped]).toEqual([true, 1]);
});

test('letting go wakes a producer that waits', async () => {
  const queue = createEventQueue<number>(1);
  queue.push(1);
  const room = queue.roomy();
  expect(await settled(room)).toBe(false);
  queue.letGo();
  expect(await settled(room)).toBe(true);
});
