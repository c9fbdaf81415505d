import type { DeliveryId, LaunchId, SessionId } from '../../../src-shared/ids.ts';
import type { MicroUsd } from '../../../src-shared/money.ts';
import type { FailureCategory } from '../../../src-shared/model/turn-failure.ts';
import type { RequestedChanges } from '../../../src-shared/model/task.ts';
import type { EpochMs, Millis } from '../../../src-shared/time.ts';

/** One prompt for one process in relay mode (10-relay, Command lines). */
export interface RelayTurnRequest {
  readonly launchId: LaunchId;
  readonly ownerMark: string;
  readonly sessionId: SessionId;
  /** `new` passes `--session-id`, `resume` passes `--resume`. */
  readonly session: 'new' | 'resume';
  /** The task's worktree, absolute. */
  readonly cwd: string;
  readonly model: string;
  /** Exactly what was reserved; becomes `--max-budget-usd`. */
  readonly budgetMicroUsd: MicroUsd;
  readonly outputForm: 'stream-json' | 'json';
  /** Names of further environment variables that the project wants inherited. */
  readonly environmentNames: readonly string[];
  /** After this the tree is stopped and the outcome is `interrupted` by `time-limit`. */
  readonly timeout: Millis;
}

export interface LaunchedProcess {
  readonly pid: number;
  readonly processStart: string | null;
  /** Without the prompt, which goes on stdin. */
  readonly argv: readonly string[];
}

/** Normalised stream of a turn. New kinds may come, existing ones never change. */
export type TurnEvent =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly model: string;
      readonly version: string;
      readonly tools: readonly string[];
    }
  | { readonly kind: 'assistant'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly id: string;
      readonly name: string;
      readonly input: string;
      readonly path: string | null;
    }
  | { readonly kind: 'tool-result'; readonly id: string; readonly isError: boolean; readonly text: string }
  | { readonly kind: 'denied'; readonly tool: string; readonly reason: string }
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly maxRetries: number;
      readonly delayMs: number;
      readonly status: number | null;
      readonly error: string;
    }
  | { readonly kind: 'rate-limit'; readonly status: string; readonly resetsAt: EpochMs | null }
  | {
      readonly kind: 'usage';
      readonly model: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cacheReadTokens: number;
      readonly cacheWriteTokens: number;
    }
  | { readonly kind: 'diagnostic'; readonly text: string }
  | { readonly kind: 'activity'; readonly type: string };

/** Raw figures of the result line, kept as reported. */
export interface TurnReport {
  readonly sessionId: string | null;
  readonly subtype: string;
  readonly isError: boolean;
  readonly numTurns: number;
  readonly durationMs: number;
  /** Running total of the conversation; null when the result carried none. */
  readonly totalMicroUsd: MicroUsd | null;
  /** This turn alone, where the stream form tells; null otherwise (then the difference of totals counts). */
  readonly turnMicroUsd: MicroUsd | null;
  readonly usageByModel: readonly {
    readonly model: string;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
    readonly costMicroUsd: MicroUsd;
  }[];
  /** Denied tool calls: counted and shown, never a failure. */
  readonly denials: readonly { readonly tool: string; readonly path: string | null }[];
}

export type StopReason =
  'kill-switch' | 'person' | 'time-limit' | 'hub-stopping' | 'stall' | 'spike' | 'kill-file';

/** How a turn ended. Success is `is_error:false`, exit 0 and a structured answer; nothing else is. */
export type TurnOutcome =
  | ({ readonly kind: 'done'; readonly report: TurnReport } & RequestedChanges)
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly options: readonly string[];
      readonly summary: string;
      readonly report: TurnReport;
    }
  | {
      readonly kind: 'failed';
      readonly category: FailureCategory;
      readonly message: string;
      readonly resetsAt: EpochMs | null;
      readonly report: TurnReport | null;
    }
  | { readonly kind: 'interrupted'; readonly by: StopReason; readonly report: TurnReport | null }
  | {
      readonly kind: 'lost';
      readonly cause: 'completion-unknown' | 'protocol-corruption' | 'line-too-long';
      readonly message: string;
      readonly exitCode: number | null;
      readonly signal: string | null;
    }
  /** Nothing was written to the harness: the session is as it was and nothing was spent. */
  | { readonly kind: 'not-started'; readonly message: string };

/** One live process of a turn. The prompt is withheld until the caller has stored that it was launched. */
export interface RelayTurn {
  readonly process: LaunchedProcess;
  /**
   * Writes the prompt and ends stdin. @returns false when the pipe was gone before a byte was taken, which
   * proves that the turn was not started.
   */
  writePrompt(text: string): Promise<boolean>;
  /** Every event in order, ending when the process has closed. Must be read (backpressure). */
  readonly events: AsyncIterable<TurnEvent>;
  /** Resolves after the process closed and its tree is gone from the process table. Never rejects. */
  readonly outcome: Promise<TurnOutcome>;
  /** Ends the tree; `outcome` then is `interrupted` unless a result had come before. Never throws. */
  stop(reason: StopReason): Promise<void>;
}

export type LaunchResult =
  | { readonly kind: 'launched'; readonly turn: RelayTurn }
  | { readonly kind: 'not-started'; readonly message: string };

/** What the harness's own history says of a prompt: by presence of the delivery id, its format is never parsed. */
export type SessionTrace = 'no-session' | 'absent' | 'present' | 'unreadable';

export type Discovery =
  | { readonly kind: 'found'; readonly executable: string; readonly version: string }
  | { readonly kind: 'not-found'; readonly searched: readonly string[] }
  | { readonly kind: 'unusable'; readonly executable: string; readonly problem: string };

export type LoginState =
  | { readonly kind: 'logged-in'; readonly method: string }
  | { readonly kind: 'logged-out' }
  | { readonly kind: 'unknown'; readonly problem: string };

/** What runs an agent. Later harnesses and other machines come behind the same port. */
export interface Executor {
  discover(): Promise<Discovery>;
  loginState(): Promise<LoginState>;
  launch(request: RelayTurnRequest): Promise<LaunchResult>;
  trace(sessionId: SessionId, cwd: string, delivery: DeliveryId): Promise<SessionTrace>;
}
