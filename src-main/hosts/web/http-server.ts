import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import { AppError } from '../../../src-shared/errors.ts';
import { seconds, type Millis } from '../../../src-shared/time.ts';
import type { Clock, Log } from '../../core/ports/world.ts';
import type { Access } from './access.ts';
import { NOT_READABLE, sendError, sendText } from './answers.ts';
import { isOurHost, LOOPBACK, originOf } from './request-checks.ts';
import { securityHeaders } from './security-headers.ts';
import { answerSession, LONGEST_BODY } from './session-endpoint.ts';
import type { Site } from './site.ts';
import { API_PATH, createWindowSockets } from './window-socket.ts';

/** A browser sends its headers at once; who does not is cut (slowloris). */
export interface Patience {
  readonly headersTimeout: Millis;
  readonly requestTimeout: Millis;
  /** How often Node looks for those that are late. */
  readonly connectionsCheckingInterval: Millis;
}
const PATIENCE: Patience = {
  headersTimeout: seconds(10),
  requestTimeout: seconds(15),
  connectionsCheckingInterval: seconds(5),
};
const LIMITS = { keepAliveTimeout: seconds(5), maxHeaderSize: 16 * 1024 } as const;
const SILENCE = seconds(30);
/** Leaves descriptors for what the hub has to start. */
const MOST_CONNECTIONS = 256;

export interface WebServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly access: Access;
  readonly site: Site;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes over the WebSocket of a window that was let in, in the same turn. */
  readonly admit: (socket: WebSocket) => void;
  readonly patience?: Patience;
}

export interface WebServer {
  readonly port: number;
  /** e.g. `http://127.0.0.1:4000` */
  readonly origin: string;
  /** Ends every connection, and resolves when nothing is open. */
  close(): Promise<void>;
}

/** A body that nobody wants is not read: what is left of it goes with the connection. */
function hangUpAfter(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.on('finish', () => request.socket.destroySoon());
}

/** Whether more comes than the one call with a body takes. */
function isTooLong({ method, headers }: IncomingMessage): boolean {
  const most = method === 'POST' ? LONGEST_BODY : 0;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > most;
}

function answerFile(request: IncomingMessage, response: ServerResponse, site: Site, pathname: string): void {
  const file = site.find(pathname);
  if (file !== null) {
    response.writeHead(200, {
      'content-type': file.type,
      'content-length': file.body.length,
      'cache-control': file.caching,
    });
    response.end(request.method === 'HEAD' ? undefined : file.body);
  } else if (pathname === '/' && !site.isBuilt) {
    sendText(response, 503, 'The window is not built. In the checkout: npm run build');
  } else {
    sendText(response, 404, 'There is nothing here.');
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: WebServerOptions,
  port: number,
): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(port))) response.setHeader(name, value);
  if (isTooLong(request)) hangUpAfter(request, response);
  if (!isOurHost(request.headersDistinct['host'], port)) {
    hangUpAfter(request, response);
    return sendText(response, 421, `Signalbox is at ${originOf(port)}`);
  }
  const target = request.url ?? '';
  const url = target.startsWith('/') ? URL.parse(target, originOf(port)) : null;
  if (url === null || url.origin !== originOf(port)) {
    hangUpAfter(request, response);
    return sendError(response, 400, NOT_READABLE);
  }
  if (url.pathname === '/session') return answerSession(request, response, options.access, port);
  if (url.pathname === API_PATH) return sendText(response, 426, 'The API is a WebSocket.');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    hangUpAfter(request, response);
    response.setHeader('allow', 'GET, HEAD');
    return sendError(response, 405, NOT_READABLE);
  }
  return answerFile(request, response, options.site, url.pathname);
}

/** @throws AppError 'port-taken' */
async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ port, host: LOOPBACK, exclusive: true });
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'may not be used by this user' : 'is taken by another program';
    throw new AppError('port-taken', `Port ${port} ${why}.`, {
      hint: 'Let Signalbox take a free one: signalbox serve --port 0',
      cause,
    });
  }
  return (server.address() as AddressInfo).port;
}

/** The window's files, its session and its WebSocket on 127.0.0.1. Resolves once it listens. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const { access, clock, log, admit, patience = PATIENCE } = options;
  // Known once it listens; until then no request can come.
  let port = options.port;
  const server = createServer({ ...LIMITS, ...patience }, (request, response) => {
    response.on('error', () => response.destroy());
    answer(request, response, options, port).catch((error: unknown) => {
      log.error('a request could not be answered', { error: String(error) });
      response.destroy();
    });
  });
  server.timeout = SILENCE;
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', (_error, socket) => socket.destroy());
  port = await listen(server, options.port);
  const windows = createWindowSockets({ access, port, clock, log, admit });
  server.on('upgrade', windows.upgrade);
  return {
    port,
    origin: originOf(port),
    close: async () => {
      windows.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
