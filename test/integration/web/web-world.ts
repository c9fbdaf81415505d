import net from 'node:net';
import { request } from 'node:http';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { initTRPC, tracked } from '@trpc/server';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import { createMessageHandler } from '../../../src-main/adapters/local-socket/message-handler.ts';
import { createAccess } from '../../../src-main/hosts/web/access.ts';
import type { Clock } from '../../../src-main/core/ports/world.ts';
import { startWebServer, type Patience } from '../../../src-main/hosts/web/http-server.ts';
import { createSite } from '../../../src-main/hosts/web/site.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const t = initTRPC.context<{ readonly name: string; readonly via: string }>().create({ isDev: false });
const testRouter = t.router({
  who: t.procedure.query(({ ctx }) => `${ctx.name} via ${ctx.via}`),
  count: t.procedure.subscription(async function* () {
    yield tracked('1', 1);
    await Promise.resolve();
  }),
});

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One request on a connection of its own; null when the host hung up without an answer. */
export const ask = (
  port: number,
  { method = 'GET', path = '/', headers = {}, body }: Ask,
): Promise<Answer | null> =>
  new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const settle = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', settle);
      response.on('error', settle);
    });
    call.on('error', () => resolve(null));
    call.end(body);
  });

/** Bytes as they are; what came back until the host hung up. */
export const pour = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });

/** How a WebSocket ended: refused with an HTTP status, or closed with a code. */
export interface SocketEnd {
  readonly status?: number;
  readonly code?: number;
  readonly messages: readonly string[];
}

/** Opens a WebSocket, sends the messages, and waits for its end or for `until`. */
export function openSocket(
  port: number,
  headers: Readonly<Record<string, string>>,
  messages: readonly (string | Buffer)[] = [],
  until: (messages: readonly string[]) => boolean = () => false,
  path = '/api',
): Promise<SocketEnd> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false });
  const seen: string[] = [];
  return new Promise((resolve) => {
    socket.on('open', () => {
      for (const message of messages) socket.send(message);
    });
    socket.on('message', (data: Buffer) => {
      seen.push(data.toString());
      if (!until(seen)) return;
      socket.terminate();
      resolve({ messages: seen });
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve({ status: response.statusCode ?? 0, messages: seen });
      socket.terminate();
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => resolve({ code, messages: seen }));
  });
}

/** A web host over a small router, with a built page. */
export async function startWebWorld(options: { readonly clock?: Clock; readonly patience?: Patience } = {}) {
  const temp = makeTempFolder('web');
  mkdirSync(temp.join('site/assets'), { recursive: true });
  writeFileSync(temp.join('site/index.html'), '<!doctype html><title>Signalbox</title>');
  writeFileSync(temp.join('site/assets/index-abc.js'), 'export {};');
  writeFileSync(temp.join('secret'), 'outside');
  const access = createAccess(systemClock, () => randomBytes(32).toString('base64url'));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const handle = createMessageHandler({
    router: testRouter,
    contextOf: ({ name, via }) => ({ name, via }),
    log,
  });
  const web = await startWebServer({
    port: 0,
    access,
    site: createSite(temp.join('site')),
    clock: options.clock ?? systemClock,
    log,
    ...(options.patience === undefined ? {} : { patience: options.patience }),
    admit: (socket) => handle(socket, { name: 'ada', via: 'web', isAgent: false }),
  });
  const { port, origin } = web;
  const host = `127.0.0.1:${port}`;
  const session = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(port, {
      method: 'POST',
      path: '/session',
      headers: { host, origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ token }),
    });
  return {
    port,
    host,
    origin,
    access,
    web,
    session,
    /** What a browser has after it has opened a link. */
    enter: async () => {
      const answer = await session(access.issueToken());
      const { key } = JSON.parse(answer?.body ?? '{}') as { key: string };
      const [cookie = ''] = String(answer?.headers['set-cookie']).split(';');
      return { key, cookie, first: JSON.stringify({ method: 'connectionParams', data: { key } }) };
    },
    [Symbol.asyncDispose]: async () => {
      await web.close();
      temp.dispose();
    },
  };
}

/** A call of the small router, as tRPC's client sends it. */
export const WHO = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'query', params: { path: 'who' } });
