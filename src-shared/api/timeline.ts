import { z } from 'zod';
import { TestRunView } from './task.ts';
import { IsoTime, TaskRef, Usd } from './common.ts';

/** Kinds of events of a turn; new ones may come. */
export const TurnEventKind = z.enum([
  'session',
  'assistant',
  'tool',
  'tool-result',
  'denied',
  'retry',
  'rate-limit',
  'usage',
  'diagnostic',
  'activity',
]);

/** One stored event of a turn, short enough for a page. Everything in it but the figures is untrusted. */
export const TurnEventView = z.object({
  /** Ascending; the cursor of pages and of `task.follow`. */
  id: z.number().int(),
  turnId: z.string(),
  at: IsoTime,
  kind: TurnEventKind,
  /** What was said, read, refused, or asked of a tool in one line; at most 400 characters. */
  text: z.string(),
  /** Length of the whole text, which `task.event` gives. */
  chars: z.number().int(),
  isCut: z.boolean(),
  /** Of `tool` and `denied` events. */
  tool: z.string().nullable(),
  /** The same in a `tool` and its `tool-result`. */
  toolId: z.string().nullable(),
  path: z.string().nullable(),
  isError: z.boolean(),
  /** What an editing tool was asked to change: counts, and its first lines. */
  change: z
    .object({
      added: z.number().int(),
      removed: z.number().int(),
      lines: z.array(z.object({ sign: z.enum(['+', '-']), text: z.string() })),
    })
    .nullable(),
  /** Figures of `session`, `retry`, `rate-limit` and `usage`. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type TurnEventView = z.infer<typeof TurnEventView>;

/** One turn of a task: a prompt and everything up to its result. */
export const TurnView = z.object({
  id: z.string(),
  number: z.number().int(),
  /** What it was begun with: `start`, `answer`, `send-back`, `tests-failed`, … */
  kind: z.string(),
  attemptId: z.string(),
  sessionId: z.string(),
  /** Number of the item whose response it carried. */
  item: z.number().int().nullable(),
  /** How long that item waited for its response. */
  waitedS: z.number().nullable(),
  state: z.enum(['running', 'settled']),
  /** `done`, `question`, `interrupted`, `lost`, or what it failed with; null while it runs. */
  outcome: z.string().nullable(),
  costUsd: Usd,
  costBasis: z.enum(['reported', 'assumed', 'none']),
  startedAt: IsoTime,
  endedAt: IsoTime.nullable(),
});
export type TurnView = z.infer<typeof TurnView>;

/** A page: after a cursor, before one, or the newest when neither is given. */
export const TaskEventsInput = z
  .object({
    task: TaskRef,
    after: z.number().int().min(0).optional(),
    before: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(1000).default(200),
  })
  .refine((input) => input.after === undefined || input.before === undefined, 'either after or before');
export const TaskEventsView = z.object({
  taskId: z.string(),
  /** Oldest first, whichever way was paged. */
  events: z.array(TurnEventView),
  /** Whether there are older ones than the first of the page, newer ones than its last. */
  hasOlder: z.boolean(),
  hasNewer: z.boolean(),
  /** Events of the task. */
  total: z.number().int(),
  /** Of the newest event, 0 when there is none: where `task.follow` goes on. */
  lastId: z.number().int(),
  /** All turns of the task, oldest first. */
  turns: z.array(TurnView),
});
export type TaskEventsView = z.infer<typeof TaskEventsView>;

export const TaskFollowInput = z.object({
  task: TaskRef,
  /** Id of the last event seen; only new ones when it is absent. */
  lastEventId: z.string().max(100).nullish(),
});

export const TaskEventInput = z.object({ id: z.number().int().min(1) });
/** One event with its whole text; for a tool, its input as the harness gave it. */
export const WholeTurnEventView = TurnEventView.extend({ taskId: z.string(), whole: z.string() });
export type WholeTurnEventView = z.infer<typeof WholeTurnEventView>;

/** A run of the test or set-up command, in the list of a task. */
export const TaskTestRunView = TestRunView.extend({
  /** Null while it runs. */
  durationMs: z.number().int().nullable(),
  commit: z.string().nullable(),
  /** How it was confined; null when it never started. */
  confinement: z.string().nullable(),
  lockWaitMs: z.number().int(),
  /** End of the output, at most 8 KiB; untrusted. */
  tail: z.string(),
  /** Whether `task.testOutput` has it whole. */
  hasOutput: z.boolean(),
});
export type TaskTestRunView = z.infer<typeof TaskTestRunView>;

export const TestOutputInput = z.object({
  run: z.string().min(1).max(100),
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(1_000_000).default(200_000),
});
/** A part of the output of a run, in characters; untrusted. */
export const TestOutputView = z.object({
  run: z.string(),
  text: z.string(),
  offset: z.number().int(),
  total: z.number().int(),
  /** Null at the end. */
  nextOffset: z.number().int().nullable(),
});
export type TestOutputView = z.infer<typeof TestOutputView>;

/** What runs a task, as far as it was reported; a member that nothing reported is absent, never 0. */
export const TaskHarnessView = z.object({
  harness: z.string(),
  agent: z.string(),
  agentName: z.string(),
  /** Model that was asked for. */
  model: z.string(),
  attempt: z.number().int().optional(),
  sessionId: z.string().optional(),
  /** Model that the harness says it uses in the current attempt. */
  effectiveModel: z.string().optional(),
  version: z.string().optional(),
  executable: z.string().optional(),
  /** Of the conversation so far, over all models. */
  tokens: z
    .object({
      input: z.number().int(),
      output: z.number().int(),
      cacheRead: z.number().int(),
      cacheWrite: z.number().int(),
    })
    .optional(),
  /** Tokens that the newest reply of the model was given and made. */
  contextTokens: z.number().int().optional(),
});
export type TaskHarnessView = z.infer<typeof TaskHarnessView>;
