import { z } from 'zod';
import { IsoTime, ItemRef, Usd } from './common.ts';

export const InboxContextInput = z.object({ item: ItemRef });

/** What a turn did, one line each, at most one of each kind, in the order in which they happened. */
export const SoFarLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    at: IsoTime,
    files: z.number().int(),
    /** The two folders that most of them lie in, relative to the worktree; untrusted. */
    folders: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('changed'),
    at: IsoTime,
    files: z.number().int(),
    /** The first three, relative to the worktree; untrusted. Counts are absent where the work is not there any more. */
    paths: z.array(
      z.object({
        path: z.string(),
        added: z.number().int().optional(),
        removed: z.number().int().optional(),
      }),
    ),
    isCommitted: z.boolean(),
  }),
  z.object({
    kind: z.literal('stopped'),
    at: IsoTime,
    /** `done`, `question`, `interrupted`, `lost`, or what it failed with. */
    outcome: z.string(),
    durationS: z.number(),
  }),
]);
export type SoFarLine = z.infer<typeof SoFarLine>;

/** What surrounds an item: what was asked of the agent, what it did until it stopped, and the facts of it. */
export const InboxContextView = z.object({
  item: z.number().int(),
  /** The task as the person wrote it; null for items of the whole hub. */
  asked: z.object({ title: z.string(), description: z.string(), at: IsoTime }).nullable(),
  soFar: z.array(SoFarLine),
  /** The turn that led to the item. */
  turnId: z.string().nullable(),
  facts: z.object({
    /** Question k of n; of an item that is no question, how many were asked before it. Null when none was. */
    question: z.object({ number: z.number().int(), of: z.number().int() }).nullable(),
    /** Attempt k; `counted` of `of` count against the cap. */
    attempt: z
      .object({ number: z.number().int(), counted: z.number().int(), of: z.number().int() })
      .nullable(),
    sessionId: z.string().nullable(),
    /** Its first eight characters. */
    session: z.string().nullable(),
    branch: z.string().nullable(),
    baseBranch: z.string().nullable(),
    merge: z.enum(['merge', 'ff', 'none']).nullable(),
    /** Time in turns, all of the task. */
    workedS: z.number(),
    /** An estimate: of the turn, of the whole task, the part of that which no result reported, and the cap of a call. */
    cost: z.object({ turnUsd: Usd, taskUsd: Usd, assumedUsd: Usd, perCallUsd: Usd.nullable() }),
    /** The task's work against its base; null when it is not there (any more). */
    changes: z
      .object({ files: z.number().int(), added: z.number().int(), removed: z.number().int() })
      .nullable(),
    /** The newest test run before the item. */
    tests: z
      .object({
        run: z.string(),
        state: z.enum(['running', 'passed', 'failed', 'timed-out', 'stopped', 'refused', 'lost']),
        exitCode: z.number().int().nullable(),
        durationS: z.number().nullable(),
      })
      .nullable(),
    /** Tools that were denied in the run, as its results told. */
    denied: z.number().int(),
  }),
});
export type InboxContextView = z.infer<typeof InboxContextView>;
