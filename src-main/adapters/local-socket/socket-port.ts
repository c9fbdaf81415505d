import net from 'node:net';
import { WebSocket } from 'ws';
import type { MessagePortLike } from '../port-socket.ts';
import { headersOf, type Caller } from './caller.ts';

/**
 * A connection to the hub of another process that looks like a message port, so that a client which speaks over ports
 * need not know where the hub runs.
 *
 * @param path of the hub's socket
 * @param onClose it is gone, or never came about
 */
export function socketPort(path: string, caller: Caller, onClose: () => void): MessagePortLike {
  const socket = new WebSocket('ws://signalbox/', {
    headers: headersOf(caller),
    createConnection: () => net.connect(path),
    perMessageDeflate: false,
  });
  /** Null once it is open. */
  let waiting: string[] | null = [];
  const closed: (() => void)[] = [onClose];
  socket.on('open', () => {
    for (const text of waiting ?? []) socket.send(text);
    waiting = null;
  });
  // The end follows, and is what matters.
  socket.on('error', () => undefined);
  socket.on('close', () => closed.splice(0).forEach((each) => each()));
  return {
    postMessage: (message) => {
      const text = String(message);
      if (waiting === null) socket.send(text);
      else waiting.push(text);
    },
    on: (event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void): void => {
      if (event === 'close') closed.push(() => listener({ data: null }));
      else {
        socket.on('message', (data, isBinary) => {
          if (!isBinary) listener({ data: (data as Buffer).toString('utf8') });
        });
      }
    },
    // It is read from the beginning: listeners are set in the same turn as it is made.
    start: () => undefined,
    close: () => socket.close(),
  };
}
