/** Starts the built application on the stand-in, and acts on it as a person and a system would. */
import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { waitUntil } from '../support/wait-until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'out/main/main.js');
const REGISTER = fileURLToPath(new URL('./register.ts', import.meta.url));

export interface MenuEntry {
  readonly id?: string;
  readonly label?: string;
  readonly type?: string;
  readonly checked?: boolean;
  readonly submenu?: readonly MenuEntry[];
}
export interface TrayPicture {
  readonly image: string;
  readonly toolTip: string;
  readonly menu: readonly MenuEntry[];
}
export interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly silent?: boolean;
  readonly actions?: readonly string[];
  readonly hasReply?: boolean;
  readonly isClosed: boolean;
}
export interface LaunchOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Another build than the one in out/, such as a packaged one. */
  readonly main?: string;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Every entry of a menu, those of its submenus included. */
export const entriesOf = (menu: readonly MenuEntry[]): readonly MenuEntry[] =>
  menu.flatMap((entry) => [entry, ...entriesOf(entry.submenu ?? [])]);

export class DesktopApp {
  readonly exit: Promise<number | null>;
  private readonly child: ChildProcess;
  private readonly port: number;
  private readonly waiting = new Map<number, (message: { value?: unknown; error?: string }) => void>();
  private lastAsk = 0;
  private browser: Browser | null = null;
  private stderr = '';

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    child.on('message', (message: { answer?: number; value?: unknown; error?: string }) => {
      if (message.answer === undefined) return;
      this.waiting.get(message.answer)?.(message);
      this.waiting.delete(message.answer);
    });
    this.exit = new Promise((resolve) => {
      child.on('exit', (code) => {
        for (const answer of this.waiting.values())
          answer({ error: `The application has ended.\n${this.stderr}` });
        this.waiting.clear();
        resolve(code);
      });
    });
  }

  static async launch(options: LaunchOptions): Promise<DesktopApp> {
    const port = await freePort();
    const child = fork(options.main ?? MAIN, [...(options.args ?? [])], {
      execArgv: ['--import', REGISTER],
      // As Electron in development, which is given the script as its first word.
      env: { ...options.env, STAND_IN_PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    return new DesktopApp(child, port);
  }

  /** What the application has said on its error output. */
  get output(): string {
    return this.stderr;
  }

  ask<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    this.lastAsk += 1;
    const ask = this.lastAsk;
    return new Promise((resolve, reject) => {
      if (!this.child.connected) {
        reject(new Error(`The application has ended.\n${this.stderr}`));
        return;
      }
      this.waiting.set(ask, ({ value, error }) => {
        if (error === undefined) resolve(value as T);
        else reject(new Error(error));
      });
      this.child.send({ ask, name, args });
    });
  }

  until<T>(what: string, condition: () => Promise<T> | T): Promise<Exclude<T, false | null | undefined>> {
    return waitUntil(what, condition, { withinMs: 30_000, everyMs: 50 }).catch((cause: unknown) => {
      throw new Error(`${String(cause)}\n${this.stderr}`, { cause });
    });
  }

  /** The tray once it is there. */
  tray(): Promise<TrayPicture> {
    return this.until('there is a tray', () => this.ask<TrayPicture | null>('tray'));
  }

  /** Waits until the tray's menu has an entry, and clicks it. */
  async click(id: string): Promise<void> {
    await this.until(`the tray has ${id}`, async () =>
      entriesOf((await this.tray()).menu).some((each) => each.id === id),
    );
    await this.ask('clickMenu', id);
  }

  notification(title: string): Promise<ShownNotification> {
    return this.until(`a notification "${title}"`, async () =>
      (await this.ask<readonly ShownNotification[]>('notifications')).findLast(
        (each) => each.title === title,
      ),
    );
  }

  /** The window's page, seen by a second client of the browser. */
  async page(): Promise<Page> {
    this.browser ??= await this.until('the browser answers', () =>
      chromium.connectOverCDP(`http://127.0.0.1:${this.port}`).catch(() => null),
    );
    const { browser } = this;
    return this.until('the window has a page', () =>
      browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((page) => page.url().includes('.app.localhost')),
    );
  }

  /** SIGTERM, as a system that shuts down. */
  terminate(): void {
    this.child.kill('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser?.close().catch(() => undefined);
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
      await this.exit;
      clearTimeout(timer);
    }
  }
}
