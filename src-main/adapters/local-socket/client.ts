import { request as httpRequest } from 'node:http';
import net from 'node:net';
import { createTRPCClient, createWSClient, httpLink, splitLink, wsLink, type TRPCClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { QueryName } from '../../../src-shared/api/calls.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { millis, type Millis } from '../../../src-shared/time.ts';
import { headersOf, type Caller } from './caller.ts';

/** Longer than any call that is meant to wait (an interrupt waits 10 s for its tree). */
const CALL_PATIENCE = millis(120_000);
/** A hub answers these from memory and by an index: one that has not by then hangs. */
const LOOK_PATIENCE = millis(10_000);
export const LOOKS: ReadonlySet<string> = new Set<QueryName>([
  'hub.status',
  'hub.summary',
  'inbox.list',
  'inbox.show',
  'task.list',
  'task.show',
  'project.list',
  'project.show',
  'agent.list',
  'agent.show',
  'spike.status',
]);

/** How long a call may take. @param path of its address, such as `/inbox.list` */
export const patienceFor = (path: string): Millis =>
  LOOKS.has(path.slice(1)) ? LOOK_PATIENCE : CALL_PATIENCE;

export interface LocalClientOptions {
  readonly path: string;
  readonly caller: Caller;
  /** Of the hub, for who has to end one that hangs. */
  readonly pid?: number;
  /** Loads what subscriptions need. */
  readonly subscriptions?: boolean;
  /** Called when the connection of subscriptions is gone; it is tried again by itself. */
  readonly disconnected?: () => void;
}

export interface LocalClient<R extends AnyTRPCRouter> {
  readonly client: TRPCClient<R>;
  close(): Promise<void>;
}

/** @throws never: rejects only through the promise, with an AppError */
function connectionError(error: NodeJS.ErrnoException, wasSent: boolean): AppError {
  if (!wasSent || error.code === 'ENOENT' || error.code === 'ECONNREFUSED') {
    return new AppError('hub-unreachable', 'The hub does not answer.', {
      hint: 'signalbox hub status shows whether it runs.',
      cause: error,
    });
  }
  return new AppError('hub-lost', 'The hub ended while it did this; whether it was done is not certain.', {
    hint: 'Look before you try again: signalbox inbox, signalbox task list.',
    cause: error,
  });
}

interface LocalResponse {
  json(): Promise<unknown>;
}
interface LocalRequest {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: unknown;
}

/** What tRPC needs of `fetch`, over a socket. */
function fetchOver({ path: socketPath, pid }: LocalClientOptions) {
  return (url: string, init: LocalRequest = {}): Promise<LocalResponse> =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(url);
      const patience = patienceFor(pathname);
      let isConnected = false;
      const call = httpRequest(
        {
          socketPath,
          path: `${pathname}${search}`,
          method: init.method ?? 'GET',
          headers: init.headers as Record<string, string>,
          agent: false,
          ...(init.signal instanceof AbortSignal ? { signal: init.signal } : {}),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', (error) => reject(connectionError(error, true)));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ json: () => Promise.resolve().then((): unknown => JSON.parse(text)) });
          });
        },
      );
      call.on('socket', (socket) => socket.once('connect', () => (isConnected = true)));
      call.setTimeout(patience, () => {
        call.destroy();
        reject(
          new AppError('hub-unreachable', `The hub did not answer within ${patience / 1000} s.`, {
            hint: `It hangs. signalbox kill ends what it has started; then end it${pid === undefined ? '' : ` (process ${pid})`} and start it again: signalbox hub`,
          }),
        );
      });
      call.on('error', (error) => reject(connectionError(error, isConnected)));
      call.end(typeof init.body === 'string' ? init.body : undefined);
    });
}

/** A client of the hub that listens at `path`. Nothing is opened before the first call. */
export async function connectLocally<R extends AnyTRPCRouter>(
  options: LocalClientOptions,
): Promise<LocalClient<R>> {
  const { path, caller } = options;
  const headers = headersOf(caller);
  // The options depend on the router's transformer, which a generic router leaves open; ours has none.
  const callOptions = { url: 'http://signalbox/', headers, fetch: fetchOver(options) } as never;
  const calls = httpLink<R>(callOptions);
  if (options.subscriptions !== true) {
    return { client: createTRPCClient<R>({ links: [calls] }), close: () => Promise.resolve() };
  }
  const { WebSocket } = await import('ws');
  class LocalWebSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols, { headers, createConnection: () => net.connect(path), perMessageDeflate: false });
    }
  }
  const sockets = createWSClient({
    url: 'ws://signalbox/',
    lazy: { enabled: true, closeMs: 0 },
    // It fits what tRPC uses of the browser's class.
    WebSocket: LocalWebSocket as unknown as typeof globalThis.WebSocket,
    ...(options.disconnected === undefined ? {} : { onClose: options.disconnected }),
  });
  const link = splitLink<R>({
    condition: (operation) => operation.type === 'subscription',
    true: wsLink<R>({ client: sockets } as never),
    false: calls,
  });
  return {
    client: createTRPCClient<R>({ links: [link] }),
    close: async () => {
      await sockets.close();
    },
  };
}
