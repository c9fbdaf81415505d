import { z } from 'zod';
import type { ItemNumber, ProjectId, RunId, TaskId, TestRunId } from '../ids.ts';
import type { EpochMs } from '../time.ts';

export const ItemKind = z.enum(['specify', 'approve', 'gate', 'permission', 'review', 'manual']);
export type ItemKind = z.infer<typeof ItemKind>;

export const ItemState = z.enum([
  'open',
  'answered',
  'approved',
  'rejected',
  'sent_back',
  'allowed',
  'denied',
  'resolved',
  'expired',
  'cancelled',
]);
export type ItemState = z.infer<typeof ItemState>;

export const Delivery = z.enum(['none', 'stored', 'sending', 'delivered', 'seen', 'failed']);
export type Delivery = z.infer<typeof Delivery>;

/** By which surface a person acted. */
export const Via = z.enum(['desktop', 'web', 'cli', 'mcp', 'notification', 'system']);
export type Via = z.infer<typeof Via>;

export const ItemAction = z.object({
  /** What `resolve --action` takes. */
  name: z.string(),
  title: z.string(),
  /** What will happen, in one sentence. */
  consequence: z.string(),
  /** Whether `--value` is needed, and what it means. */
  value: z.string().optional(),
});
export type ItemAction = z.infer<typeof ItemAction>;

/** Why a `review` or `manual` item was raised (12-engine, States). */
export const ItemCause = z.enum([
  'too-many-questions',
  'attempts-used-up',
  'budget-used-up',
  'spike-budget',
  'merge-conflict',
  'base-dirty',
  'login',
  'usage-limit',
  'overload',
  'billing',
  'executable',
  'disk-full',
  'calls-used-up',
  'stall',
  'tree-gone',
  'safety-stop',
  'data-class',
  'session-mismatch',
  'transcript-unreadable',
  'conversation-lost',
  'permission-blocked',
  'tests-unavailable',
  'setup-failed',
  'git-locked',
  'merge-failed',
  'step-failed',
]);
export type ItemCause = z.infer<typeof ItemCause>;

/** Facts shown on an approve item. Everything an agent wrote in it is untrusted text. */
export interface ApproveOffer {
  readonly commit: string | null;
  readonly baseCommit: string;
  readonly testRunId: TestRunId | null;
  readonly testOutcome: 'passed' | 'not-configured' | 'nothing-to-test';
  readonly changedFiles: number;
  readonly notes: readonly string[];
}

export interface Item {
  readonly number: ItemNumber;
  readonly kind: ItemKind;
  readonly state: ItemState;
  readonly projectId: ProjectId | null;
  readonly taskId: TaskId | null;
  readonly runId: RunId | null;
  /** Name of the agent, or `signalbox`. */
  readonly raisedBy: string;
  readonly raisedAt: EpochMs;
  readonly cause: ItemCause | null;
  /** Agent's text if `isAgentsQuestion`; else our own sentence. */
  readonly question: string;
  readonly options: readonly string[];
  readonly summary: string;
  readonly cycle: number | null;
  readonly offer: ApproveOffer | null;
  readonly actions: readonly ItemAction[];
  /** Further facts of the cause, e.g. conflicting paths; beside an agent's question our own sentence comes first. */
  readonly details: readonly string[];
  readonly answer: string | null;
  readonly action: string | null;
  readonly respondedAt: EpochMs | null;
  readonly respondedBy: string | null;
  readonly respondedVia: Via | null;
  /** From when on the hub acts on the response; until then it can be undone. */
  readonly dispatchAt: EpochMs | null;
  readonly delivery: Delivery;
}

/**
 * Whether `question` holds an agent's words: its question, or one that a review item shows because it cannot be
 * asked (too many, or asked again). Only questions of an agent have a cycle.
 */
export const isAgentsQuestion = (item: Pick<Item, 'kind' | 'cycle'>): boolean =>
  item.kind === 'specify' || (item.kind === 'review' && item.cycle !== null);

export const isDurable = (kind: ItemKind): boolean => kind !== 'permission';
