import type { CoreDeps } from '../ports/deps.ts';

/** Settings rows of the switches: a `KillState` or absent, and `true` or absent. */
export const KILL_KEY = 'kill';
export const PAUSE_KEY = 'paused';

/** `endedReason` of what the switch stopped. */
export const KILLED_REASON = 'cancelled by kill switch';

/**
 * Whether something outside may have ended our processes by now: the guardian and `signalbox kill` act on the file,
 * before this hub has looked. What they ended is no failure of a task.
 */
export const isKilled = (deps: Pick<CoreDeps, 'stores' | 'killFile'>): boolean =>
  deps.stores.settings.get(KILL_KEY) !== null || deps.killFile.read() !== null;
