/** What a task did and does: its turns' events, its test runs, and what runs it. Calls of the task router. */
import { tracked } from '@trpc/server';
import { z } from 'zod';
import { TaskInput } from '../../src-shared/api/task.ts';
import {
  TaskEventInput,
  TaskEventsInput,
  TaskEventsView,
  TaskFollowInput,
  TaskHarnessView,
  TaskTestRunView,
  TestOutputInput,
  TestOutputView,
  WholeTurnEventView,
} from '../../src-shared/api/timeline.ts';
import { LONGEST_TEXT } from '../../src-shared/api/common.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { TaskId, TestRunId } from '../../src-shared/ids.ts';
import type { Stores, TestRun } from '../core/ports/stores.ts';
import { cutText } from '../core/timeline/cut-text.ts';
import { wholeText } from '../core/timeline/describe-event.ts';
import { harnessView } from './harness-view.ts';
import { findTask } from './lookup.ts';
import { nextLook, numberCursor } from './next-look.ts';
import { turnEventView, turnView } from './timeline-views.ts';
import { procedure } from './trpc.ts';
import { testRunView } from './work-views.ts';

/** Events read at once while following. */
const PAGE = 500;

/** One page and where it stands among all events of the task; its cost does not grow with their number. */
function eventsView(stores: Stores, taskId: TaskId, input: z.output<typeof TaskEventsInput>): TaskEventsView {
  const { after, before, limit } = input;
  const events =
    after !== undefined
      ? stores.events.page(taskId, after, limit)
      : stores.events.pageBefore(taskId, before ?? null, limit);
  const lastId = stores.events.last(taskId)?.id ?? 0;
  const [first] = events;
  // An empty page: what is on the other side of the cursor.
  const from = first?.id ?? (after === undefined ? before : after + 1) ?? 0;
  const to = events.at(-1)?.id ?? (after === undefined ? (before ?? 1) - 1 : after);
  return {
    taskId,
    events: events.map(turnEventView),
    hasOlder: stores.events.pageBefore(taskId, from, 1).length > 0,
    hasNewer: lastId > to,
    total: stores.events.count(taskId),
    lastId,
    turns: stores.turns
      .ofTask(taskId)
      .map((turn) => turnView(turn, turn.item === null ? null : stores.items.get(turn.item))),
  };
}

const taskTestRunView = (stores: Stores, run: TestRun): TaskTestRunView => ({
  ...testRunView(stores, run),
  durationMs: run.endedAt === null ? null : Math.max(0, run.endedAt - run.startedAt),
  commit: run.commit,
  confinement: run.confinement,
  lockWaitMs: run.lockWaitMs,
  tail: run.tail,
  hasOutput: run.outputHash !== null,
});

/** @throws AppError 'not-found' */
function findTestRun(stores: Stores, id: string): TestRun {
  const run = stores.testRuns.get(id as TestRunId);
  if (run === null) {
    throw new AppError('not-found', `There is no test run ${id}.`, {
      hint: 'Look at the task: signalbox task show <number>',
    });
  }
  return run;
}

export const taskActivity = {
  /** One page of the task's timeline, and all its turns. */
  events: procedure
    .input(TaskEventsInput)
    .output(TaskEventsView)
    .query(({ ctx, input }) => eventsView(ctx.stores, findTask(ctx.stores, input.task).id, input)),
  /** One event with its whole text. */
  event: procedure
    .input(TaskEventInput)
    .output(WholeTurnEventView)
    .query(({ ctx, input }) => {
      const stored = ctx.stores.events.get(input.id);
      if (stored === null) {
        throw new AppError('not-found', `There is no event ${input.id}: it may have been deleted since.`, {
          hint: 'Events are kept as long as the project says (keepTurnEventsDays).',
        });
      }
      const whole = cutText(wholeText(stored.event), LONGEST_TEXT);
      return { ...turnEventView(stored), taskId: stored.taskId, whole };
    }),
  /** New events of the task as they are stored; the cursor is the event's id. */
  follow: procedure.input(TaskFollowInput).subscription(async function* ({ ctx, input, signal }) {
    const stop = signal ?? new AbortController().signal;
    const { stores, feed, clock } = ctx;
    const { id } = findTask(stores, input.task);
    let seen = numberCursor(input.lastEventId) ?? stores.events.last(id)?.id ?? 0;
    while (!stop.aborted) {
      const batch = stores.events.page(id, seen, PAGE);
      for (const stored of batch) {
        yield tracked(String(stored.id), turnEventView(stored));
        seen = stored.id;
      }
      if (batch.length < PAGE) await nextLook(feed, clock, stop);
    }
  }),
  /** Runs of the test and the set-up command, newest first. */
  tests: procedure
    .input(TaskInput)
    .output(z.array(TaskTestRunView))
    .query(({ ctx, input }) =>
      ctx.stores.testRuns
        .ofTask(findTask(ctx.stores, input.task).id)
        .map((run) => taskTestRunView(ctx.stores, run))
        .reverse(),
    ),
  /** A part of the whole output of one run. */
  testOutput: procedure
    .input(TestOutputInput)
    .output(TestOutputView)
    .query(async ({ ctx, input }) => {
      const run = findTestRun(ctx.stores, input.run);
      // While it runs, and once its output was deleted, the end of it is all there is.
      const whole = run.outputHash === null ? null : await ctx.artifacts.read(run.outputHash);
      const output = whole ?? run.tail;
      const text = cutText(output.slice(input.offset), input.limit);
      const end = input.offset + text.length;
      return {
        run: run.id,
        text,
        offset: input.offset,
        total: output.length,
        nextOffset: end < output.length && text.length > 0 ? end : null,
      };
    }),
  /** What runs the task: harness, version, executable, model, tokens; only what was reported. */
  harness: procedure
    .input(TaskInput)
    .output(TaskHarnessView)
    .query(({ ctx, input }) => harnessView(ctx.stores, findTask(ctx.stores, input.task))),
};
