/** Why the application ends. */
export type QuitCause =
  /** The tray's Quit, the menu, Command-Q. */
  | 'person'
  /** The computer shuts down or the person logs out: nothing may ask or wait for long then. */
  | 'shutdown'
  | 'signal'
  | 'update';

export interface QuitState {
  readonly cause: QuitCause;
  /** Whether the hub lives in this application; another program's goes on without us. */
  readonly isOurHub: boolean;
  /** Tasks that run now. */
  readonly running: number;
  /** Already asked and answered, or already stopping. */
  readonly isDecided: boolean;
}

export type QuitPlan = { readonly kind: 'stop' } | { readonly kind: 'ask'; readonly running: number };

/** Agents at work are asked about; without any, or where nobody can answer, the hub is stopped cleanly at once. */
export function quitPlan(state: QuitState): QuitPlan {
  const { running } = state;
  if (state.isDecided || state.cause !== 'person' || !state.isOurHub || running === 0)
    return { kind: 'stop' };
  return { kind: 'ask', running };
}

/** What the hub gets to end its turns before the process is ended; the system itself waits less. */
export const stopPatienceMs = (cause: QuitCause): number => (cause === 'shutdown' ? 4000 : 15_000);
