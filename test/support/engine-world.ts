import { createCore } from '../../src-main/core/create-core.ts';
import type { CoreSettings } from '../../src-main/core/create-core.ts';
import type { CommandOutcome, CommandRequest, CommandRunner } from '../../src-main/core/ports/commands.ts';
import type { Stores } from '../../src-main/core/ports/stores.ts';
import type { CoreDeps } from '../../src-main/core/ports/deps.ts';
import type {
  Executor,
  LaunchResult,
  LoginState,
  RelayTurnRequest,
  SessionTrace,
  StopReason,
  TurnEvent,
  TurnOutcome,
  TurnReport,
} from '../../src-main/core/ports/harness.ts';
import type { EndReceipt, KillFile, StoredReceipt } from '../../src-main/core/ports/world.ts';
import type {
  CommitOutcome,
  MergeOutcome,
  PrepareOutcome,
  Workspaces,
} from '../../src-main/core/ports/workspaces.ts';
import type { Actor, Core, Engine } from '../../src-main/core/services.ts';
import { sha256 } from '../../src-main/adapters/sha256.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import type { ItemNumber, ProjectId, TaskId } from '../../src-shared/ids.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Task } from '../../src-shared/model/task.ts';
import { microUsd } from '../../src-shared/money.ts';
import { epochMs, millis } from '../../src-shared/time.ts';
import { makeProject } from './core-builders.ts';
import { FakeClock } from './fake-clock.ts';
import { TestIds } from './test-ids.ts';

export const PERSON: Actor = { name: 'asha', via: 'cli' };
export const WINDOW: Actor = { name: 'asha', via: 'web' };

/** What the fake harness does with one prompt. `hold` keeps the turn open until the test ends or stops it. */
export type ScriptedTurn =
  | { readonly outcome: TurnOutcome; readonly events?: readonly TurnEvent[] }
  | { readonly hold: true; readonly events?: readonly TurnEvent[] }
  | { readonly byPrompt: true; readonly events?: readonly TurnEvent[] }
  | { readonly refuseToStart: string };

export interface SentPrompt {
  readonly request: RelayTurnRequest;
  readonly prompt: string;
}

export const report = (given: Partial<TurnReport> = {}): TurnReport => ({
  sessionId: null,
  subtype: 'success',
  isError: false,
  numTurns: 2,
  durationMs: 222,
  totalMicroUsd: null,
  turnMicroUsd: microUsd(2900),
  usageByModel: [],
  denials: [],
  ...given,
});

export const done = (summary = 'Done.'): TurnOutcome => ({
  kind: 'done',
  summary,
  remove: [],
  rename: [],
  report: report(),
});
export const question = (
  text = 'Round to 2 places?',
  options: readonly string[] = ['yes', 'no'],
): TurnOutcome => ({
  kind: 'question',
  question: text,
  options,
  summary: 'Asking.',
  report: report(),
});

/** A harness that plays turns from a list, keeps what it was sent, and can be cut at any moment. */
export class FakeExecutor implements Executor {
  readonly sent: SentPrompt[] = [];
  readonly requests: RelayTurnRequest[] = [];
  login: LoginState = { kind: 'logged-in', method: 'api_key' };
  /** Answers `trace`; by default a session is known once a prompt was sent in it, and every id stands there. */
  traceOf: ((sessionId: string, deliveryId: string) => SessionTrace) | null = null;
  script: ScriptedTurn[] = [];
  live = 0;
  private readonly stops = new Set<(reason: StopReason) => void>();

  discover() {
    return Promise.resolve({ kind: 'found' as const, executable: '/usr/bin/claude', version: '2.1.332' });
  }

  loginState() {
    return Promise.resolve(this.login);
  }

  trace(sessionId: string, _cwd: string, deliveryId: string): Promise<SessionTrace> {
    if (this.traceOf !== null) return Promise.resolve(this.traceOf(sessionId, deliveryId));
    const inSession = this.sent.filter((each) => each.request.sessionId === sessionId);
    if (inSession.length === 0) return Promise.resolve('no-session');
    return Promise.resolve(inSession.some((each) => each.prompt.includes(deliveryId)) ? 'present' : 'absent');
  }

  launch(request: RelayTurnRequest): Promise<LaunchResult> {
    this.requests.push(request);
    const turn: ScriptedTurn = this.script.shift() ?? { byPrompt: true };
    if ('refuseToStart' in turn) return Promise.resolve({ kind: 'not-started', message: turn.refuseToStart });
    let end: (outcome: TurnOutcome) => void = () => undefined;
    const outcome = new Promise<TurnOutcome>((resolve) => (end = resolve));
    let written: () => void = () => undefined;
    const prompted = new Promise<void>((resolve) => (written = resolve));
    const stop = (reason: StopReason): void => {
      written();
      end({ kind: 'interrupted', by: reason, report: null });
    };
    this.stops.add(stop);
    this.live += 1;
    void outcome.then(() => {
      this.live -= 1;
      this.stops.delete(stop);
    });
    const events = async function* (): AsyncIterable<TurnEvent> {
      await prompted;
      yield* turn.events ?? [];
      await outcome;
    };
    return Promise.resolve({
      kind: 'launched',
      turn: {
        process: { pid: 4000 + this.requests.length, processStart: '1', argv: ['claude', '-p'] },
        events: events(),
        outcome,
        stop: (reason) => {
          stop(reason);
          return Promise.resolve();
        },
        writePrompt: (prompt) => {
          this.sent.push({ request, prompt });
          written();
          if ('outcome' in turn) end(turn.outcome);
          if ('byPrompt' in turn) end(this.outcomeFor(prompt));
          return Promise.resolve(true);
        },
      },
    });
  }

  /** What an unscripted turn ends with; a test's own harness may read the prompt. */
  protected outcomeFor(_prompt: string): TurnOutcome {
    return done();
  }

  /** Ends every held turn. */
  endAll(reason: StopReason): void {
    for (const stop of this.stops) stop(reason);
  }
}

/** Trees that are always there; outcomes can be set. Keeps the order of calls. */
export class FakeWorkspaces implements Workspaces {
  readonly calls: string[] = [];
  prepareOutcome: PrepareOutcome | null = null;
  commitOutcomes: CommitOutcome[] = [];
  mergeOutcomes: (MergeOutcome | { readonly kind: 'base-moved'; readonly base: string })[] = [];
  private made = 0;
  private readonly gone: (taskId: TaskId) => void;

  constructor(gone: (taskId: TaskId) => void) {
    this.gone = gone;
  }

  inspectRepository(): never {
    throw new Error('not needed here');
  }
  prepare: Workspaces['prepare'] = (of) => {
    this.calls.push('prepare');
    return Promise.resolve(
      this.prepareOutcome ?? {
        kind: 'ready',
        tree: { path: `/trees/${of.taskId}`, branch: `signalbox/${of.taskNumber}`, baseCommit: 'base0' },
        isNew: false,
        needsSetup: of.project.settings.setupCommand !== undefined,
      },
    );
  };
  recreate: Workspaces['recreate'] = (of) => {
    this.calls.push('recreate');
    this.prepareOutcome = null;
    return this.prepare(of);
  };
  setupDone = () => Promise.resolve();
  commit: Workspaces['commit'] = () => {
    this.calls.push('commit');
    this.made += 1;
    return Promise.resolve(
      this.commitOutcomes.shift() ?? {
        kind: 'committed',
        commit: `commit${this.made}`,
        files: [{ path: 'a.py', status: 'modified', bytes: 3 }],
        notes: [],
      },
    );
  };
  restoreAfterTests = () => Promise.resolve({ restored: [], moved: [] });
  baseHead = () => Promise.resolve('base0');
  mergePreview: Workspaces['mergePreview'] = () =>
    Promise.resolve({ kind: 'clean', commit: 'preview1', base: 'base1' });
  layConflict: Workspaces['layConflict'] = (_of, commit) => {
    this.calls.push(`lay conflict of ${commit}`);
    return Promise.resolve(null);
  };
  merge: Workspaces['merge'] = (_of, commit, base) => {
    this.calls.push(`merge ${commit} on ${base}`);
    return Promise.resolve(
      this.mergeOutcomes.shift() ?? { kind: 'merged', commit: 'merge1', baseBefore: base },
    );
  };
  diff = () => Promise.resolve('');
  abandon: Workspaces['abandon'] = () => Promise.resolve({ leftIn: null });
  remove: Workspaces['remove'] = (of) => {
    this.calls.push('remove');
    this.gone(of.taskId);
    return Promise.resolve({ kept: null });
  };
  kept = () => Promise.resolve([]);
  restore: Workspaces['restore'] = () => Promise.resolve({ branch: 'restored', commit: 'kept1' });
  recover = () => Promise.resolve();
}

export class FakeCommands implements CommandRunner {
  readonly requests: CommandRequest[] = [];
  outcomes: CommandOutcome[] = [];

  start(request: CommandRequest) {
    this.requests.push(request);
    request.started({ pid: 5000, processStart: '1' });
    return {
      outcome: Promise.resolve(this.outcomes.shift() ?? exited(0)),
      stop: () => Promise.resolve(),
    };
  }
  confinement = () => Promise.resolve({ kind: 'bubblewrap' as const, problem: null });
  /** Accounts that cannot be used, with what is wrong. */
  readonly unusableAccounts = new Map<string, string>();
  checkAccount = (name: string) => Promise.resolve(this.unusableAccounts.get(name) ?? null);
  reapAccount = () => Promise.resolve(true);
  revokeGrants = () => Promise.resolve();
}

export const exited = (exitCode: number, tail = ''): CommandOutcome => ({
  kind: 'exited',
  exitCode,
  signal: null,
  durationMs: 12,
  confinement: 'bubblewrap',
  outputHash: 'a'.repeat(64),
  outputBytes: tail.length,
  tail,
});

class MemoryKillFile implements KillFile {
  private content: { reason: string; at: ReturnType<typeof epochMs> } | null = null;
  read = () => this.content;
  write = (reason: string): void => {
    this.content = { reason, at: epochMs(0) };
  };
  remove = (): void => {
    this.content = null;
  };
  watch = () => ({ dispose: () => undefined });
}

/** The whole core over a real database, with harness, git and commands played. */
export class EngineWorld {
  readonly clock: FakeClock;
  readonly executor: FakeExecutor;
  readonly commands = new FakeCommands();
  readonly killFile = new MemoryKillFile();
  readonly workspaces: FakeWorkspaces;
  readonly stores: Stores;
  private readonly closeStore: () => void;
  readonly core: Core;
  readonly engine: Engine;
  readonly errors: string[] = [];
  receipts: StoredReceipt[] = [];
  freeBytes: number | null = null;
  readonly deps: CoreDeps;
  private readonly ids: TestIds;

  /**
   * @param options `executor` carries a harness over a crash, `wrap` sees every call of the store first
   */
  constructor(
    folder: string,
    options: {
      readonly seed?: number;
      readonly settings?: Partial<CoreSettings>;
      readonly executor?: FakeExecutor;
      readonly wrap?: (stores: Stores) => Stores;
      /** Wall time at the start; the fake clock's own unless given. */
      readonly startAt?: number;
      /** Is told of changes. */
      readonly feed?: CoreDeps['feed'];
      /** Real git in place of the played one. */
      readonly workspaces?: (world: Pick<CoreDeps, 'stores' | 'clock' | 'ids'>) => Workspaces;
    } = {},
  ) {
    this.ids = new TestIds(options.seed ?? 0);
    this.clock = new FakeClock(options.startAt);
    this.executor = options.executor ?? new FakeExecutor();
    const opened = openStore({ folder, clock: this.clock, ids: this.ids });
    this.closeStore = () => opened.dispose();
    this.stores = options.wrap?.(opened) ?? opened;
    this.workspaces = new FakeWorkspaces((taskId) => {
      const tree = this.stores.trees.get(taskId);
      if (tree !== null) this.stores.trees.put({ ...tree, state: 'removed' });
    });
    const none: EndReceipt = { ended: [], alive: [] };
    this.deps = {
      stores: this.stores,
      clock: this.clock,
      ids: this.ids,
      hash: sha256,
      log: {
        info: () => undefined,
        warn: (message, fields) => this.errors.push(`${message} ${JSON.stringify(fields)}`),
        error: (message, fields) => this.errors.push(`${message} ${JSON.stringify(fields)}`),
      },
      processes: {
        endTrees: () => Promise.resolve(none),
        endAllMarked: () => Promise.resolve(none),
        findMarked: () => Promise.resolve([]),
        cpuTime: () => Promise.resolve(millis(0)),
        isAlive: () => Promise.resolve(false),
      },
      guardian: {
        start: () => Promise.resolve(),
        lost: new Promise<void>(() => undefined),
        receipts: () => Promise.resolve([...this.receipts]),
        acknowledge: (receipt) => {
          this.receipts = this.receipts.filter((each) => each.id !== receipt.id);
          return Promise.resolve();
        },
        stop: () => Promise.resolve(),
      },
      killFile: this.killFile,
      artifacts: {
        write: (text) => Promise.resolve(sha256(text)),
        read: () => Promise.resolve(null),
        remove: () => Promise.resolve(),
      },
      disk: { freeBytes: () => this.freeBytes },
      executor: this.executor,
      commands: this.commands,
      workspaces:
        options.workspaces?.({ stores: this.stores, clock: this.clock, ids: this.ids }) ?? this.workspaces,
      feed: options.feed ?? {
        taskChanged: () => undefined,
        itemChanged: () => undefined,
        projectChanged: () => undefined,
        hubChanged: () => undefined,
      },
      isHub: true,
    };
    const built = createCore(this.deps, { undo: millis(5000), maxProcesses: 4, ...options.settings });
    this.core = built.core;
    this.engine = built.engine;
  }

  addProject(given: Parameters<typeof makeProject>[0] = {}): Project {
    const project = makeProject(given);
    this.stores.projects.insert(project);
    return project;
  }

  addTask(projectId: ProjectId, title = 'Round line totals'): Task {
    return this.core.tasks.add(
      { projectId, title, description: 'Sum the line items.', isDraft: false },
      PERSON,
    );
  }

  task(id: TaskId): Task {
    const task = this.stores.tasks.get(id);
    if (task === null) throw new Error(`no task ${id}`);
    return task;
  }

  open(): readonly Item[] {
    return this.stores.items.list({ states: ['open'] });
  }

  item(number: ItemNumber): Item {
    const item = this.stores.items.get(number);
    if (item === null) throw new Error(`no item ${number}`);
    return item;
  }

  ledgerKinds(): readonly string[] {
    return this.stores.ledger.page({}).map((entry) => entry.kind);
  }

  /** Lets promises run until the condition holds; fails after a bound of rounds, never of time. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (let round = 0; round < 2000; round += 1) {
      if (holds()) return;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    throw new Error(`never happened: ${what}; errors: ${this.errors.join('; ')}`);
  }

  async untilState(id: TaskId, state: Task['state']): Promise<void> {
    await this.until(`task ${state} (is ${this.task(id).state})`, () => this.task(id).state === state);
  }

  /** As after SIGKILL: processes end (the guardian's work), nothing is settled. */
  crash(): void {
    this.executor.endAll('hub-stopping');
    this.closeStore();
  }

  async dispose(): Promise<void> {
    this.executor.endAll('hub-stopping');
    await this.engine.stop(100);
    this.clock.advance(200);
    this.closeStore();
  }
}
