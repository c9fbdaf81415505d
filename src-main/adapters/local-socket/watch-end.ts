import net from 'node:net';
import { WebSocket } from 'ws';
import type { Disposable } from '../../core/ports/world.ts';

/** Holds a connection to the hub that listens at `path`, and calls back once when it is gone. */
export function watchHubEnd(path: string, ended: () => void): Disposable {
  const socket = new WebSocket('ws://signalbox/', {
    createConnection: () => net.connect(path),
    perMessageDeflate: false,
  });
  let isDisposed = false;
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    if (!isDisposed) ended();
  });
  return {
    dispose: () => {
      isDisposed = true;
      socket.terminate();
    },
  };
}
