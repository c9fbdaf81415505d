import { request } from 'node:http';
import { createTRPCClient, createWSClient, wsLink, type TRPCClient } from '@trpc/client';
import { WebSocket } from 'ws';
import type { AppRouter } from '../../src-main/api/router.ts';

/** A window as a browser has it: the link exchanged, and the API over one WebSocket. */
export interface WebWindow {
  readonly client: TRPCClient<AppRouter>;
  /** Close codes of its WebSockets so far, 1006 for one that was cut or refused. */
  readonly closed: readonly number[];
  /** Cuts the connection as a broken network does; the window connects again by itself. */
  cut(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Session {
  readonly status: number;
  readonly cookie: string;
  readonly key: string;
}

/** Exchanges the one-time token of a link. */
export function exchange(link: string): Promise<Session> {
  const { host, port, origin, hash } = new URL(link);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/session',
        headers: { host, origin, 'content-type': 'application/json' },
        agent: false,
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { key = '' } = JSON.parse(text) as { key?: string };
          const [cookie = ''] = (response.headers['set-cookie']?.[0] ?? '').split(';');
          resolve({ status: response.statusCode ?? 0, cookie, key });
        });
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify({ token }));
  });
}

/** Opens a link. */
export async function openWindow(link: string): Promise<WebWindow> {
  const { host, origin } = new URL(link);
  const session = await exchange(link);
  if (session.status !== 200) throw new Error(`The link was refused: ${session.status}`);
  const closed: number[] = [];
  let current: WebSocket | null = null;
  class BrowserSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { origin, cookie: session.cookie }, perMessageDeflate: false });
      current = this;
    }
  }
  const sockets = createWSClient({
    url: `ws://${host}/api`,
    connectionParams: { key: session.key },
    retryDelayMs: () => 50,
    WebSocket: BrowserSocket as unknown as typeof globalThis.WebSocket,
    onClose: (cause) => closed.push(cause?.code ?? 0),
  });
  const close = async (): Promise<void> => {
    await sockets.close();
  };
  return {
    client: createTRPCClient<AppRouter>({ links: [wsLink<AppRouter>({ client: sockets })] }),
    closed,
    cut: () => current?.terminate(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
