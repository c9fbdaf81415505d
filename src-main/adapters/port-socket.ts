/**
 * A message port that looks like a WebSocket, so that tRPC's WebSocket protocol runs over it at both ends and no
 * second protocol exists. Electron hands ports between its processes; the shape here is what its `MessagePortMain`
 * offers, nothing of Electron is imported.
 */
import { EventEmitter } from 'node:events';

export interface MessagePortLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  /** Messages wait until then. */
  start(): void;
  close(): void;
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;

/** The server's end: what `getWSConnectionHandler` uses of the class of the package `ws`. */
export class PortServerSocket extends EventEmitter {
  readyState = OPEN;
  private readonly port: MessagePortLike;

  constructor(port: MessagePortLike) {
    super();
    this.port = port;
    port.on('message', ({ data }) => {
      if (typeof data === 'string') this.emit('message', Buffer.from(data, 'utf8'), false);
    });
    port.on('close', () => this.ended());
  }

  /** To be called once the listeners are set. */
  start(): void {
    this.port.start();
  }

  send(text: string): void {
    if (this.readyState === OPEN) this.port.postMessage(text);
  }

  close(): void {
    this.port.close();
    this.ended();
  }

  terminate(): void {
    this.close();
  }

  private ended(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.emit('close');
  }
}

type Listener = (event: { readonly data?: unknown }) => void;

/**
 * The client's end: a class for `createWSClient({ WebSocket })`. Each connection takes a port of its own.
 *
 * @param openPort a port whose other end a server has; null while there is none, which is a failed connection
 */
export function portWebSocket(openPort: () => MessagePortLike | null) {
  return class PortClientSocket {
    static readonly CONNECTING = CONNECTING;
    static readonly OPEN = OPEN;
    static readonly CLOSING = 2;
    static readonly CLOSED = CLOSED;
    readyState = CONNECTING;
    binaryType = 'arraybuffer';
    readonly port: MessagePortLike | null = openPort();
    readonly listeners = new Map<string, Set<Listener>>();

    constructor() {
      this.port?.on('message', ({ data }) => this.tell('message', { data }));
      this.port?.on('close', () => this.ended());
      // Whoever made it adds its listeners some promises later.
      setImmediate(() => {
        if (this.port === null) {
          this.tell('error', {});
          this.ended();
          return;
        }
        if (this.readyState !== CONNECTING) return;
        this.readyState = OPEN;
        this.port.start();
        this.tell('open', {});
      });
    }

    addEventListener(type: string, listener: Listener): void {
      const all = this.listeners.get(type) ?? new Set();
      this.listeners.set(type, all.add(listener));
    }

    removeEventListener(type: string, listener: Listener): void {
      this.listeners.get(type)?.delete(listener);
    }

    send(text: string): void {
      if (this.readyState === OPEN) this.port?.postMessage(text);
    }

    close(): void {
      this.port?.close();
      this.ended();
    }

    tell(type: string, event: { readonly data?: unknown }): void {
      for (const listener of [...(this.listeners.get(type) ?? [])]) listener.call(this as never, event);
    }

    ended(): void {
      if (this.readyState === CLOSED) return;
      this.readyState = CLOSED;
      this.tell('close', {});
    }
  };
}
