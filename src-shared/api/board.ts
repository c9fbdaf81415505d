import { z } from 'zod';
import { TaskState } from '../model/task.ts';
import { IsoTime } from './common.ts';
import { ProjectView } from './project.ts';
import { TurnEventView } from './timeline.ts';

const TaskLine = {
  id: z.string(),
  number: z.number().int(),
  title: z.string(),
  state: TaskState,
};

/** A task that holds a slot. */
export const BoardSlotView = z.object({
  ...TaskLine,
  /** What goes on at this moment; `ending`: the task has left the slot, a process of it still lives. */
  phase: z.enum(['preparing', 'turn', 'setup', 'tests', 'ending']),
  /** Start of that phase: what elapsed time counts from. */
  since: IsoTime,
  agent: z.string(),
  agentName: z.string(),
  model: z.string(),
  sessionId: z.string().nullable(),
  attempt: z.number().int().nullable(),
  /** Newest event of the running turn that says something; untrusted. */
  last: TurnEventView.nullable(),
});
export type BoardSlotView = z.infer<typeof BoardSlotView>;

/** A ready task, in the order in which the project takes them. */
export const BoardQueueView = z.object({
  ...TaskLine,
  readySince: IsoTime,
  /** What its next turn is begun with: `start` for a fresh one, `answer`, `send-back`, `tests-failed`, … */
  next: z.string(),
});
export type BoardQueueView = z.infer<typeof BoardQueueView>;

/** A task that waits for a person or is being merged. */
export const BoardWaitingView = z.object({
  ...TaskLine,
  since: IsoTime,
  /** Why it is parked, as stored (`endedReason`). */
  reason: z.string().nullable(),
  /** Numbers of its open items. */
  items: z.array(z.number().int()),
});
export type BoardWaitingView = z.infer<typeof BoardWaitingView>;

export const BoardProjectView = z.object({
  project: ProjectView,
  /** At most `slots` while nothing ends; more for a moment when slots were lowered. */
  slots: z.array(BoardSlotView),
  /** The first 100 of `queued`. */
  queue: z.array(BoardQueueView),
  queued: z.number().int(),
  /** The first 100 of what is parked, merging, or waits for an answer or an approval. */
  waiting: z.array(BoardWaitingView),
  openItems: z.number().int(),
  drafts: z.number().int(),
});
export type BoardProjectView = z.infer<typeof BoardProjectView>;

/** Everything that the board shows. */
export const BoardView = z.object({
  at: IsoTime,
  projects: z.array(BoardProjectView),
  slots: z.number().int(),
  slotsInUse: z.number().int(),
  queued: z.number().int(),
});
export type BoardView = z.infer<typeof BoardView>;
