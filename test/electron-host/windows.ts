/** Windows are pages in Chromium; the built preload runs in them, IPC goes through Playwright's bindings. */
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserContext, type Page, type Route } from '@playwright/test';
import { app, cancelable, closers } from './app.ts';
import { offer, tell } from './control.ts';

const CHROMIUM = process.env['SIGNALBOX_CHROMIUM'] ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Protocol = (request: Request) => Response | Promise<Response>;
let scheme = 'app';
/** Chromium knows no scheme of ours: each host of it is one below `localhost`, which is a secure origin too. */
const inChromium = (url: string): string =>
  url.replace(new RegExp(`^${scheme}://([^/#?]+)`), `http://$1.${scheme}.localhost`);
const inElectron = (url: string): string =>
  url.replace(new RegExp(`^http://([^/#?]+)\\.${scheme}\\.localhost`), `${scheme}://$1`);

class Session extends EventEmitter {
  readonly handlers = new Map<string, Protocol>();
  beforeRequest:
    ((details: { url: string }, callback: (answer: { cancel?: boolean }) => void) => void) | null = null;
  readonly protocol = {
    handle: (name: string, handler: Protocol) => void this.handlers.set(name, handler),
  };
  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<Session['beforeRequest']>) => {
      this.beforeRequest = handler;
    },
  };
  setPermissionRequestHandler(): void {}
  setPermissionCheckHandler(): void {}
  setDevicePermissionHandler(): void {}
  setDisplayMediaRequestHandler(): void {}
  setSpellCheckerEnabled(): void {}
}
const sessions = new Map<string, Session>();
export const session = {
  fromPartition: (name: string): Session => {
    const found = sessions.get(name) ?? new Session();
    sessions.set(name, found);
    return found;
  },
};
export const protocol = {
  registerSchemesAsPrivileged: ([first]: readonly { readonly scheme: string }[]) => {
    scheme = first?.scheme ?? scheme;
  },
};

type IpcHandler = (event: unknown, ...args: unknown[]) => unknown;
class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, IpcHandler>();
  handle(channel: string, handler: IpcHandler): void {
    this.handlers.set(channel, handler);
  }
  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }
}
export const ipcMain = new IpcMain();

/** What a page knows of Electron before its own scripts run. */
const bridge = (preload: string): string => `(() => {
  if (window.top !== window) return;
  const listeners = new Map();
  window.__receive = (channel, args) => (listeners.get(channel) ?? []).forEach((each) => each({}, ...args));
  const ipcRenderer = {
    on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    send: (channel, ...args) => void window.__send(channel, args),
    invoke: (channel, ...args) => window.__invoke(channel, args),
  };
  const contextBridge = {
    exposeInMainWorld: (name, value) => Object.defineProperty(window, name, { value: Object.freeze(value) }),
  };
  const require = (name) => {
    if (name !== 'electron') throw new Error('A sandboxed preload cannot require ' + name);
    return { contextBridge, ipcRenderer };
  };
  const exports = {};
  ((require, module, exports) => {${preload}
  })(require, { exports }, exports);
})();`;

let opening: Promise<BrowserContext> | null = null;
function browser(): Promise<BrowserContext> {
  opening ??= chromium
    .launchPersistentContext(path.join(app.getPath('sessionData'), 'chromium'), {
      ...(existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {}),
      args: [...ARGUMENTS, `--remote-debugging-port=${process.env['STAND_IN_PORT'] ?? '0'}`],
      viewport: { width: 1280, height: 820 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    .then((context) => {
      for (const page of context.pages()) void page.close();
      return context;
    });
  return opening;
}

interface WebPreferences {
  readonly preload: string;
  readonly session: Session;
}
type OpenHandler = (details: { url: string }) => { action: string };

class WebContents extends EventEmitter {
  page: Page | null = null;
  url = '';
  openHandler: OpenHandler = () => ({ action: 'deny' });

  getURL(): string {
    return this.url;
  }
  isDestroyed(): boolean {
    return this.page?.isClosed() ?? false;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  send(channel: string, ...args: unknown[]): void {
    const ask = ([name, values]: [string, unknown[]]): void =>
      (globalThis as unknown as { __receive(name: string, values: unknown[]): void }).__receive(name, values);
    // A page that goes away in the middle gets nothing, as in Electron.
    this.page?.evaluate(ask, [channel, args] as [string, unknown[]]).catch(() => undefined);
  }
  reload(): void {
    void this.page?.reload();
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = [];
  readonly webContents = new WebContents();
  private readonly made: Promise<Page>;
  private readonly preferences: WebPreferences;
  private isShownNow: boolean;
  private hasFocus = false;

  constructor(options: { readonly show?: boolean; readonly webPreferences: WebPreferences }) {
    super();
    this.preferences = options.webPreferences;
    this.isShownNow = options.show !== false;
    BrowserWindow.all.push(this);
    this.made = this.make();
  }

  isVisible(): boolean {
    return this.isShownNow;
  }
  isFocused(): boolean {
    return this.hasFocus;
  }
  isMinimized(): boolean {
    return false;
  }
  restore(): void {}
  show(): void {
    this.isShownNow = true;
    this.focus();
    tell('window', 'shown');
  }
  hide(): void {
    this.isShownNow = this.hasFocus = false;
    tell('window', 'hidden');
  }
  focus(): void {
    this.hasFocus = true;
  }
  blur(): void {
    this.hasFocus = false;
  }
  getNormalBounds(): { width: number; height: number } {
    return { width: 1280, height: 820 };
  }
  setOverlayIcon(): void {}
  /** As a person does it. @returns whether it is closed */
  close(): boolean {
    const event = cancelable();
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    BrowserWindow.all.splice(BrowserWindow.all.indexOf(this), 1);
    void this.made.then((page) => page.close());
    this.emit('closed');
    if (BrowserWindow.all.length === 0) app.emit('window-all-closed');
    return true;
  }
  async loadURL(url: string): Promise<void> {
    const page = await this.made;
    await page.goto(inChromium(url));
  }

  private async make(): Promise<Page> {
    const context = await browser();
    const page = await context.newPage();
    const contents = this.webContents;
    contents.page = page;
    await page.route('**/*', (route) => this.answer(route, page));
    const sender = (url: string, isTop: boolean) => ({
      sender: contents,
      senderFrame: { url: inElectron(url), parent: isTop ? null : {} },
    });
    await page.exposeBinding('__invoke', ({ frame }, channel: string, args: unknown[]) => {
      const handler = ipcMain.handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return handler(sender(frame.url(), frame === page.mainFrame()), ...args);
    });
    await page.exposeBinding('__send', ({ frame }, channel: string, args: unknown[]) => {
      ipcMain.emit(channel, sender(frame.url(), frame === page.mainFrame()), ...args);
    });
    await page.addInitScript(bridge(readFileSync(this.preferences.preload, 'utf8')));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) contents.url = inElectron(frame.url());
    });
    page.on('load', () => {
      contents.emit('did-finish-load');
      this.emit('ready-to-show');
    });
    // A page may not open windows: each is closed and its address handed to the handler.
    page.on('popup', (popup) => {
      const url = popup.url();
      void popup.close();
      contents.openHandler({ url: inElectron(url) });
    });
    return page;
  }

  private async answer(route: Route, page: Page): Promise<void> {
    const request = route.request();
    const url = inElectron(request.url());
    const isMain = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isMain && page.url() !== 'about:blank') {
      const event = { ...cancelable(), url };
      let isPrevented = false;
      event.preventDefault = () => {
        isPrevented = true;
      };
      this.webContents.emit('will-navigate', event);
      if (isPrevented) return route.abort('aborted');
    }
    if (isMain) {
      this.webContents.emit('did-start-navigation', { url, isMainFrame: true, isSameDocument: false });
    }
    const isCancelled = await new Promise<boolean>((resolve) => {
      const { beforeRequest } = this.preferences.session;
      if (beforeRequest === null) resolve(false);
      else beforeRequest({ url }, ({ cancel }) => resolve(cancel === true));
    });
    const handler = this.preferences.session.handlers.get(URL.parse(url)?.protocol.slice(0, -1) ?? '');
    if (isCancelled || handler === undefined) return route.abort('blockedbyclient');
    const response = await handler(new Request(url, { method: request.method() }));
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  }
}

closers.push(() => [...BrowserWindow.all].every((window) => window.close()));
offer('windows', () =>
  BrowserWindow.all.map((window) => ({
    url: window.webContents.getURL(),
    isVisible: window.isVisible(),
    isFocused: window.isFocused(),
  })),
);
offer('closeWindow', () => BrowserWindow.all[0]?.close());
offer('blurWindow', () => BrowserWindow.all[0]?.blur());
