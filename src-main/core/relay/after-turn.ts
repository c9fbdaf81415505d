import { assertNever } from '../../../src-shared/errors.ts';
import type { HoldKind } from '../../../src-shared/model/hold.ts';
import type { RequestedChanges } from '../../../src-shared/model/task.ts';
import type { EpochMs } from '../../../src-shared/time.ts';
import type { FailureCategory } from '../../../src-shared/model/turn-failure.ts';
import type { TurnOutcome } from '../ports/harness.ts';

/** What the engine does after a turn; decided without looking at store or clock. */
export type AfterTurn =
  | { readonly kind: 'finished'; readonly requested: RequestedChanges }
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly options: readonly string[];
      readonly summary: string;
    }
  /** A failed attempt that counts; `again` says how the next one begins. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly message: string;
      readonly again: 'no-question' | 'in-session' | 'recover' | 'fresh';
    }
  /** A state of the whole hub; the attempt does not count. */
  | {
      readonly kind: 'hold';
      readonly hold: HoldKind;
      readonly message: string;
      readonly until: EpochMs | null;
    }
  /** Ended by us or never begun; does not count. */
  | { readonly kind: 'requeue'; readonly reason: string };

const HOLD_OF: Readonly<Partial<Record<FailureCategory, HoldKind>>> = {
  login: 'login',
  'not-logged-in': 'login',
  'rate-limit': 'usage-limit',
  'usage-limit': 'usage-limit',
  overload: 'overload',
  connection: 'overload',
  billing: 'billing',
};

/** Login expiry, limits and overload are states of the hub (10-relay, guarantees); null for a failure of the task. */
export const holdOf = (category: FailureCategory): HoldKind | null => HOLD_OF[category] ?? null;

/** Failures after which the old session is of no use. */
const NEEDS_FRESH_SESSION: ReadonlySet<FailureCategory> = new Set([
  'prompt-too-long',
  'session-in-use',
  'unknown-session',
]);

/** Failures that are known to have sent no request, so nothing was spent. */
const WITHOUT_REQUEST: ReadonlySet<FailureCategory> = new Set([
  'not-logged-in',
  'session-in-use',
  'unknown-session',
  'wrong-arguments',
]);
export const spentNothing = (outcome: TurnOutcome): boolean =>
  outcome.kind === 'not-started' ||
  (outcome.kind === 'failed' && outcome.report === null && WITHOUT_REQUEST.has(outcome.category));

/**
 * @param outcome how the turn ended
 * @returns the decision; a stop by the kill switch, a person or the hub never counts (12-engine, Words)
 */
export function afterTurn(outcome: TurnOutcome): AfterTurn {
  switch (outcome.kind) {
    case 'done':
      return {
        kind: 'finished',
        requested: { remove: outcome.remove, rename: outcome.rename, summary: outcome.summary },
      };
    case 'question':
      return outcome.question.trim() === ''
        ? {
            kind: 'failed',
            reason: 'no-question',
            message: 'The agent stopped for a question but asked none.',
            again: 'no-question',
          }
        : {
            kind: 'question',
            question: outcome.question,
            options: outcome.options,
            summary: outcome.summary,
          };
    case 'failed':
      return afterFailure(outcome.category, outcome.message, outcome.resetsAt);
    case 'interrupted':
      return outcome.by === 'time-limit' || outcome.by === 'stall'
        ? {
            kind: 'failed',
            reason: outcome.by,
            message:
              outcome.by === 'stall'
                ? 'It was stopped because nothing moved.'
                : 'The time limit of a call was reached.',
            again: 'recover',
          }
        : {
            kind: 'requeue',
            reason:
              outcome.by === 'kill-switch' || outcome.by === 'kill-file'
                ? 'cancelled by kill switch'
                : outcome.by,
          };
    case 'lost':
      return { kind: 'failed', reason: outcome.cause, message: outcome.message, again: 'recover' };
    case 'not-started':
      return { kind: 'hold', hold: 'executable', message: outcome.message, until: null };
    default:
      return assertNever(outcome, 'turn outcome');
  }
}

function afterFailure(category: FailureCategory, message: string, resetsAt: EpochMs | null): AfterTurn {
  const hold = holdOf(category);
  if (hold !== null) return { kind: 'hold', hold, message, until: resetsAt };
  if (category === 'no-question') return { kind: 'failed', reason: category, message, again: 'no-question' };
  return {
    kind: 'failed',
    reason: category,
    message,
    again: NEEDS_FRESH_SESSION.has(category) ? 'fresh' : 'in-session',
  };
}

/** Whether a turn that ended so proves that login, limits and service are fine again. */
export function provesService(outcome: TurnOutcome): boolean {
  if (outcome.kind === 'done' || outcome.kind === 'question') return true;
  return outcome.kind === 'failed' && outcome.report !== null && holdOf(outcome.category) === null;
}
