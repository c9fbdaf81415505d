import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AnyTRPCRouter, inferRouterContext } from '@trpc/server';
import { seconds } from '../../../src-shared/time.ts';
import type { Log } from '../../core/ports/world.ts';
import { createCallHandler, LONGEST_BODY } from './call-handler.ts';
import { callerOf, type Caller } from './caller.ts';

/** What subscriptions need, loaded when the first client wants them, or by the host once it works. */
export const loadSockets = () => Promise.all([import('ws'), import('./message-handler.ts')]);

export interface LocalServerOptions<R extends AnyTRPCRouter> {
  /** Path of the socket, or name of the pipe. */
  readonly path: string;
  readonly router: R;
  readonly contextOf: (caller: Caller) => inferRouterContext<R>;
  readonly log: Log;
}

export interface LocalServer {
  /** Ends every connection, subscriptions included, and resolves when nothing is open. */
  close(): Promise<void>;
}

/**
 * The router on a socket that only this user may open: one call by HTTP request, or any number with subscriptions over
 * WebSocket. Resolves once it listens.
 */
export async function listenLocally<R extends AnyTRPCRouter>(
  options: LocalServerOptions<R>,
): Promise<LocalServer> {
  const { router, contextOf, log } = options;
  const server = createServer(
    { headersTimeout: seconds(10), requestTimeout: seconds(60) },
    createCallHandler({ router, contextOf, log }),
  );

  // The WebSocket half is loaded when the first client wants it: it is not needed to answer calls.
  let sockets: Promise<Awaited<ReturnType<typeof startSockets>>> | null = null;
  const startSockets = async () => {
    const [{ WebSocketServer }, { createMessageHandler }] = await loadSockets();
    const wss = new WebSocketServer({ noServer: true, maxPayload: LONGEST_BODY });
    return { wss, answer: createMessageHandler({ router, contextOf, log }) };
  };
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    sockets ??= startSockets();
    sockets.then(
      ({ wss, answer }) =>
        wss.handleUpgrade(request, socket, head, (client) => answer(client, callerOf(request))),
      (error: unknown) => {
        log.error('subscriptions could not start', { error: String(error) });
        socket.destroy();
      },
    );
  });
  server.on('clientError', (_error, socket) => socket.destroy());

  // The mask makes the socket private from its first moment; its folder is private as well.
  const mask = process.platform === 'win32' ? null : process.umask(0o177);
  try {
    server.listen(options.path);
    await once(server, 'listening');
  } finally {
    if (mask !== null) process.umask(mask);
  }
  if (process.platform !== 'win32') chmodSync(options.path, 0o600);
  return {
    close: async () => {
      const started = await sockets;
      for (const client of started?.wss.clients ?? []) client.terminate();
      started?.wss.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
