import type {
  AttemptId,
  HubId,
  ItemNumber,
  JournalId,
  LaunchId,
  ProjectId,
  RunId,
  SessionId,
  TaskId,
  TaskNumber,
  TestRunId,
  TurnId,
} from '../../../src-shared/ids.ts';
import type { MicroUsd } from '../../../src-shared/money.ts';
import type { Agent } from '../../../src-shared/model/agent.ts';
import type { Hold, HoldKind } from '../../../src-shared/model/hold.ts';
import type { Item, ItemKind, ItemState } from '../../../src-shared/model/item.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Spike } from '../../../src-shared/model/spike.ts';
import type {
  Attempt,
  Launch,
  Run,
  SessionRecord,
  Task,
  TaskState,
  Turn,
} from '../../../src-shared/model/task.ts';
import type { EpochMs, LocalDay } from '../../../src-shared/time.ts';
import type { Confinement } from './commands.ts';
import type { LedgerRangeStore, LedgerStore, LedgerTotalsStore } from './ledger-store.ts';
import type { TurnEvent } from './harness.ts';

export interface ProjectStore {
  insert(project: Project): void;
  update(project: Project): void;
  get(id: ProjectId): Project | null;
  /** Among projects that were not removed. */
  byName(name: string): Project | null;
  byRoot(root: string): Project | null;
  list(options?: { readonly withRemoved?: boolean }): readonly Project[];
}

export interface AgentStore {
  put(agent: Agent): void;
  get(name: string): Agent | null;
  list(): readonly Agent[];
}

export interface TaskFilter {
  readonly projectId?: ProjectId;
  readonly states?: readonly TaskState[];
  /** At most so many; all when absent. */
  readonly limit?: number;
}

export interface TaskStore {
  /** Gives the task its number, in the caller's transaction. */
  insert(task: Omit<Task, 'number'>): Task;
  update(task: Task): void;
  get(id: TaskId): Task | null;
  byNumber(number: TaskNumber): Task | null;
  /** By queue position within a project, projects by id. */
  list(filter?: TaskFilter): readonly Task[];
  /** One more than the greatest position in the project's queue. */
  endOfQueue(projectId: ProjectId): number;
  count(filter?: TaskFilter): number;
}

export interface RunStore {
  insert(run: Run): void;
  update(run: Run): void;
  get(id: RunId): Run | null;
  ofTask(taskId: TaskId): readonly Run[];
}

export interface AttemptStore {
  insert(attempt: Attempt): void;
  update(attempt: Attempt): void;
  get(id: AttemptId): Attempt | null;
  ofRun(runId: RunId): readonly Attempt[];
  ofTask(taskId: TaskId): readonly Attempt[];
  running(): readonly Attempt[];
}

export interface TurnStore {
  insert(turn: Turn): void;
  update(turn: Turn): void;
  get(id: TurnId): Turn | null;
  ofTask(taskId: TaskId): readonly Turn[];
  ofAttempt(attemptId: AttemptId): readonly Turn[];
  running(): readonly Turn[];
  /** The turn that carried the answer of an item; null before. */
  ofItem(item: ItemNumber): Turn | null;
  /** Booked cost of turns that settled at or after `since`: reported and assumed, or the assumed part alone. */
  booked(filter: {
    readonly projectIds?: readonly ProjectId[];
    readonly taskId?: TaskId;
    readonly since?: EpochMs;
    readonly onlyAssumed?: true;
  }): MicroUsd;
  /** Sum of reservations of turns that run now. */
  reserved(filter: { readonly projectIds?: readonly ProjectId[] }): MicroUsd;
}

export interface LaunchStore {
  insert(launch: Launch): void;
  update(launch: Launch): void;
  get(id: LaunchId): Launch | null;
  ofTurn(turnId: TurnId): readonly Launch[];
  ofTask(taskId: TaskId): readonly Launch[];
  /** Not ended yet. */
  live(): readonly Launch[];
  /** Launches whose prompt was written on that day. */
  callsOn(
    day: LocalDay,
    filter: {
      readonly agent?: string;
      readonly projectId?: ProjectId;
      readonly projectIds?: readonly ProjectId[];
      readonly since?: EpochMs;
      /** Those that started then or before. */
      readonly until?: EpochMs;
    },
  ): number;
}

export interface SessionStore {
  put(session: SessionRecord): void;
  get(id: SessionId): SessionRecord | null;
}

export interface ItemFilter {
  readonly states?: readonly ItemState[];
  readonly kinds?: readonly ItemKind[];
  readonly taskId?: TaskId;
  readonly projectId?: ProjectId;
}

export interface ItemStore {
  /** Gives the item its number, in the caller's transaction. */
  insert(item: Omit<Item, 'number'>): Item;
  update(item: Item): void;
  get(number: ItemNumber): Item | null;
  /** Oldest first. */
  list(filter?: ItemFilter): readonly Item[];
  /** Responses with `dispatchAt` that the hub has not acted on (delivery `stored`). */
  stored(): readonly Item[];
  greatestNumber(): number;
}

export interface HoldStore {
  put(hold: Hold): void;
  remove(kind: HoldKind): void;
  list(): readonly Hold[];
}

/** Small JSON values: kill state, pause, latest day seen. */
export interface SettingStore {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  remove(key: string): void;
}

export interface TestRun {
  readonly id: TestRunId;
  readonly taskId: TaskId;
  readonly runId: RunId;
  readonly attemptId: AttemptId;
  readonly purpose: 'test' | 'setup';
  readonly commit: string | null;
  readonly pid: number | null;
  readonly processStart: string | null;
  readonly state: 'running' | 'passed' | 'failed' | 'timed-out' | 'stopped' | 'refused' | 'lost';
  readonly exitCode: number | null;
  readonly confinement: Confinement | null;
  readonly outputHash: string | null;
  /** Untrusted text, at most 8 KiB. */
  readonly tail: string;
  readonly lockWaitMs: number;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

export interface TestRunStore {
  insert(testRun: TestRun): void;
  update(testRun: TestRun): void;
  get(id: TestRunId): TestRun | null;
  ofTask(taskId: TaskId): readonly TestRun[];
  running(): readonly TestRun[];
}

export interface StoredTurnEvent {
  /** Ascending over the whole store; the cursor of a page. */
  readonly id: number;
  readonly taskId: TaskId;
  readonly turnId: TurnId;
  readonly seq: number;
  readonly at: EpochMs;
  readonly event: TurnEvent;
}

export interface TranscriptEntry {
  readonly id: number;
  readonly taskId: TaskId;
  readonly turnId: TurnId;
  readonly sessionId: SessionId;
  readonly role: 'person' | 'signalbox' | 'assistant' | 'tool';
  readonly content: string;
  readonly at: EpochMs;
}

/** How often a turn called a tool on a path. Asked for, which is not always done. */
export interface ToolUse {
  readonly name: string;
  readonly path: string | null;
  readonly uses: number;
  readonly firstAt: EpochMs;
  readonly lastAt: EpochMs;
}

/** On the second connection (`synchronous = NORMAL`): event batches and our own copy of transcripts. */
export interface EventStore {
  append(
    batch: readonly Omit<StoredTurnEvent, 'id'>[],
    entries: readonly Omit<TranscriptEntry, 'id'>[],
  ): void;
  /** Oldest first, after the cursor. */
  page(taskId: TaskId, after: number, limit: number): readonly StoredTurnEvent[];
  transcript(taskId: TaskId, after: number, limit: number): readonly TranscriptEntry[];
  /** Greatest event id of the task, 0 when there is none. */
  last(taskId: TaskId): { readonly id: number; readonly at: EpochMs } | null;
  /** The newest ones before the cursor (null: of all), oldest of them first. */
  pageBefore(taskId: TaskId, before: number | null, limit: number): readonly StoredTurnEvent[];
  get(id: number): StoredTurnEvent | null;
  count(taskId: TaskId): number;
  /** Id of the task's first event at or after a moment; null when there is none. */
  firstSince(taskId: TaskId, at: EpochMs): number | null;
  /** Calls of tools in a turn, by tool and path. @param from id of an event at or before the turn's first */
  toolUses(taskId: TaskId, turnId: TurnId, from: number): readonly ToolUse[];
  deleteBefore(projectId: ProjectId, what: 'events' | 'transcripts', before: EpochMs): number;
}

export type TreeState = 'making' | 'active' | 'removing' | 'removed';

/** The owner mark of a worktree: only a tree with such a row, inside our folder, is ever removed. */
export interface TreeRecord {
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly path: string;
  readonly branch: string;
  readonly baseCommit: string;
  /** Random word also written into the tree's admin folder. */
  readonly mark: string;
  /** Last commit that we made on the branch. */
  readonly lastCommit: string;
  readonly setupHash: string | null;
  readonly state: TreeState;
  readonly createdAt: EpochMs;
}

export interface TreeStore {
  put(tree: TreeRecord): void;
  get(taskId: TaskId): TreeRecord | null;
  list(states: readonly TreeState[]): readonly TreeRecord[];
}

export interface KeptRecord {
  readonly ref: string;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly commit: string;
  readonly reason: string;
  readonly files: number;
  readonly at: EpochMs;
}

export interface KeptStore {
  put(kept: KeptRecord): void;
  list(): readonly KeptRecord[];
}

/** Intent of one git change: committed before it runs, settled after. */
export interface JournalRow {
  readonly id: JournalId;
  readonly projectId: ProjectId;
  readonly taskId: TaskId | null;
  readonly intent: string;
  /** Expected old and new values, for recovery to compare with the repository. */
  readonly data: Readonly<Record<string, string | null>>;
  readonly state: 'open' | 'done' | 'undone';
  readonly createdAt: EpochMs;
  readonly settledAt: EpochMs | null;
}

export interface JournalStore {
  insert(row: JournalRow): void;
  settle(id: JournalId, state: 'done' | 'undone', at: EpochMs): void;
  open(): readonly JournalRow[];
}

export interface SpikeStore {
  put(spike: Spike): void;
  current(): Spike | null;
  latest(): Spike | null;
}

export interface Lease {
  readonly name: string;
  readonly owner: string;
  /** Grows with every change of owner; an act under an older number is refused. */
  readonly fencing: number;
  readonly beatAt: EpochMs;
}

export interface LeaseStore {
  get(name: string): Lease | null;
  /** @returns the lease when it was free or already the owner's, else null */
  take(name: string, owner: string, at: EpochMs): Lease | null;
  /** Takes it over from an expired holder, only if the fencing number is still the one seen. */
  takeOver(name: string, owner: string, seenFencing: number, at: EpochMs): Lease | null;
  beat(name: string, owner: string, fencing: number, at: EpochMs): boolean;
  release(name: string, owner: string, fencing: number): void;
}

/** Deletes texts and leaves the rows that facts and figures need (12-engine, Store and ledger). */
export interface TextStore {
  /**
   * Forgets the output of test runs of a project that ended before a moment.
   *
   * @returns how many runs, and hashes of artifacts that no test run refers to any more
   */
  forgetTestOutput(
    projectId: ProjectId,
    before: EpochMs,
  ): { readonly testRuns: number; readonly unusedHashes: readonly string[] };
  /**
   * Forgets every text of a project: events, transcripts, test output, prompts, and what tasks and items say.
   *
   * @returns hashes of artifacts that no test run refers to any more
   */
  purge(projectId: ProjectId): { readonly unusedHashes: readonly string[] };
}

/** Everything that is stored. All calls are synchronous. */
export interface Stores {
  readonly hubId: HubId;
  /** One `BEGIN IMMEDIATE`; nested calls join the outer one. Throws roll back. */
  transaction<T>(work: () => T): T;
  readonly projects: ProjectStore;
  readonly agents: AgentStore;
  readonly tasks: TaskStore;
  readonly runs: RunStore;
  readonly attempts: AttemptStore;
  readonly turns: TurnStore;
  readonly launches: LaunchStore;
  readonly sessions: SessionStore;
  readonly items: ItemStore;
  readonly holds: HoldStore;
  readonly settings: SettingStore;
  readonly testRuns: TestRunStore;
  readonly events: EventStore;
  readonly trees: TreeStore;
  readonly kept: KeptStore;
  readonly journal: JournalStore;
  readonly spikes: SpikeStore;
  readonly leases: LeaseStore;
  readonly ledger: LedgerStore;
  /** Absent in stores that keep no totals; the SQLite store has it. */
  readonly totals: LedgerTotalsStore;
  readonly ranges: LedgerRangeStore;
  /** Absent in stores that forget nothing; the SQLite store has it. */
  readonly texts: TextStore;
}
