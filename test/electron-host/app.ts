import { EventEmitter } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { offer, tell } from './control.ts';

const paths: Record<string, string> = {
  home: os.homedir(),
  appData: process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config'),
  exe: process.execPath,
};
let badge = 0;
let isReady = false;
let isLocked = false;
/** Windows to close when the application quits; the module of windows fills it. */
export const closers: (() => boolean)[] = [];

interface Cancelable {
  preventDefault(): void;
  readonly defaultPrevented: boolean;
}
export function cancelable(): Cancelable {
  let defaultPrevented = false;
  return {
    preventDefault: () => {
      defaultPrevented = true;
    },
    get defaultPrevented() {
      return defaultPrevented;
    },
  };
}

class App extends EventEmitter {
  readonly isPackaged = false;
  name = 'Electron';
  private readonly ready = new Promise<void>((resolve) => {
    // After main has been evaluated: whoever awaits it at the top level waits for ever, as in Electron.
    setTimeout(() => {
      isReady = true;
      resolve();
      this.emit('ready');
    }, 0);
  });

  setName(name: string): void {
    this.name = name;
  }
  setPath(name: string, value: string): void {
    paths[name] = value;
  }
  getPath(name: string): string {
    const found = paths[name];
    if (found === undefined) throw new Error(`Failed to get '${name}' path`);
    return found;
  }
  getLocale(): string {
    return 'en-GB';
  }
  setDesktopName(): void {}
  setToastActivatorCLSID(): void {}
  setAppUserModelId(): void {}
  enableSandbox(): void {
    if (isReady) throw new Error('enableSandbox can only be called before app is ready');
  }
  setAsDefaultProtocolClient(): boolean {
    return true;
  }
  requestSingleInstanceLock(): boolean {
    isLocked = true;
    return true;
  }
  whenReady(): Promise<void> {
    return this.ready;
  }
  setBadgeCount(count: number): boolean {
    badge = count;
    return true;
  }
  quit(): void {
    setImmediate(() => {
      const event = cancelable();
      this.emit('before-quit', event);
      if (event.defaultPrevented || !closers.every((close) => close())) return;
      const last = cancelable();
      this.emit('will-quit', last);
      if (!last.defaultPrevented) this.exit(0);
    });
  }
  exit(code = 0): void {
    tell('exit', code);
    process.exit(code);
  }
}

export const app = new App();
offer('badge', () => badge);
offer('quit', () => app.quit());
offer('secondInstance', (args: readonly string[]) => {
  if (!isLocked) throw new Error('The application asked for no lock.');
  app.emit('second-instance', {}, [], '/', { args });
});
process.on('disconnect', () => process.exit(1));
