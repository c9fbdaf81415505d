import os from 'node:os';
import { millis } from '../../src-shared/time.ts';
import type { Clock, Disposable } from '../core/ports/world.ts';

const ASKS_TO_STOP = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopName = (typeof ASKS_TO_STOP)[number];

/**
 * One Ctrl+C reaches the process more than once where a launcher (npm, npx, the bin on another Node) passes on what
 * the terminal has sent to the whole group already. A person's second one comes later than this.
 */
const SAME_REQUEST = millis(250);

/** What a shell reports of a process that a signal ended. */
const exitCodeOfSignal = (signalNumber: number): number => 128 + signalNumber;

/** What a signal means after those before it. Pure. */
export function meaningOf(firstAt: number | null, now: number): 'stop' | 'same' | 'at-once' {
  if (firstAt === null) return 'stop';
  return now - firstAt < SAME_REQUEST ? 'same' : 'at-once';
}

/**
 * Ctrl+C, SIGTERM and a closed terminal ask the hub to stop; a second one ends it at once with 128 + signal, and the
 * guardian ends what it had started (15-cli).
 */
export function watchSignals(
  clock: Clock,
  handlers: { stop(): void; endAtOnce(exitCode: number): void },
): Disposable {
  let firstAt: number | null = null;
  const listener = (name: StopName): void => {
    const meaning = meaningOf(firstAt, clock.monotonic());
    if (meaning === 'at-once') handlers.endAtOnce(exitCodeOfSignal(os.constants.signals[name]));
    if (meaning !== 'stop') return;
    firstAt = clock.monotonic();
    handlers.stop();
  };
  for (const name of ASKS_TO_STOP) process.on(name, listener);
  return {
    dispose: () => {
      for (const name of ASKS_TO_STOP) process.off(name, listener);
    },
  };
}
