/**
 * Hands items from one producer to one consumer. The producer may push without waiting, and asks `roomy` before
 * it reads more; that is the whole backpressure.
 *
 * Invariants: items come out in the order they went in; after `end` nothing goes in; once `letGo` was called
 * (or the consumer left), `roomy` never waits again and items over the limit are dropped and counted.
 */
export interface EventQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  /** Resolves when fewer items than the limit wait. */
  roomy(): Promise<void>;
  letGo(): void;
  end(): void;
  readonly dropped: number;
}

export function createEventQueue<T>(limit: number): EventQueue<T> {
  let items: T[] = [];
  let isEnded = false;
  let isLetGo = false;
  let dropped = 0;
  let wakeConsumer: (() => void) | null = null;
  let wakeProducer: (() => void) | null = null;

  const wake = (which: 'consumer' | 'producer'): void => {
    const run = which === 'consumer' ? wakeConsumer : wakeProducer;
    if (which === 'consumer') wakeConsumer = null;
    else wakeProducer = null;
    run?.();
  };
  const letGo = (): void => {
    isLetGo = true;
    wake('producer');
  };

  async function* consume(): AsyncGenerator<T, void, void> {
    try {
      for (;;) {
        const batch = items;
        items = [];
        for (const item of batch) yield item;
        // Only now: the batch in hand counts as waiting until the consumer has taken all of it.
        if (items.length === 0) wake('producer');
        if (items.length > 0) continue;
        if (isEnded) return;
        await new Promise<void>((resolve) => {
          wakeConsumer = resolve;
        });
      }
    } finally {
      letGo();
    }
  }
  const iterator = consume();

  return {
    push(item) {
      if (isEnded) return;
      if (isLetGo && items.length >= limit) {
        dropped += 1;
        return;
      }
      items.push(item);
      wake('consumer');
    },
    roomy() {
      if (isLetGo || items.length < limit) return Promise.resolve();
      return new Promise<void>((resolve) => {
        wakeProducer = resolve;
      });
    },
    letGo,
    end() {
      isEnded = true;
      wake('consumer');
      wake('producer');
    },
    get dropped() {
      return dropped;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
}
