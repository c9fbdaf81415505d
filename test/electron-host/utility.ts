/** Loaded first in a utility process: gives it `process.parentPort`, over Node's own IPC channel. */
import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import { MessageChannelMain, type MessagePortMain, type Packet } from './ports.ts';

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'electron') throw new Error('A utility process has no electron module of this kind.');
    return next(specifier, context);
  },
});

/** Our inner ends, by number: what the other process sends goes in there. */
const inner = new Map<number, MessagePortMain>();
const post = (packet: Packet): void => void process.send?.(packet);

class ParentPort extends EventEmitter {
  postMessage(data: unknown): void {
    post({ to: 'parent', data: structuredClone(data), ports: [] });
  }
}
const parentPort = new ParentPort();
Object.defineProperty(process, 'parentPort', { value: parentPort });
/** Electron keeps messages until somebody listens. */
const early: unknown[] = [];
parentPort.on('newListener', (event) => {
  if (event === 'message')
    setImmediate(() => early.splice(0).forEach((each) => parentPort.emit('message', each)));
});

function openPort(id: number): MessagePortMain {
  const { port1, port2 } = new MessageChannelMain();
  inner.set(id, port1);
  port1.transfer({
    send: (data) => post({ to: 'port', port: id, data }),
    close: () => post({ to: 'close', port: id }),
  });
  return port2;
}

process.on('message', (packet: Packet) => {
  if (packet.to === 'parent') {
    const message = { data: packet.data, ports: packet.ports.map(openPort) };
    if (parentPort.listenerCount('message') === 0) early.push(message);
    else parentPort.emit('message', message);
  } else if (packet.to === 'port') inner.get(packet.port)?.postMessage(packet.data);
  else inner.get(packet.port)?.close();
});
process.on('disconnect', () => process.exit(1));
