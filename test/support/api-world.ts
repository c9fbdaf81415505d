import type { ApiContext } from '../../src-main/api/context.ts';
import { createEventFeed, type EventFeed } from '../../src-main/api/event-feed.ts';
import { appRouter } from '../../src-main/api/router.ts';
import { csvRow } from '../../src-main/adapters/csv/csv-row.ts';
import { createCore } from '../../src-main/core/create-core.ts';
import type { CoreDeps } from '../../src-main/core/ports/deps.ts';
import { createNoticeTests } from '../../src-main/core/notify/notice-tests.ts';
import type { ScriptedAgent } from '../../src-main/core/notify/self-test.ts';
import type { TurnEvent } from '../../src-main/core/ports/harness.ts';
import type { Machine } from '../../src-main/core/ports/machine.ts';
import type { KillFile, ProcessRef } from '../../src-main/core/ports/world.ts';
import type { Core } from '../../src-main/core/services.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Task, Turn } from '../../src-shared/model/task.ts';
import { epochMs, millis } from '../../src-shared/time.ts';
import { PERSON, ServiceWorld } from './service-world.ts';

/**
 * The API over a real store in a temp folder, called in this process. The world around it stands still: no process
 * runs, no repository is there but those that the test puts in.
 */
export class ApiWorld implements Disposable {
  readonly services = new ServiceWorld();
  readonly feed: EventFeed = createEventFeed(1);
  readonly core: Core;
  /** What `findMarked` finds. */
  readonly marked: ProcessRef[] = [];
  readonly artifacts = new Map<string, string>();
  /** Of a task's work against its base, by task id; a task without one has no tree. */
  readonly diffs = new Map<string, string>();
  /** What the machine says; a test puts in its own. */
  readonly machine: { -readonly [Name in keyof Machine]: Machine[Name] } = {
    places: { dataFolder: '/data', configFolder: '/config', killFile: '/data/KILL' },
    doctor: () => Promise.resolve([]),
    config: () => Promise.resolve({ file: null, values: [] }),
    folders: () => Promise.reject(new AppError('file-unreadable', 'There are no folders here.')),
    repository: () =>
      Promise.reject(new AppError('project-not-a-repository', 'There is no repository here.')),
  };
  /** Of the self-test of notifications. */
  agent: ScriptedAgent = {
    ask: () => Promise.resolve(),
    answer: () => Promise.resolve(),
    end: () => Promise.resolve(),
  };
  context: ApiContext;
  #killed: string | null = null;

  constructor(options: { readonly isAgent?: boolean } = {}) {
    const deps = this.#deps();
    this.core = createCore(deps, { undo: millis(5000), maxProcesses: 4 }).core;
    this.context = {
      core: this.core,
      stores: deps.stores,
      artifacts: deps.artifacts,
      feed: this.feed,
      clock: deps.clock,
      killFile: deps.killFile,
      log: deps.log,
      machine: this.machine,
      notices: {
        tests: createNoticeTests({
          clock: deps.clock,
          newKey: () => deps.ids.deliveryId(),
          noneBecause: () => 'nobody',
        }),
        startAgent: () => this.agent,
      },
      version: '0.0.0-test',
      csvRow,
      hub: { pid: 4711, since: epochMs(0), host: 'hub', requestStop: () => undefined },
      backup: () => Promise.resolve('/backups/1'),
      actor: PERSON,
      isAgent: options.isAgent ?? false,
    };
  }

  /** Calls like a client, with what `context` holds at that moment. */
  get call(): ReturnType<typeof appRouter.createCaller> {
    return appRouter.createCaller(this.context);
  }

  get stores(): ServiceWorld['stores'] {
    return this.services.stores;
  }

  /** Stores events of a turn, at the clock's present moment. */
  addEvents(task: Task, turn: Turn, events: readonly TurnEvent[]): void {
    const at = this.services.clock.now();
    this.stores.events.append(
      events.map((event, seq) => ({ taskId: task.id, turnId: turn.id, seq: seq + 1, at, event })),
      [],
    );
  }

  [Symbol.dispose](): void {
    this.services[Symbol.dispose]();
  }

  #deps(): CoreDeps {
    const base = this.services.deps();
    const killFile: KillFile = {
      read: () => (this.#killed === null ? null : { reason: this.#killed, at: base.clock.now() }),
      write: (reason) => void (this.#killed = reason),
      remove: () => void (this.#killed = null),
      watch: () => ({ dispose: () => undefined }),
    };
    const { stores, clock, ids, hash, log, isHub, commands } = base;
    return {
      stores,
      clock,
      ids,
      hash,
      log,
      isHub,
      commands,
      killFile,
      feed: this.feed,
      artifacts: {
        write: (text) => {
          const name = hash(text);
          this.artifacts.set(name, text);
          return Promise.resolve(name);
        },
        read: (name) => Promise.resolve(this.artifacts.get(name) ?? null),
        remove: () => Promise.resolve(),
      },
      workspaces: {
        ...base.workspaces,
        diff: (of) => {
          const diff = this.diffs.get(of.taskId);
          return diff === undefined
            ? Promise.reject(new AppError('task-tree-missing', 'There is no tree.'))
            : Promise.resolve(diff);
        },
      },
      processes: {
        endTrees: () => Promise.resolve({ ended: [], alive: [] }),
        endAllMarked: () => Promise.resolve({ ended: [], alive: this.marked.map(({ pid }) => pid) }),
        findMarked: () => Promise.resolve(this.marked),
        cpuTime: () => Promise.resolve(null),
        isAlive: () => Promise.resolve(false),
      },
      guardian: {
        start: () => Promise.resolve(),
        lost: new Promise<void>(() => undefined),
        receipts: () => Promise.resolve([]),
        acknowledge: () => Promise.resolve(),
        stop: () => Promise.resolve(),
      },
      disk: { freeBytes: () => null },
      executor: {
        discover: () => Promise.resolve({ kind: 'not-found', searched: [] }),
        loginState: () => Promise.resolve({ kind: 'logged-out' }),
        launch: () => Promise.resolve({ kind: 'not-started', message: 'nothing runs here' }),
        trace: () => Promise.resolve('absent'),
      },
    };
  }
}
