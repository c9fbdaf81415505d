/**
 * What the page gets of Electron: one function for typed calls and one for subscriptions. Built to one CommonJS file
 * that requires `electron` alone, as a sandboxed preload has to be.
 */
import { contextBridge, ipcRenderer } from 'electron';

// Not imported: its schemas would bring zod into every page.
const CALL = 'api.call';
const SUBSCRIBE = 'api.subscribe';
const UNSUBSCRIBE = 'api.unsubscribe';
const EVENT = 'api.event';

const listeners = new Map<number, (event: unknown) => void>();
let last = 0;

ipcRenderer.on(EVENT, (_event, id: number, event: unknown) => listeners.get(id)?.(event));

contextBridge.exposeInMainWorld('signalbox', {
  call: (kind: 'query' | 'mutation', name: string, input: unknown): Promise<unknown> =>
    ipcRenderer.invoke(CALL, { kind, name, input }),
  subscribe: (name: string, input: unknown, listener: (event: unknown) => void): (() => void) => {
    last += 1;
    const id = last;
    listeners.set(id, listener);
    ipcRenderer.send(SUBSCRIBE, { id, name, input });
    return () => {
      if (listeners.delete(id)) ipcRenderer.send(UNSUBSCRIBE, { id });
    };
  },
});
