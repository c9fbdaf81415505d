import type {
  AttemptId,
  DeliveryId,
  HubId,
  IdKind,
  IdOfKind,
  ProjectId,
  SessionId,
  TaskId,
} from '../../../src-shared/ids.ts';
import type { EpochMs, LocalDay, Millis } from '../../../src-shared/time.ts';

/** Something that must be ended by whoever made it. Ending twice is allowed. */
export interface Disposable {
  dispose(): void;
}

/** The two members of `AbortSignal` that rules need. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
}

/** Wall clock, calendar and timers. Tests pass a fake one. */
export interface Clock {
  now(): EpochMs;
  /** Milliseconds of a clock that never jumps; only differences mean anything. */
  monotonic(): Millis;
  /** Calendar day in the hub's zone. */
  localDay(at: EpochMs): LocalDay;
  /** The next midnight by calendar, so that a day of 23 or 25 hours is right. */
  nextMidnight(at: EpochMs): EpochMs;
  /** First moment of the calendar month in the hub's zone. */
  startOfMonth(at: EpochMs): EpochMs;
  after(delay: Millis, run: () => void): Disposable;
  every(period: Millis, run: () => void): Disposable;
}

export interface Ids {
  next<K extends IdKind>(kind: K): IdOfKind[K];
  sessionId(): SessionId;
  deliveryId(): DeliveryId;
}

/** Lower-case hex SHA-256 of the UTF-8 text. */
export type HashText = (text: string) => string;

/** A fixed message plus fields; never prompts, tokens or file contents. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Value of `SIGNALBOX_OWNER` in every child: `<hub id>:<attempt id or other word>`. */
export const ownerMark = (hub: HubId, owner: AttemptId | string): string => `${hub}:${owner}`;

/** A process that we started or found by its mark. */
export interface ProcessRef {
  readonly pid: number;
  /** Opaque start time of the pid as the system tells it; null when it could not be read. */
  readonly processStart: string | null;
  readonly mark: string;
}

/** What a stop achieved, verified by pid, start time and owner mark. */
export interface EndReceipt {
  readonly ended: readonly number[];
  readonly alive: readonly number[];
}

/**
 * Trees of processes as seen from outside. A tree is the process group, its descendants, and every process of
 * ours whose environment carries the mark (12-engine, Processes).
 */
export interface Processes {
  /** SIGTERM, the grace, SIGKILL; resolves when nothing is left or the bound is reached. */
  endTrees(refs: readonly ProcessRef[], grace: Millis): Promise<EndReceipt>;
  /** Everything alive that carries a mark of this data directory, recorded or not. */
  endAllMarked(hub: HubId, grace: Millis): Promise<EndReceipt>;
  /** Processes alive that carry a mark of this data directory. */
  findMarked(hub: HubId): Promise<readonly ProcessRef[]>;
  /** Accumulated CPU time of the tree; null when the system does not tell. */
  cpuTime(ref: ProcessRef): Promise<Millis | null>;
  isAlive(ref: ProcessRef): Promise<boolean>;
}

/**
 * The small process that ends every tree when the hub dies (12-engine, Processes). The hub starts nothing
 * before it runs. `lost` resolves if it dies by itself: the hub then starts no more children until a new one is up.
 */
export interface Guardian {
  start(): Promise<void>;
  readonly lost: Promise<void>;
  /** What earlier guardians wrote when their hubs died: handed out until it is acknowledged. */
  receipts(): Promise<readonly StoredReceipt[]>;
  /** The receipt is booked and not needed any more. One that is gone is no error. */
  acknowledge(receipt: StoredReceipt): Promise<void>;
  stop(): Promise<void>;
}

export interface GuardianReceipt {
  readonly at: EpochMs;
  readonly cause: 'hub-gone' | 'kill-file';
  readonly ended: readonly number[];
  readonly alive: readonly number[];
}

export interface StoredReceipt extends GuardianReceipt {
  /** The same whenever it is handed out, and of no other receipt of this data folder. */
  readonly id: string;
}

/** `<data>/KILL`: there means engaged, its text is the reason (12-engine, Kill). */
export interface KillFile {
  read(): { readonly reason: string; readonly at: EpochMs } | null;
  write(reason: string): void;
  remove(): void;
  /** Calls back soon after the file appears or goes; the hub also looks every second. */
  watch(changed: () => void): Disposable;
}

/** Large texts and files beside the database, addressed by the SHA-256 of their content. */
export interface Artifacts {
  /** @returns the hash */
  write(text: string): Promise<string>;
  read(hash: string): Promise<string | null>;
  /** Deletes it; one that is not there is no error. The caller knows that nothing else refers to it. */
  remove(hash: string): Promise<void>;
}

/** How much room is left where the data lies; null when the system does not tell. */
export interface DiskSpace {
  freeBytes(): number | null;
}

/** Tells whoever watches that something was stored; never gives orders (style, Events). */
export interface ChangeFeed {
  taskChanged(taskId: TaskId): void;
  itemChanged(number: number): void;
  projectChanged(projectId: ProjectId): void;
  hubChanged(): void;
}
