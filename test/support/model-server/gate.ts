/**
 * A place where a reply waits until the test lets it go on, in place of timers. A gate stays open once opened.
 */
export interface Gate {
  /** Resolves when a reply has come to the gate for the first time. */
  readonly reached: Promise<void>;
  /** How many replies have come to it. */
  readonly arrivals: number;
  open(): void;
  /** For the server: says that a reply is here, and waits. */
  arrive(): Promise<void>;
}

export function createGate(): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let arrivals = 0;
  return {
    reached: reached.promise,
    get arrivals() {
      return arrivals;
    },
    open: () => opened.resolve(),
    arrive: () => {
      arrivals += 1;
      reached.resolve();
      return opened.promise;
    },
  };
}
