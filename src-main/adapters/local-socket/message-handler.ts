import type { IncomingMessage } from 'node:http';
import type { AnyTRPCRouter, inferRouterContext } from '@trpc/server';
import {
  getWSConnectionHandler,
  type CreateWSSContextFnOptions,
  type WSSHandlerOptions,
} from '@trpc/server/adapters/ws';
import type { WebSocket } from 'ws';
import type { Log } from '../../core/ports/world.ts';
import { callerOf, headersOf, type Caller } from './caller.ts';

export interface MessageHandlerOptions<R extends AnyTRPCRouter> {
  readonly router: R;
  readonly contextOf: (caller: Caller) => inferRouterContext<R>;
  readonly log: Log;
}

/** Answers a client on its WebSocket from now on. The channel has decided that it may speak, and who it is. */
export type AnswerMessages = (socket: WebSocket, caller: Caller) => void;

/**
 * The router over tRPC's WebSocket messages: queries, mutations and subscriptions, on whatever looks like a WebSocket
 * of `ws`. The message with `connectionParams` is the channel's business and does not come here.
 */
export function createMessageHandler<R extends AnyTRPCRouter>(
  options: MessageHandlerOptions<R>,
): AnswerMessages {
  const { router, contextOf, log } = options;
  const handlerOptions = {
    router,
    createContext: ({ req }: CreateWSSContextFnOptions) => Promise.resolve(contextOf(callerOf(req))),
    // What a procedure throws is logged by the router. Without this tRPC writes the rest to the console.
    onError: ({ type, error }: { readonly type: string; readonly error: Error }) => {
      if (type === 'unknown') log.info('a message could not be read', { error: error.message });
    },
  };
  // Its type also asks for what `applyWSSHandler` alone uses.
  const handler = getWSConnectionHandler(handlerOptions as unknown as WSSHandlerOptions<R>);
  return (socket, caller) => {
    const request = { url: '/', headers: { host: 'signalbox', ...headersOf(caller) } };
    handler(socket, request as unknown as IncomingMessage);
  };
}
