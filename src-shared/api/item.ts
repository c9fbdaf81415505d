import { z } from 'zod';
import { Delivery, ItemAction, ItemCause, ItemKind, ItemState, Via } from '../model/item.ts';
import { IsoTime, ItemRef, PersonText, ProjectRef, TaskRef, Usd } from './common.ts';
import { TestRunView } from './task.ts';

export const ListItemsInput = z.object({
  all: z.boolean().default(false),
  /** With those that were closed today, and those whose response is not delivered yet. */
  today: z.boolean().default(false),
  task: TaskRef.optional(),
  project: ProjectRef.optional(),
});
export const ItemInput = z.object({ item: ItemRef });

/** Exactly one way of answering. */
export const AnswerInput = z.object({
  item: ItemRef,
  reply: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: PersonText }),
    /** The option's number from 1, or its exact label. */
    z.object({ kind: z.literal('option'), option: z.string().min(1).max(20_000) }),
    /** Question → answer, for an item with several questions. */
    z.object({ kind: z.literal('answers'), answers: z.record(z.string(), PersonText) }),
  ]),
});
export const ApproveInput = z.object({
  item: ItemRef,
  note: PersonText.optional(),
  /** The commit that was looked at; another one on offer is refused as stale. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, 'has to be a commit id: 7 to 64 digits and letters a to f')
    .optional(),
});
export const RejectInput = z.object({ item: ItemRef, reason: PersonText.optional() });
export const SendBackInput = z.object({ item: ItemRef, note: PersonText });
export const ResolveInput = z.object({
  item: ItemRef,
  action: z.string().min(1).max(100),
  value: PersonText.optional(),
});
export const AllowInput = z.object({ item: ItemRef });
export const DenyInput = z.object({ item: ItemRef, message: PersonText.optional() });

/**
 * `inbox show`, and each entry of `inbox`. `options`, `summary` and, where `questionBy` says so, `question` are an
 * agent's words, whatever they claim to be.
 */
export const ItemView = z.object({
  number: z.number().int(),
  kind: ItemKind,
  state: ItemState,
  /** Null for items of the whole hub. */
  project: z.string().nullable(),
  projectId: z.string().nullable(),
  taskId: z.string().nullable(),
  taskNumber: z.number().int().nullable(),
  taskTitle: z.string().nullable(),
  /** Name of the agent, or `signalbox`. */
  raisedBy: z.string(),
  raisedByName: z.string(),
  raisedAt: IsoTime,
  respondedAt: IsoTime.nullable(),
  respondedBy: z.string().nullable(),
  respondedVia: Via.nullable(),
  /** Raised → final response; null while it is open. */
  waitedS: z.number().nullable(),
  cause: ItemCause.nullable(),
  question: z.string(),
  /** Whose words `question` is. */
  questionBy: z.enum(['agent', 'signalbox']),
  /** Our own sentence of a review or manual item; null where only an agent speaks. */
  message: z.string().nullable(),
  /** What a list shows of it in one line, at most 200 characters, and whose words that is. */
  excerpt: z.object({ text: z.string(), by: z.enum(['agent', 'signalbox']) }).optional(),
  /** Display name of the agent whose words the item shows; null for items of the whole hub. */
  agentName: z.string().nullable(),
  options: z.array(z.string()),
  summary: z.string(),
  details: z.array(z.string()),
  cycle: z.number().int().nullable(),
  answer: z.string().nullable(),
  /** The action that resolved it. */
  action: z.string().nullable(),
  durable: z.boolean(),
  actions: z.array(ItemAction),
  /** Until then the response can be taken back. */
  dispatchAt: IsoTime.nullable(),
  delivery: Delivery,
  runId: z.string().nullable(),
  /** What an approve item offers. */
  commit: z.string().nullable(),
  offer: z
    .object({
      baseCommit: z.string(),
      testOutcome: z.enum(['passed', 'not-configured', 'nothing-to-test']),
      testRunId: z.string().nullable(),
      changedFiles: z.number().int(),
      notes: z.array(z.string()),
    })
    .nullable(),
  /** Last part of the output of the test run that belongs to the item; untrusted. */
  testTail: z.string().nullable(),
  /** That test or set-up run. */
  testRun: TestRunView.nullable(),
  /** While a budget that is used up keeps the item open: its figures now. */
  budget: z
    .object({
      which: z.enum(['project-budget', 'spike-budget']),
      limitUsd: Usd,
      /** Booked, reported and assumed; an estimate. */
      spentUsd: Usd,
      /** Held by calls that run now. */
      reservedUsd: Usd,
      /** Smallest budget with which a call can start. */
      leastUsd: Usd,
      /** Budget with which each task that it parked can make one call at its full cap, in whole cents. */
      suggestedUsd: Usd,
    })
    .nullable(),
  /** Permission items: the tool that asks, and its input. */
  tool: z.string().optional(),
  input: z.unknown().optional(),
});
export type ItemView = z.infer<typeof ItemView>;
