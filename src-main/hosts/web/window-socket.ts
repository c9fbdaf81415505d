import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { handleKeepAlive } from '@trpc/server/adapters/ws';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { z } from 'zod';
import { seconds } from '../../../src-shared/time.ts';
import type { Clock, Log } from '../../core/ports/world.ts';
import type { Access } from './access.ts';
import { cookieIn, isOurHost, isOurOrigin } from './request-checks.ts';

/** Where the API is. */
export const API_PATH = '/api';

/** Far above the longest text that a person may send, JSON escapes included. */
const LONGEST_MESSAGE = 16 * 1024 * 1024;
/** The first message is a key and nothing else. */
const LONGEST_FIRST_MESSAGE = 4096;
const KEY_WITHIN = seconds(5);
/** Windows and tabs open at the same time. */
const MOST_WINDOWS = 64;
/** A window that answers no ping for so long, or reads nothing, is cut; it comes back and goes on where it was. */
const PING_EVERY = seconds(30);
const PONG_WITHIN = seconds(10);
const HANGS_UP_WITHIN = seconds(1);

/** Codes with which the host closes a window's WebSocket; from 4000 on they are an application's own. */
export const CLOSE = {
  /** No key, a wrong one, or one of an earlier start: the window needs a new link. */
  unknownWindow: 4401,
  /** No hub runs, and this host is none: try again later. */
  noHub: 4503,
  goingAway: 1001,
  tryAgain: 1013,
} as const;

/** tRPC's `connectionParams`, the first message of its client. */
const FirstMessage = z.object({
  method: z.literal('connectionParams'),
  data: z.object({ key: z.string().min(1).max(200) }),
});

function keyIn(data: RawData): string | null {
  if (!Buffer.isBuffer(data) || data.length > LONGEST_FIRST_MESSAGE) return null;
  try {
    const parsed = FirstMessage.safeParse(JSON.parse(data.toString('utf8')));
    return parsed.success ? parsed.data.data.key : null;
  } catch {
    return null;
  }
}

export interface WindowSocketsOptions {
  readonly access: Access;
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes over a window's WebSocket, in the same turn: its next message may be in the same packet. */
  readonly admit: (socket: WebSocket) => void;
}

export interface WindowSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Tells every window why, and cuts those that do not hang up. */
  close(): void;
}

/** Answers an upgrade that is refused, and hangs up whether or not the other side does. */
function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/**
 * The windows' WebSockets. The upgrade has to name this host, come from a page of it and carry the cookie of a browser
 * that was let in; then the first message has to carry that browser's key, as the cookie alone opens nothing.
 */
export function createWindowSockets(options: WindowSocketsOptions): WindowSockets {
  const { access, port, clock, log, admit } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_MESSAGE,
    perMessageDeflate: false,
    clientTracking: true,
  });

  const askForKey = (client: WebSocket, cookie: string): void => {
    const late = clock.after(KEY_WITHIN, () => client.close(CLOSE.unknownWindow, 'no key came'));
    client.on('error', (error) => log.info('a window sent what is no message', { error: error.message }));
    client.once('close', () => late.dispose());
    client.once('message', (data) => {
      late.dispose();
      const key = keyIn(data);
      if (key === null || !access.opens(cookie, key)) {
        client.close(CLOSE.unknownWindow, 'unknown window');
        return;
      }
      handleKeepAlive(client, PING_EVERY, PONG_WITHIN);
      admit(client);
    });
  };

  return {
    upgrade: (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const { headers } = request;
      const cookie = cookieIn(headers.cookie, port);
      if (!isOurHost(request.headersDistinct['host'], port)) return refuse(socket, '421 Misdirected Request');
      if (request.url?.split('?')[0] !== API_PATH) return refuse(socket, '404 Not Found');
      if (!isOurOrigin(headers.origin, port)) return refuse(socket, '403 Forbidden');
      if (cookie === null || !access.knowsCookie(cookie)) return refuse(socket, '401 Unauthorized');
      if (server.clients.size >= MOST_WINDOWS) return refuse(socket, '503 Service Unavailable');
      server.handleUpgrade(request, socket, head, (client) => askForKey(client, cookie));
    },
    close: () => {
      for (const client of server.clients) {
        const late = clock.after(HANGS_UP_WITHIN, () => client.terminate());
        client.once('close', () => late.dispose());
        client.close(CLOSE.goingAway, 'Signalbox has ended');
      }
      server.close();
    },
  };
}
