import { z } from 'zod';
import { TaskState } from '../model/task.ts';
import { IsoTime, PersonText, ProjectRef, TaskRef, Usd } from './common.ts';

export const AddTaskInput = z.object({
  project: ProjectRef,
  title: z.string().trim().min(1, 'a task needs a title').max(300),
  description: PersonText,
  draft: z.boolean().default(false),
});
export const ListTasksInput = z.object({ project: ProjectRef.optional(), state: TaskState.optional() });
export const TaskInput = z.object({ task: TaskRef });
export const RetryTaskInput = z.object({ task: TaskRef, fresh: z.boolean().default(false) });
/** To the end of its queue when `before` is null. */
export const MoveTaskInput = z.object({ task: TaskRef, before: TaskRef.nullable() });
/** One page, oldest first; `after` is the id of the last entry seen. */
export const TranscriptInput = z.object({
  task: TaskRef,
  after: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(1000).default(500),
});

/** A run of the project's test or set-up command. */
export const TestRunView = z.object({
  id: z.string(),
  purpose: z.enum(['test', 'setup']),
  state: z.enum(['running', 'passed', 'failed', 'timed-out', 'stopped', 'refused', 'lost']),
  /** Null while it runs, and when it ended without one. */
  exitCode: z.number().int().nullable(),
  /** As the project has it now; null when it has none any more. */
  command: z.array(z.string()).nullable(),
  startedAt: IsoTime,
  endedAt: IsoTime.nullable(),
});
export type TestRunView = z.infer<typeof TestRunView>;

/** `task show`, and each entry of `task list`. Title and description are a person's text. */
export const TaskView = z.object({
  id: z.string(),
  number: z.number().int(),
  project: z.string(),
  projectId: z.string(),
  title: z.string(),
  description: z.string(),
  state: TaskState,
  /** Key of the current step; null before the first run. */
  step: z.string().nullable(),
  runId: z.string().nullable(),
  sessionId: z.string().nullable(),
  branch: z.string().nullable(),
  worktree: z.string().nullable(),
  commit: z.string().nullable(),
  /** Attempts that were started. */
  attempts: z.number().int(),
  /** Attempts of the current run that count against `maxAttempts`. */
  countedAttempts: z.number().int(),
  questions: z.number().int(),
  /** Booked so far, reported and assumed; an estimate. */
  costUsd: Usd,
  /** The part of `costUsd` that no result reported. */
  assumedUsd: Usd,
  openItems: z.array(z.number().int()),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  readyAt: IsoTime.nullable(),
  endedReason: z.string().nullable(),
  /** `task show` only: the newest test or set-up run with the end of its output, which is untrusted. */
  lastTestRun: TestRunView.extend({ tail: z.string() }).nullable().optional(),
});
export type TaskView = z.infer<typeof TaskView>;

export const DiffView = z.object({ taskId: z.string(), diff: z.string() });
export type DiffView = z.infer<typeof DiffView>;

/** One entry of Signalbox's own copy of a conversation. `content` is untrusted unless a person wrote it. */
export const TranscriptEntryView = z.object({
  id: z.number().int(),
  turnId: z.string(),
  sessionId: z.string(),
  role: z.enum(['person', 'signalbox', 'assistant', 'tool']),
  content: z.string(),
  at: IsoTime,
});
export type TranscriptEntryView = z.infer<typeof TranscriptEntryView>;

/** A tree that was dirty when it went, kept as a commit on a side ref. */
export const KeptView = z.object({
  taskId: z.string(),
  taskNumber: z.number().int().nullable(),
  project: z.string(),
  ref: z.string(),
  commit: z.string(),
  reason: z.string(),
  files: z.number().int(),
  at: IsoTime,
});
export type KeptView = z.infer<typeof KeptView>;
export const RestoredView = z.object({ taskId: z.string(), branch: z.string(), commit: z.string() });
export type RestoredView = z.infer<typeof RestoredView>;
