/** What Electron would show outside of windows: kept for a test, which can click it. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { offer, tell } from './control.ts';

export interface MenuItem {
  readonly id?: string;
  readonly label?: string;
  readonly type?: string;
  readonly checked?: boolean;
  readonly enabled?: boolean;
  readonly submenu?: MenuItem[];
  readonly click?: () => void;
}

export class Menu {
  static applicationMenu: Menu | null | undefined;
  readonly items: readonly MenuItem[];

  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }

  static buildFromTemplate(template: readonly MenuItem[]): Menu {
    // As Linux takes it: later changes of the template change nothing.
    return new Menu(structure(template));
  }

  static setApplicationMenu(menu: Menu | null): void {
    Menu.applicationMenu = menu;
  }

  find(id: string): MenuItem | null {
    const within = (items: readonly MenuItem[]): MenuItem | null => {
      for (const item of items) {
        if (item.id === id) return item;
        const found = within(item.submenu ?? []);
        if (found !== null) return found;
      }
      return null;
    };
    return within(this.items);
  }
}

const structure = (items: readonly MenuItem[]): MenuItem[] =>
  items.map((item) => ({
    ...item,
    ...(item.submenu === undefined ? {} : { submenu: structure(item.submenu) }),
  }));
const shown = (items: readonly MenuItem[]): unknown[] =>
  items.map(({ click: _click, submenu, ...item }) => ({
    ...item,
    ...(submenu === undefined ? {} : { submenu: shown(submenu) }),
  }));

export const nativeImage = {
  createFromPath: (file: string) => ({ file, isEmpty: () => !existsSync(file) }),
};
export const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColors: false });

let tray: Tray | null = null;
export class Tray extends EventEmitter {
  image: string;
  toolTip = '';
  menu: Menu | null = null;

  constructor(image: string | { file: string }) {
    super();
    this.image = typeof image === 'string' ? image : image.file;
    if (!existsSync(this.image)) throw new Error(`Failed to load image from path '${this.image}'`);
    tray = this;
  }

  setImage(image: string | { file: string }): void {
    this.image = typeof image === 'string' ? image : image.file;
    if (!existsSync(this.image)) throw new Error(`Failed to load image from path '${this.image}'`);
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setTitle(): void {}

  setContextMenu(menu: Menu): void {
    this.menu = menu;
    tell('tray');
  }

  destroy(): void {
    tray = null;
  }
}
offer('tray', () =>
  tray === null ? null : { image: tray.image, toolTip: tray.toolTip, menu: shown(tray.menu?.items ?? []) },
);
offer('clickTray', () => tray?.emit('click'));
offer('clickMenu', (id: string) => {
  const item = tray?.menu?.find(id) ?? null;
  if (item?.click === undefined) throw new Error(`The tray's menu has no item ${id}.`);
  item.click();
});

interface NotificationOptions {
  readonly id?: string;
  readonly title?: string;
  readonly body?: string;
  readonly silent?: boolean;
  readonly actions?: readonly { readonly text?: string }[];
  readonly hasReply?: boolean;
}
const notifications: Notification[] = [];
let brokenNotifications: string | null = null;

export class Notification extends EventEmitter {
  readonly options: NotificationOptions;
  isClosed = false;

  constructor(options: NotificationOptions) {
    super();
    this.options = options;
  }

  static isSupported(): boolean {
    return true;
  }

  static handleActivation(): void {}

  static remove(id: string): void {
    for (const each of notifications) if (each.options.id === id) each.isClosed = true;
  }

  show(): void {
    if (brokenNotifications !== null) {
      setImmediate(() => this.emit('failed', {}, brokenNotifications));
      return;
    }
    notifications.push(this);
    setImmediate(() => this.emit('show', {}));
    tell('notification', this.options.title);
  }

  close(): void {
    this.isClosed = true;
  }
}
offer('notifications', () =>
  notifications.map(({ options, isClosed }) => ({
    ...options,
    actions: options.actions?.map(({ text }) => text),
    isClosed,
  })),
);
offer('breakNotifications', (problem: string | null) => {
  brokenNotifications = problem;
});
offer('actOnNotification', (title: string, act: { kind: string; action?: string; text?: string }) => {
  const found = notifications.findLast((each) => each.options.title === title);
  if (found === undefined) throw new Error(`There is no notification "${title}".`);
  if (act.kind === 'click') found.emit('click', {});
  else if (act.kind === 'reply') found.emit('reply', { reply: act.text });
  else {
    const actionIndex = found.options.actions?.findIndex(({ text }) => text === act.action) ?? -1;
    if (actionIndex === -1) throw new Error(`"${title}" has no button "${act.action}".`);
    found.emit('action', { actionIndex });
  }
});

/** Answers that tests have laid out for dialogs to come; without one a dialog waits for ever, as on a screen. */
const answers: number[] = [];
const dialogs: unknown[] = [];
const box = (options: unknown): Promise<{ response: number }> => {
  dialogs.push(options);
  tell('dialog', options);
  const response = answers.shift();
  return response === undefined ? new Promise(() => undefined) : Promise.resolve({ response });
};
export const dialog = {
  showMessageBox: (...args: unknown[]) => box(args.at(-1)),
  showErrorBox: (message: string, detail: string) => {
    dialogs.push({ message, detail });
    tell('dialog', { message, detail });
  },
};
offer('dialogs', () => dialogs);
offer('answerNextDialog', (response: number) => void answers.push(response));

const opened: string[] = [];
export const shell = {
  openExternal: (url: string) => Promise.resolve(void opened.push(url)),
  openPath: (file: string) => Promise.resolve((opened.push(file), '')),
};
offer('opened', () => opened);

const shortcuts = new Map<string, () => void>();
export const globalShortcut = {
  register: (keys: string, pressed: () => void) => shortcuts.set(keys, pressed).size > 0,
  unregister: (keys: string) => void shortcuts.delete(keys),
  unregisterAll: () => shortcuts.clear(),
};
offer('pressShortcut', (keys: string) => {
  const pressed = shortcuts.get(keys);
  if (pressed === undefined) throw new Error(`Nobody wants ${keys}.`);
  pressed();
});

let lastBlocker = 0;
const blockers = new Set<number>();
export const powerSaveBlocker = {
  start: () => {
    lastBlocker += 1;
    blockers.add(lastBlocker);
    return lastBlocker;
  },
  stop: (id: number) => void blockers.delete(id),
};
export const powerMonitor = new EventEmitter();
offer('isAwake', () => blockers.size > 0);
offer('emitPower', (event: string) => void powerMonitor.emit(event));
export const crashReporter = { start: () => undefined };
