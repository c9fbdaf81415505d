import { EventEmitter } from 'node:events';

/** Where the messages of a port go whose other end is in another process. */
export interface Remote {
  send(data: unknown): void;
  close(): void;
}

/** Electron's MessagePortMain: messages wait for `start`, come as events, and a closed end closes the other. */
export class MessagePortMain extends EventEmitter {
  partner: MessagePortMain | null = null;
  private remote: Remote | null = null;
  private readonly waiting: unknown[] = [];
  private isStarted = false;
  private isClosed = false;

  postMessage(data: unknown): void {
    if (!this.isClosed) this.partner?.receive(structuredClone(data));
  }

  /** What its partner, or the other process, has sent. */
  receive(data: unknown): void {
    if (this.remote !== null) this.remote.send(data);
    else if (this.isStarted) setImmediate(() => this.emit('message', { data, ports: [] }));
    else this.waiting.push(data);
  }

  start(): void {
    this.isStarted = true;
    for (const data of this.waiting.splice(0)) this.receive(data);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.remote?.close();
    setImmediate(() => this.emit('close'));
    this.partner?.close();
  }

  /** Hands this end to another process: what comes is sent on. */
  transfer(remote: Remote): void {
    this.remote = remote;
    for (const data of this.waiting.splice(0)) remote.send(data);
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.partner = this.port2;
    this.port2.partner = this.port1;
  }
}

/** What goes between the application and a utility process. */
export type Packet =
  | { readonly to: 'parent'; readonly data: unknown; readonly ports: readonly number[] }
  | { readonly to: 'port'; readonly port: number; readonly data: unknown }
  | { readonly to: 'close'; readonly port: number };
