/** Settings rows of the switches: a `KillState` or absent, and `true` or absent. */
export const KILL_KEY = 'kill';
export const PAUSE_KEY = 'paused';
