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
export function createConnection(): Connection & { readonly become: (state: ConnectionState) => void } {
  let state: ConnectionState = 'connecting';
  const listeners = new Set<() => void>();
  return {
    state: () => state,
    listen: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    become: (next) => {
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
  };
}
