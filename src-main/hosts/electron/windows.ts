import { BrowserWindow, dialog, shell, type Session, type WebContents } from 'electron';
import type { Log } from '../../core/ports/world.ts';
import { itemOfRoute } from './deep-links.ts';
import type { LinkWords } from './tray-words.ts';
import { APP_URL, decideNewWindow, isOwnUrl } from './window-policy.ts';

export interface WindowDeps {
  readonly preload: string;
  readonly session: Session;
  readonly isPackaged: boolean;
  readonly log: Log;
  words(): LinkWords;
  readonly bounds: {
    load(): { width: number; height: number } | null;
    save(size: { width: number; height: number }): void;
  };
  /** A person closes the window: it hides, or stays where nothing would bring it back. */
  onClose(): 'hide' | 'stay';
  /** A page of ours loads anew or is gone. */
  onPage(contents: WebContents): void;
}

export interface Windows {
  /** Brings the window to the front, on a page of it if one is given. */
  show(route?: string): void;
  /** Whether a person looks at that item. */
  isShown(item: number): boolean;
  isOurs(contents: WebContents): boolean;
  readonly current: BrowserWindow | null;
  readonly isVisible: boolean;
  /** From now on closing closes. */
  letGo(): void;
}

const SIZE = { width: 1280, height: 820 };
const SMALLEST = { minWidth: 800, minHeight: 560 };
const MOST_RELOADS = 3;

/** The one window: made when it is first wanted, hidden when it is closed. */
export function createWindows(deps: WindowDeps): Windows {
  let window: BrowserWindow | null = null;
  let isLeaving = false;
  let reloads = 0;

  /** A link to the web, which our page opens like any other: to the browser, after a question. */
  async function askExternal(parent: BrowserWindow, url: string, host: string): Promise<void> {
    const words = deps.words();
    const { response } = await dialog.showMessageBox(parent, {
      type: 'question',
      message: words.open(host),
      detail: url.length > 500 ? `${url.slice(0, 500)}…` : url,
      buttons: [...words.buttons],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (response === 1) await shell.openExternal(url);
  }

  function guard(made: BrowserWindow): void {
    const contents = made.webContents;
    const stay = (event: { preventDefault(): void }, url: string): void => {
      if (!isOwnUrl(url)) event.preventDefault();
    };
    contents.on('will-navigate', (event) => stay(event, event.url));
    contents.on('will-redirect', (event) => stay(event, event.url));
    contents.on('will-frame-navigate', (event) => stay(event, event.url));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      const decision = decideNewWindow(url);
      if (decision.kind === 'ask') {
        askExternal(made, decision.url, decision.host).catch((error: unknown) =>
          deps.log.warn('a link could not be opened', { error: String(error) }),
        );
      }
      return { action: 'deny' };
    });
    contents.on('render-process-gone', (_event, { reason }) => {
      deps.log.error('the page has ended', { reason });
      deps.onPage(contents);
      reloads += 1;
      if (!isLeaving && reason !== 'clean-exit' && reloads <= MOST_RELOADS) contents.reload();
    });
    // Not when it has loaded: by then the new page has subscribed.
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) deps.onPage(contents);
    });
  }

  function make(route: string): BrowserWindow {
    const made = new BrowserWindow({
      ...SIZE,
      ...deps.bounds.load(),
      ...SMALLEST,
      title: 'Signalbox',
      show: false,
      autoHideMenuBar: true,
      webPreferences: {
        preload: deps.preload,
        session: deps.session,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        plugins: false,
        experimentalFeatures: false,
        spellcheck: false,
        safeDialogs: true,
        disableDialogs: true,
        autoplayPolicy: 'user-gesture-required',
        devTools: !deps.isPackaged,
      },
    });
    guard(made);
    made.once('ready-to-show', () => made.show());
    made.on('close', (event) => {
      const { width, height } = made.getNormalBounds();
      deps.bounds.save({ width, height });
      if (isLeaving) return;
      event.preventDefault();
      if (deps.onClose() === 'hide') made.hide();
    });
    made.on('closed', () => {
      window = null;
    });
    load(made, route);
    return made;
  }

  function load(target: BrowserWindow, route: string): void {
    // Another fragment of the same page does not load it again.
    target
      .loadURL(`${APP_URL}#${route}`)
      .catch((error: unknown) => deps.log.error('the page could not be loaded', { error: String(error) }));
  }

  return {
    show: (route) => {
      if (window === null) {
        window = make(route ?? '/inbox');
        return;
      }
      if (route !== undefined) load(window, route);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    isShown: (item) =>
      window !== null &&
      window.isVisible() &&
      window.isFocused() &&
      itemOfRoute(URL.parse(window.webContents.getURL())?.hash ?? '') === item,
    isOurs: (contents) => window !== null && window.webContents === contents,
    get current() {
      return window;
    },
    get isVisible() {
      return window?.isVisible() ?? false;
    },
    letGo: () => {
      isLeaving = true;
    },
  };
}
