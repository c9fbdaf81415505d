import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { csvRow } from '../../../src-main/adapters/csv/csv-row.ts';
import { createMessageHandler } from '../../../src-main/adapters/local-socket/message-handler.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import type { ApiContext } from '../../../src-main/api/context.ts';
import { createEventFeed } from '../../../src-main/api/event-feed.ts';
import { appRouter } from '../../../src-main/api/router.ts';
import { createAccess } from '../../../src-main/hosts/web/access.ts';
import { startWebServer, type WebServer } from '../../../src-main/hosts/web/http-server.ts';
import { createSite } from '../../../src-main/hosts/web/site.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { ApiWorld } from '../../support/api-world.ts';
import { done, EngineWorld, exited, question, type ScriptedTurn } from '../../support/engine-world.ts';
import { makeTempFolder, type TempFolder } from '../../support/temp-folder.ts';
import { WINDOW_FOLDER } from './build-window.ts';

/** How often the hub's time is moved on to that of the browser. */
const TICK_MS = 25;
export const COMMIT = 'c0ffee1'.padEnd(40, '0');

/**
 * A hub with a real store, the whole core and the web host, in the process of the test; agents, git and test commands
 * are played. Its clock goes with that of the machine, and can be moved on.
 */
export class InboxStand {
  readonly world: EngineWorld;
  web: WebServer;
  readonly #serve: (port: number) => Promise<WebServer>;
  readonly #access: ReturnType<typeof createAccess>;
  readonly #folder: TempFolder;
  readonly #ticking: NodeJS.Timeout;
  readonly #machine: ApiWorld;
  readonly #contextOf: (name: string) => ApiContext;

  private constructor(parts: {
    readonly world: EngineWorld;
    readonly web: WebServer;
    readonly serve: (port: number) => Promise<WebServer>;
    readonly access: ReturnType<typeof createAccess>;
    readonly folder: TempFolder;
    readonly machine: ApiWorld;
    readonly contextOf: (name: string) => ApiContext;
  }) {
    this.world = parts.world;
    this.web = parts.web;
    this.#serve = parts.serve;
    this.#access = parts.access;
    this.#folder = parts.folder;
    this.#machine = parts.machine;
    this.#contextOf = parts.contextOf;
    this.#ticking = setInterval(() => {
      const behind = Date.now() - this.world.clock.now();
      if (behind > 0) this.world.clock.advance(behind);
    }, TICK_MS);
  }

  static async start(): Promise<InboxStand> {
    const folder = makeTempFolder('e2e');
    const feed = createEventFeed(Date.now());
    const world = new EngineWorld(folder.path, { startAt: Date.now(), feed });
    world.workspaces.diff = () => Promise.resolve('');
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const access = createAccess(systemClock, () => randomBytes(32).toString('base64url'));
    // Lends what a call may ask of the machine.
    const machine = new ApiWorld();
    const { deps, core } = world;
    const contextOf = (name: string): ApiContext => ({
      ...machine.context,
      core,
      stores: deps.stores,
      artifacts: deps.artifacts,
      feed,
      clock: deps.clock,
      killFile: deps.killFile,
      log,
      csvRow,
      hub: { pid: process.pid, since: deps.clock.now(), host: 'web', requestStop: () => undefined },
      actor: { name, via: 'web' },
      isAgent: false,
    });
    const handle = createMessageHandler({ router: appRouter, contextOf: ({ name }) => contextOf(name), log });
    const serve = (port: number): Promise<WebServer> =>
      startWebServer({
        port,
        access,
        site: createSite(WINDOW_FOLDER),
        clock: systemClock,
        log,
        admit: (socket) => handle(socket, { name: 'asha', via: 'web', isAgent: false }),
      });
    const web = await serve(0);
    await world.engine.start();
    return new InboxStand({ world, web, serve, access, folder, machine, contextOf });
  }

  /** What the machine says; a test puts in its own. */
  get machine(): ApiWorld['machine'] {
    return this.#machine.machine;
  }

  /** Where a test plays who raises notifications. */
  get notices(): ApiContext['notices'] {
    return this.#contextOf('asha').notices;
  }

  /** Calls as the command line does. */
  get call(): ReturnType<typeof appRouter.createCaller> {
    return appRouter.createCaller(this.#contextOf('asha'));
  }

  /** Opens the window by a one-time link, at a place of it. */
  async open(page: Page, place = '/inbox'): Promise<void> {
    await page.goto(`${this.web.origin}/#token=${this.#access.issueToken()}`);
    await page.getByRole('link', { name: 'Inbox' }).waitFor();
    if (place !== '/inbox') await page.goto(`${this.web.origin}/#${place}`);
  }

  /** The host is not there any more, as when its process has ended; it keeps whom it let in. */
  goAway(): Promise<void> {
    return this.web.close();
  }

  /** It is there again, at the same port. */
  async comeBack(): Promise<void> {
    this.web = await this.#serve(this.web.port);
  }

  project(name: string, given: Parameters<EngineWorld['addProject']>[0] = {}): Project {
    return this.world.addProject({ name, slots: 4, ...given });
  }

  /** A task whose agent asks. @returns its item once that is open */
  async asks(project: Project, title: string, text: string, options: readonly string[] = []): Promise<Item> {
    return this.#raised(project, title, [{ outcome: question(text, options) }]);
  }

  /** A task whose agent has finished. */
  async offers(
    project: Project,
    title: string,
    given: { readonly summary?: string; readonly diff?: string; readonly output?: string } = {},
  ): Promise<Item> {
    this.world.workspaces.commitOutcomes.push({
      kind: 'committed',
      commit: COMMIT,
      files: [{ path: 'a.py', status: 'modified', bytes: 3 }],
      notes: [],
    });
    if (given.diff !== undefined) {
      const { diff } = given;
      this.world.workspaces.diff = () => Promise.resolve(diff);
    }
    if (given.output !== undefined) this.world.commands.outcomes.push(exited(0, given.output));
    return this.#raised(project, title, [{ outcome: done(given.summary ?? 'Done.') }]);
  }

  /** An item that no agent of the engine can raise yet. */
  inserts(project: Project, given: Partial<Item>): Item {
    const item = this.world.stores.items.insert({
      kind: 'review',
      state: 'open',
      projectId: project.id,
      taskId: null,
      runId: null,
      raisedBy: 'signalbox',
      raisedAt: this.world.clock.now(),
      cause: null,
      question: '',
      options: [],
      summary: '',
      cycle: null,
      offer: null,
      actions: [],
      details: [],
      answer: null,
      action: null,
      respondedAt: null,
      respondedBy: null,
      respondedVia: null,
      dispatchAt: null,
      delivery: 'none',
      ...given,
    });
    this.world.deps.feed.itemChanged(item.number);
    return item;
  }

  item(number: ItemNumber): Item {
    return this.world.item(number);
  }

  async #raised(project: Project, title: string, turns: readonly ScriptedTurn[]): Promise<Item> {
    this.world.executor.script.push(...turns);
    const task = this.world.addTask(project.id, title);
    await this.untilOpen(task);
    const [item] = this.world.stores.items.list({ taskId: task.id, states: ['open'] });
    if (item === undefined) throw new Error('no item was raised');
    return item;
  }

  /** Until the task waits for a person. */
  async untilOpen(task: Task): Promise<void> {
    await this.world.until(
      `an item of ${task.title}`,
      () => this.world.stores.items.list({ taskId: task.id, states: ['open'] }).length > 0,
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking);
    await this.web.close();
    await this.world.dispose();
    this.#machine[Symbol.dispose]();
    this.#folder.dispose();
  }
}
