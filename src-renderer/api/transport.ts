import type {
  CallInput,
  CallOutput,
  MutationName,
  QueryName,
  SubscriptionName,
} from '../../src-shared/api/calls.ts';

/** `lost` after a connection broke and until the next one stands; a transport connects again by itself. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Connection {
  /** For `useSyncExternalStore`. */
  readonly state: () => ConnectionState;
  /** When an open connection broke, while it is lost: what is on the screen is from then. In ms since 1970. */
  readonly lostAt: () => number | null;
  /** When the next attempt is made; null where the transport does not tell. */
  readonly nextTryAt: () => number | null;
  readonly listen: (changed: () => void) => () => void;
}

export interface SubscriptionHandlers<Output> {
  readonly onData: (output: Output) => void;
  readonly onError: (error: CallError) => void;
}

/**
 * The way from the window to the hub. The window does not know whether it is a WebSocket or Electron's IPC.
 * Subscriptions go on after a reconnect from the last event seen, without loss or duplicates.
 *
 * Errors are {@link CallError}.
 */
export interface Transport {
  query<Name extends QueryName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  mutate<Name extends MutationName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  /** @returns what ends it */
  subscribe<Name extends SubscriptionName>(
    name: Name,
    input: CallInput<Name>,
    handlers: SubscriptionHandlers<CallOutput<Name>>,
  ): () => void;
  readonly connection: Connection;
  /** Makes the next attempt to connect now. */
  readonly tryNow: () => void;
  /** Whether the kill switch works without a hub: the desktop writes the signal file itself. */
  readonly canKillAlone: boolean;
}

/** What a call answered instead of a result. `code` is stable (`src-shared/errors.ts`), `no-connection` is our own. */
export class CallError extends Error {
  readonly code: string;
  readonly hint: string | null;

  constructor(code: string, message: string, hint: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallError';
    this.code = code;
    this.hint = hint;
  }
}

/** Turns whatever a transport threw into a {@link CallError}: `wire` is the error's form on every channel. */
export function callErrorFrom(error: unknown): CallError {
  if (error instanceof CallError) return error;
  const wire = (error as { data?: { wire?: { code?: unknown; message?: unknown; hint?: unknown } } } | null)
    ?.data?.wire;
  if (typeof wire?.code === 'string' && typeof wire.message === 'string') {
    return new CallError(wire.code, wire.message, typeof wire.hint === 'string' ? wire.hint : null, {
      cause: error,
    });
  }
  return new CallError('no-connection', error instanceof Error ? error.message : String(error), null, {
    cause: error,
  });
}

/** A value that changes, for `useSyncExternalStore`. */
export function createConnection(): Connection & {
  readonly become: (state: ConnectionState) => void;
  readonly willTryAt: (at: number | null) => void;
} {
  let state: ConnectionState = 'connecting';
  let lostAt: number | null = null;
  let nextTryAt: number | null = null;
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return {
    state: () => state,
    listen: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    lostAt: () => lostAt,
    nextTryAt: () => nextTryAt,
    become: (next) => {
      if (next === state) return;
      if (state === 'open') lostAt = Date.now();
      if (next === 'open') [lostAt, nextTryAt] = [null, null];
      state = next;
      tell();
    },
    willTryAt: (at) => {
      nextTryAt = at;
      tell();
    },
  };
}
