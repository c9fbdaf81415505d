import { createTRPCUntypedClient, createWSClient, wsLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import { callErrorFrom, createConnection, type Transport } from './transport.ts';

/** Longest pause between two attempts to connect. */
const LONGEST_RETRY_MS = 5000;

/**
 * The window's way to a web host: tRPC's messages over one WebSocket. The host takes nothing before the first message
 * has brought the window key (12-engine, The web host's secrets).
 *
 * @param url `ws://127.0.0.1:PORT/api`
 */
export function createSocketTransport(url: string, key: () => string | null): Transport {
  const connection = createConnection();
  let hasBeenOpen = false;
  const client = createWSClient({
    url,
    connectionParams: () => ({ key: key() ?? '' }),
    retryDelayMs: (attempt) => Math.min(LONGEST_RETRY_MS, 200 * 2 ** attempt),
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5000 },
    onOpen: () => {
      hasBeenOpen = true;
      connection.become('open');
    },
    onClose: () => connection.become(hasBeenOpen ? 'lost' : 'connecting'),
    onError: () => connection.become(hasBeenOpen ? 'lost' : 'connecting'),
  });
  const trpc = createTRPCUntypedClient<AnyRouter>({ links: [wsLink({ client })] });

  // The types of the calls are checked by `Calls`; the untyped client takes any name and gives `unknown`.
  return {
    query: (name, input) => trpc.query(name, input).catch(rethrow) as Promise<never>,
    mutate: (name, input) => trpc.mutation(name, input).catch(rethrow) as Promise<never>,
    subscribe: (name, input, { onData, onError }) => {
      const subscription = trpc.subscription(name, input, {
        onData: (event) => onData(untracked(event) as never),
        onError: (error) => onError(callErrorFrom(error)),
      });
      return () => subscription.unsubscribe();
    },
    connection,
  };
}

function rethrow(error: unknown): never {
  throw callErrorFrom(error);
}

/** A tracked event arrives as `{id, data}`; the link itself keeps the id for the next connection. */
export const untracked = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'id' in event && 'data' in event ? event.data : event;
