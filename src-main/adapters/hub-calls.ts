import {
  createTRPCUntypedClient,
  createWSClient,
  wsLink,
  type TRPCLink,
  type TRPCUntypedClient,
} from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { HubCalls } from '../core/ports/hub-calls.ts';
import { callError } from './call-errors.ts';
import { portWebSocket, type MessagePortLike } from './port-socket.ts';

const rethrow = (error: unknown): never => {
  throw callError(error);
};

/** A tracked event arrives as `{id, data}`; the link keeps the id for its next connection. */
const untracked = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'id' in event && 'data' in event ? event.data : event;

/** Any client of the router as the core's port. The list of calls is what checks names, inputs and answers. */
export function hubCallsOf(client: TRPCUntypedClient<AnyTRPCRouter>): HubCalls {
  return {
    query: (name, input) => client.query(name, input).catch(rethrow) as Promise<never>,
    mutate: (name, input) => client.mutation(name, input).catch(rethrow) as Promise<never>,
    subscribe: (name, input, { onEvent, onStart, onError }) => {
      const subscription = client.subscription(name, input, {
        onStarted: () => onStart?.(),
        onData: (event) => onEvent(untracked(event) as never),
        onError: (error) => onError?.(callError(error)),
      });
      return { dispose: () => subscription.unsubscribe() };
    },
  };
}

/** For a hub in this process: the link calls its router. */
export const hubCallsOver = (link: TRPCLink<AnyTRPCRouter>): HubCalls =>
  hubCallsOf(createTRPCUntypedClient<AnyTRPCRouter>({ links: [link] }));

export interface PortCalls extends HubCalls {
  readonly isOpen: boolean;
  close(): Promise<void>;
}

const LONGEST_RETRY_MS = 2000;

/**
 * Calls over message ports; connects again by itself, subscriptions go on from their last event.
 *
 * @param openPort takes a new connection to the hub, null while there is none
 */
export function connectByPort(
  openPort: () => MessagePortLike | null,
  onConnection: (isOpen: boolean) => void = () => undefined,
): PortCalls {
  let isOpen = false;
  const become = (next: boolean): void => {
    if (isOpen === next) return;
    isOpen = next;
    onConnection(next);
  };
  const sockets = createWSClient({
    url: 'ws://hub/',
    // It fits what tRPC uses of the browser's class.
    WebSocket: portWebSocket(openPort) as unknown as typeof globalThis.WebSocket,
    retryDelayMs: (attempt) => Math.min(LONGEST_RETRY_MS, 100 * 2 ** attempt),
    onOpen: () => become(true),
    onClose: () => become(false),
  });
  // The options depend on the router's transformer, which any router leaves open; ours has none.
  const calls = hubCallsOver(wsLink({ client: sockets }));
  return {
    ...calls,
    get isOpen() {
      return isOpen;
    },
    close: () => sockets.close(),
  };
}
