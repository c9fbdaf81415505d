import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { offer, tell } from './control.ts';
import type { MessagePortMain, Packet } from './ports.ts';

const PRELOAD = fileURLToPath(new URL('./utility.ts', import.meta.url));
let lastPort = 0;

class UtilityProcess extends EventEmitter {
  private readonly child: ChildProcess;
  private readonly ports = new Map<number, MessagePortMain>();

  constructor(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    super();
    this.child = fork(file, [...args], {
      execArgv: ['--import', PRELOAD],
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (packet: Packet) => this.hear(packet));
    this.child.on('exit', (code) => {
      for (const port of this.ports.values()) port.close();
      this.emit('exit', code ?? 1);
      tell('utility-exit', code);
    });
    this.child.on('spawn', () => this.emit('spawn'));
  }

  get pid(): number | undefined {
    return this.child.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined;
  }

  postMessage(data: unknown, transfer: readonly MessagePortMain[] = []): void {
    const ports = transfer.map((port) => {
      lastPort += 1;
      const id = lastPort;
      this.ports.set(id, port);
      port.transfer({
        send: (message) => this.post({ to: 'port', port: id, data: message }),
        close: () => this.post({ to: 'close', port: id }),
      });
      return id;
    });
    this.post({ to: 'parent', data: structuredClone(data), ports });
  }

  kill(): boolean {
    return this.child.kill();
  }

  private post(packet: Packet): void {
    if (this.child.connected) this.child.send(packet);
  }

  private hear(packet: Packet): void {
    if (packet.to === 'parent') this.emit('message', packet.data);
    else if (packet.to === 'port') this.ports.get(packet.port)?.postMessage(packet.data);
    else this.ports.get(packet.port)?.close();
  }
}

let newest: UtilityProcess | null = null;
export const utilityProcess = {
  fork: (
    file: string,
    args: readonly string[] = [],
    options: { readonly env?: NodeJS.ProcessEnv } = {},
  ): UtilityProcess => {
    newest = new UtilityProcess(file, args, options.env ?? process.env);
    return newest;
  },
};
offer('utilityPid', () => newest?.pid);
