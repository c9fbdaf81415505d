import { createTRPCUntypedClient, createWSClient, wsLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import { callErrorFrom, createConnection, type Transport } from './transport.ts';

/** Longest pause between two attempts to connect. */
const LONGEST_RETRY_MS = 5000;
/** A connection that held for less was no success: the host hung up at once. */
const HELD_MS = 2000;
/** The host's word for a window that it does not know (src-main/hosts/web/window-socket.ts). */
const UNKNOWN_WINDOW = 4401;

/**
 * The window's way to a web host: tRPC's messages over one WebSocket. The host takes nothing before the first message
 * has brought the window key (12-engine, The web host's secrets).
 *
 * @param url `ws://127.0.0.1:PORT/api`
 */
export function createSocketTransport(url: string, key: () => string | null): Transport {
  const connection = createConnection();
  let hasBeenOpen = false;
  let openedAt: number | null = null;
  let attempts = 0;
  let refusals = 0;
  let wake: () => void = () => undefined;

  /** The pause before an attempt is made here rather than by tRPC's client, since a person can cut it short. */
  const nextAttempt = async (): Promise<string> => {
    if (attempts > 0) {
      const pause = Math.min(LONGEST_RETRY_MS, 200 * 2 ** (attempts - 1));
      connection.willTryAt(Date.now() + pause);
      await new Promise<void>((resolve) => {
        const timer = window.setTimeout(resolve, pause);
        wake = () => {
          window.clearTimeout(timer);
          resolve();
        };
      });
      connection.willTryAt(null);
    }
    attempts += 1;
    return url;
  };
  const refused = (): void => {
    connection.become('refused');
    void client.close();
  };
  /** A browser does not tell why a WebSocket was refused: a host that answers otherwise does not know this window. */
  const askWhy = async (): Promise<void> => {
    const answer = await fetch(new URL('.', location.href), { method: 'HEAD', cache: 'no-store' }).catch(
      () => null,
    );
    refusals = answer?.ok === true ? refusals + 1 : 0;
    // Once may be a host that started in between.
    if (refusals >= 2) refused();
  };
  const ended = (): void => {
    if (connection.state() === 'refused') return;
    const held = openedAt !== null && performance.now() - openedAt > HELD_MS;
    if (held) attempts = 1;
    connection.become(hasBeenOpen ? 'lost' : 'connecting');
  };

  const client = createWSClient({
    url: nextAttempt,
    connectionParams: () => ({ key: key() ?? '' }),
    retryDelayMs: () => 0,
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5000 },
    onOpen: () => {
      hasBeenOpen = true;
      openedAt = performance.now();
      refusals = 0;
      connection.become('open');
    },
    onClose: (cause) => {
      const wasOpen = openedAt !== null;
      ended();
      openedAt = null;
      if (cause?.code === UNKNOWN_WINDOW) refused();
      else if (!wasOpen) void askWhy();
    },
    onError: ended,
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
    tryNow: () => wake(),
    canKillAlone: false,
  };
}

function rethrow(error: unknown): never {
  throw callErrorFrom(error);
}

/** A tracked event arrives as `{id, data}`; the link itself keeps the id for the next connection. */
export const untracked = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'id' in event && 'data' in event ? event.data : event;
