import { z } from 'zod';
import type {
  AttemptId,
  DeliveryId,
  ItemNumber,
  LaunchId,
  ProjectId,
  RunId,
  SessionId,
  TaskId,
  TaskNumber,
  TestRunId,
  TurnId,
} from '../ids.ts';
import type { MicroUsd } from '../money.ts';
import type { EpochMs, LocalDay } from '../time.ts';

export const TASK_STATES = [
  'draft',
  'ready',
  'running',
  'testing',
  'awaiting_human',
  'awaiting_approval',
  'merging',
  'done',
  'failed',
  'cancelled',
  'parked',
] as const;
export const TaskState = z.enum(TASK_STATES);
export type TaskState = z.infer<typeof TaskState>;

export const isEnded = (state: TaskState): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

export interface Task {
  readonly id: TaskId;
  readonly number: TaskNumber;
  readonly projectId: ProjectId;
  readonly title: string;
  readonly description: string;
  readonly state: TaskState;
  /** Place in the project's queue, ascending. */
  readonly position: number;
  readonly runId: RunId | null;
  readonly endedReason: string | null;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  /** When it first became ready; the start of "ready → approve item raised". */
  readonly readyAt: EpochMs | null;
}

/**
 * What the next turn of a run is to say. Decided in the same transaction as the event that caused it, so that
 * a crash between the event and the launch loses nothing.
 */
export type NextTurn =
  | { readonly kind: 'start' }
  | { readonly kind: 'answer'; readonly item: ItemNumber }
  | { readonly kind: 'send-back'; readonly item: ItemNumber }
  | { readonly kind: 'tests-failed'; readonly testRunId: TestRunId }
  | { readonly kind: 'no-question' }
  | { readonly kind: 'again'; readonly note: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** The turn was cut; look whether its prompt arrived, then continue or send it again (12-engine). */
  | { readonly kind: 'recover'; readonly turnId: TurnId };

export type RunState = 'running' | 'blocked' | 'halted' | 'succeeded' | 'failed' | 'cancelled';

/** One execution of a workflow; a plain task's workflow is the built-in `relay`. */
export interface Run {
  readonly id: RunId;
  readonly taskId: TaskId;
  readonly workflow: string;
  readonly state: RunState;
  /** Key of the step that is current or comes next. */
  readonly step: string;
  readonly nextTurn: NextTurn | null;
  readonly sessionId: SessionId | null;
  readonly baseCommit: string | null;
  /** Last commit of the work; what an approve item offers. */
  readonly commit: string | null;
  /** Relay cycles so far: questions that were raised as items. */
  readonly questions: number;
  /** Added to the project's limit by "allow 3 more". */
  readonly extraQuestions: number;
  /** Attempts that count against `max_attempts` (12-engine, Words). */
  readonly countedAttempts: number;
  /** Paths the agent asked to remove or rename in its last `done`. */
  readonly pendingChanges: RequestedChanges;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

export interface RequestedChanges {
  readonly remove: readonly string[];
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  readonly summary: string;
}
export const NO_CHANGES: RequestedChanges = { remove: [], rename: [], summary: '' };

export type AttemptState = 'running' | 'succeeded' | 'failed' | 'cancelled' | 'indeterminate';

/** One try at a step; an agent step's attempt owns a session. */
export interface Attempt {
  readonly id: AttemptId;
  readonly runId: RunId;
  readonly taskId: TaskId;
  readonly step: string;
  readonly number: number;
  readonly state: AttemptState;
  readonly sessionId: SessionId | null;
  readonly model: string | null;
  readonly endedReason: string | null;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

export type TurnKind = NextTurn['kind'] | 'continue';
export type CostBasis = 'reported' | 'assumed' | 'none';

/** One prompt and everything up to its result. */
export interface Turn {
  readonly id: TurnId;
  readonly attemptId: AttemptId;
  readonly runId: RunId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly agent: string;
  readonly number: number;
  readonly kind: TurnKind;
  readonly sessionId: SessionId;
  /** What goes to the harness, delivery id included. */
  readonly prompt: string;
  readonly deliveryId: DeliveryId;
  readonly item: ItemNumber | null;
  readonly state: 'running' | 'settled';
  /** `TurnOutcome['kind']` once settled. */
  readonly outcome: string | null;
  readonly reservedMicroUsd: MicroUsd;
  readonly costMicroUsd: MicroUsd;
  readonly totalMicroUsd: MicroUsd | null;
  readonly costBasis: CostBasis;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

/** Each step is committed before the next (12-engine, Delivering an answer exactly once). */
export const LAUNCH_STATES = ['launching', 'launched', 'sending', 'delivered', 'seen', 'ended'] as const;
export type LaunchState = (typeof LAUNCH_STATES)[number];

/** One process for a turn. */
export interface Launch {
  readonly id: LaunchId;
  readonly turnId: TurnId;
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  readonly agent: string;
  /** Value of `SIGNALBOX_OWNER` in the process: `<hub id>:<attempt id>`. */
  readonly ownerMark: string;
  readonly pid: number | null;
  /** The system's own start time of the pid, opaque; a reused pid has another one. */
  readonly processStart: string | null;
  readonly argv: readonly string[];
  readonly state: LaunchState;
  /** Whether the prompt was written, which makes it a call. */
  readonly isCall: boolean;
  readonly localDay: LocalDay;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs | null;
}

export interface SessionRecord {
  readonly id: SessionId;
  readonly taskId: TaskId;
  readonly harness: string;
  readonly cwd: string;
  /** The CLI's running total as last reported; 0 before the first result. */
  readonly lastTotalMicroUsd: MicroUsd;
  readonly createdAt: EpochMs;
}
