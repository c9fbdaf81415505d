import type { CoreDeps } from '../../src-main/core/ports/deps.ts';
import type { Workspaces } from '../../src-main/core/ports/workspaces.ts';
import type { Actor } from '../../src-main/core/services.ts';
import { sha256 } from '../../src-main/adapters/sha256.ts';
import { openStore, type SqliteStores } from '../../src-main/store/open-store.ts';
import { DEFAULT_AGENT } from '../../src-shared/model/agent.ts';
import type { AttemptId, RunId, SessionId } from '../../src-shared/ids.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { LedgerEntry } from '../../src-shared/model/ledger-entry.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Launch, Task, Turn } from '../../src-shared/model/task.ts';
import { microUsd } from '../../src-shared/money.ts';
import { epochMs } from '../../src-shared/time.ts';
import { makeProject } from './core-builders.ts';
import { FakeClock } from './fake-clock.ts';
import { makeTempFolder } from './temp-folder.ts';
import { TestIds } from './test-ids.ts';

export const PERSON: Actor = { name: 'asha', via: 'cli' };

/**
 * A real store in a temp folder, a clock that stands still, and fakes for what the services ask of the world.
 * What the fakes were told is in `removedTrees`, `removedArtifacts`, `changed`.
 */
export class ServiceWorld implements Disposable {
  readonly clock = new FakeClock();
  readonly ids = new TestIds();
  readonly stores: SqliteStores;
  readonly removedTrees: string[] = [];
  readonly removedArtifacts: string[] = [];
  readonly changed: string[] = [];
  /** What `inspectRepository` finds, by path; a path that is not there throws what the test puts in. */
  readonly repositories = new Map<string, Awaited<ReturnType<Workspaces['inspectRepository']>>>();
  /** Accounts that cannot be used, with what is wrong. */
  readonly unusableAccounts = new Map<string, string>();
  /** Called at the start of each tree removal, to let something happen meanwhile. */
  onRemoveTree: (taskId: string) => void | Promise<void> = () => {};
  artifactFails = false;
  readonly #temp = makeTempFolder('services');

  constructor() {
    this.stores = openStore({ folder: this.#temp.path, clock: this.clock, ids: this.ids });
    this.stores.agents.put(DEFAULT_AGENT);
  }

  /** @param isHub false as for a command that acts without a hub */
  deps(isHub = true): CoreDeps {
    const { stores, clock, ids } = this;
    const unused = (name: string): never => {
      throw new Error(`${name} is not for these tests`);
    };
    const workspaces: Partial<Workspaces> = {
      inspectRepository: (path, base) => {
        const found = this.repositories.get(path);
        if (found === undefined) return Promise.reject(new Error(`no repository at ${path}`));
        return Promise.resolve({ ...found, baseBranch: base ?? found.baseBranch });
      },
      remove: async (of) => {
        await this.onRemoveTree(of.taskId);
        this.removedTrees.push(of.taskId);
        const tree = stores.trees.get(of.taskId);
        if (tree !== null) stores.trees.put({ ...tree, state: 'removed' });
        return { kept: null };
      },
      abandon: ({ taskId }) => {
        const tree = stores.trees.get(taskId);
        if (tree !== null) stores.trees.put({ ...tree, state: 'removed' });
        return Promise.resolve({ leftIn: `/leftovers/${taskId}` });
      },
    };
    return {
      stores,
      clock,
      ids,
      isHub,
      hash: sha256,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      workspaces: workspaces as Workspaces,
      commands: {
        start: () => unused('start'),
        confinement: () => unused('confinement'),
        reapAccount: () => unused('reapAccount'),
        revokeGrants: () => unused('revokeGrants'),
        checkAccount: (name) => Promise.resolve(this.unusableAccounts.get(name) ?? null),
      },
      artifacts: {
        write: () => unused('write'),
        read: () => unused('read'),
        remove: (hash) => {
          if (this.artifactFails) return Promise.reject(new Error('EIO'));
          this.removedArtifacts.push(hash);
          return Promise.resolve();
        },
      },
      feed: {
        taskChanged: (id) => this.changed.push(id),
        itemChanged: (number) => this.changed.push(String(number)),
        projectChanged: (id) => this.changed.push(id),
        hubChanged: () => this.changed.push('hub'),
      },
      get processes() {
        return unused('processes');
      },
      get guardian() {
        return unused('guardian');
      },
      get killFile() {
        return unused('killFile');
      },
      get disk() {
        return unused('disk');
      },
      get executor() {
        return unused('executor');
      },
    };
  }

  addRepository(path: string, name = path.split('/').at(-1) ?? path): void {
    this.repositories.set(path, {
      facts: { ...makeProject().facts, root: path, gitDir: `${path}/.git` },
      baseBranch: 'main',
      name,
      setupInputs: ['package-lock.json'],
      sandboxRead: ['/home/asha/.nvm'],
    });
  }

  addProject(given: Parameters<typeof makeProject>[0] = {}): Project {
    const project = makeProject(given);
    this.stores.projects.insert(project);
    return project;
  }

  addTask(project: Project, given: Partial<Omit<Task, 'number'>> = {}): Task {
    const now = this.clock.now();
    return this.stores.tasks.insert({
      id: this.ids.next('task'),
      projectId: project.id,
      title: 'round the totals',
      description: 'of the fake invoice',
      state: 'ready',
      position: this.stores.tasks.endOfQueue(project.id),
      runId: null,
      endedReason: null,
      createdAt: now,
      updatedAt: now,
      readyAt: now,
      ...given,
    });
  }

  addItem(task: Task, given: Partial<Omit<Item, 'number'>> = {}): Item {
    return this.stores.items.insert({
      kind: 'specify',
      state: 'open',
      projectId: task.projectId,
      taskId: task.id,
      runId: task.runId,
      raisedBy: 'claude',
      raisedAt: this.clock.now(),
      cause: null,
      question: 'Round to 2 places?',
      options: [],
      summary: '',
      cycle: 1,
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
  }

  /** A turn with one process that ran from `from` to `to` (milliseconds) and cost so much. */
  addTurn(
    task: Task,
    given: {
      readonly from: number;
      readonly to: number | null;
      readonly costMicroUsd?: number;
      readonly costBasis?: Turn['costBasis'];
      readonly launch?: Partial<Launch>;
    },
  ): Turn {
    const project = this.stores.projects.get(task.projectId);
    const startedAt = epochMs(given.from);
    const endedAt = given.to === null ? null : epochMs(given.to);
    const attempt = this.stores.attempts.ofTask(task.id)[0]?.id ?? this.addAttempt(task);
    const turn: Turn = {
      id: this.ids.next('turn'),
      attemptId: attempt,
      runId: this.stores.runs.ofTask(task.id)[0]?.id as RunId,
      taskId: task.id,
      projectId: task.projectId,
      agent: project?.settings.agent ?? 'claude',
      number: this.stores.turns.ofTask(task.id).length + 1,
      kind: 'start',
      sessionId: this.ids.sessionId(),
      prompt: 'do it',
      deliveryId: this.ids.deliveryId(),
      item: null,
      state: endedAt === null ? 'running' : 'settled',
      outcome: endedAt === null ? null : 'done',
      reservedMicroUsd: microUsd(500_000),
      costMicroUsd: microUsd(given.costMicroUsd ?? 0),
      totalMicroUsd: null,
      costBasis: given.costBasis ?? (endedAt === null ? 'none' : 'reported'),
      startedAt,
      endedAt,
    };
    this.stores.turns.insert(turn);
    this.stores.launches.insert({
      id: this.ids.next('launch'),
      turnId: turn.id,
      taskId: task.id,
      projectId: task.projectId,
      agent: turn.agent,
      ownerMark: `${this.stores.hubId}:${attempt}`,
      pid: 4711,
      processStart: '1',
      argv: [],
      state: endedAt === null ? 'delivered' : 'ended',
      isCall: true,
      localDay: this.clock.localDay(startedAt),
      exitCode: null,
      signal: null,
      startedAt,
      endedAt,
      ...given.launch,
    });
    return turn;
  }

  addTree(task: Task): void {
    this.stores.trees.put({
      taskId: task.id,
      projectId: task.projectId,
      path: `/trees/${task.id}`,
      branch: `signalbox/${task.number}-round`,
      baseCommit: 'a'.repeat(40),
      mark: 'mark',
      lastCommit: 'a'.repeat(40),
      setupHash: null,
      state: 'active',
      createdAt: this.clock.now(),
    });
  }

  /** Kind and data of ledger entries, oldest first. */
  ledger(kind?: string): readonly Pick<LedgerEntry, 'kind' | 'data'>[] {
    const entries = this.stores.ledger.page(kind === undefined ? {} : { kind });
    return entries.map((entry) => ({ kind: entry.kind, data: entry.data }));
  }

  [Symbol.dispose](): void {
    this.stores.dispose();
    this.#temp.dispose();
  }

  private addAttempt(task: Task): AttemptId {
    const run = this.ids.next('run');
    const now = this.clock.now();
    const sessionId: SessionId = this.ids.sessionId();
    this.stores.runs.insert({
      id: run,
      taskId: task.id,
      workflow: 'relay',
      state: 'running',
      step: 'work',
      nextTurn: null,
      sessionId,
      baseCommit: null,
      commit: null,
      questions: 0,
      extraQuestions: 0,
      countedAttempts: 0,
      pendingChanges: { remove: [], rename: [], summary: '' },
      startedAt: now,
      endedAt: null,
    });
    const id = this.ids.next('attempt');
    this.stores.attempts.insert({
      id,
      runId: run,
      taskId: task.id,
      step: 'work',
      number: 1,
      state: 'running',
      sessionId,
      model: 'sonnet',
      endedReason: null,
      startedAt: now,
      endedAt: null,
    });
    return id;
  }
}
