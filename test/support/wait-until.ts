import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `condition` gives something other than false, null or undefined, and returns that.
 *
 * @param what ends the sentence "Timed out waiting until …"
 * @param options.withinMs deadline, default 10 s; options.everyMs pause between looks, default 10 ms; options.pause
 *   waits between looks instead
 * @throws Error at the deadline, with the last error of the condition as cause
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: {
    readonly withinMs?: number;
    readonly everyMs?: number;
    readonly pause?: () => Promise<void>;
  } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const { withinMs = 10_000, everyMs = 10 } = options;
  const pause = options.pause ?? (() => delay(everyMs));
  const deadline = performance.now() + withinMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) {
        return value as Exclude<T, false | null | undefined>;
      }
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Timed out after ${withinMs} ms waiting until ${what}.`, { cause });
    }
    await pause();
  }
}
