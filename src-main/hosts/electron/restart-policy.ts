const MOST_RESTARTS = 3;
const WITHIN_MS = 60_000;

/** What a person is told after the last one. */
export const ENDED_OFTEN =
  'The hub ended unexpectedly several times. The log in the data folder has the details.';

/** Whether an unexpected end may be followed by another start: three times in a minute (12-engine, Who is the hub). */
export const mayRestart = (ends: readonly number[], now: number): boolean =>
  ends.filter((at) => now - at < WITHIN_MS).length <= MOST_RESTARTS;

/** Ends that still count. */
export const recentEnds = (ends: readonly number[], now: number): readonly number[] =>
  ends.filter((at) => now - at < WITHIN_MS);
