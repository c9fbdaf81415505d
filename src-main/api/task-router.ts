import { z } from 'zod';
import {
  AddTaskInput,
  DiffView,
  KeptView,
  ListTasksInput,
  MoveTaskInput,
  RestoredView,
  RetryTaskInput,
  TaskInput,
  TaskView,
  TranscriptEntryView,
  TranscriptInput,
} from '../../src-shared/api/task.ts';
import { findProject, findTask } from './lookup.ts';
import { taskActivity } from './task-activity.ts';
import { decision, procedure, router } from './trpc.ts';
import { keptView, transcriptEntryView } from './views.ts';
import { taskView, wholeTaskView } from './work-views.ts';

export const taskRouter = router({
  ...taskActivity,
  list: procedure
    .input(ListTasksInput)
    .output(z.array(TaskView))
    .query(({ ctx, input }) => {
      const filter = {
        ...(input.project === undefined ? {} : { projectId: findProject(ctx.stores, input.project).id }),
        ...(input.state === undefined ? {} : { states: [input.state] }),
      };
      return ctx.stores.tasks.list(filter).map((task) => taskView(ctx.stores, task));
    }),
  show: procedure
    .input(TaskInput)
    .output(TaskView)
    .query(({ ctx, input }) => wholeTaskView(ctx.stores, findTask(ctx.stores, input.task))),
  add: procedure
    .input(AddTaskInput)
    .output(TaskView)
    .mutation(({ ctx, input }) => {
      const { id: projectId } = findProject(ctx.stores, input.project);
      const { title, description, draft } = input;
      const task = ctx.core.tasks.add({ projectId, title, description, isDraft: draft }, ctx.actor);
      return taskView(ctx.stores, task);
    }),
  submit: procedure
    .input(TaskInput)
    .output(TaskView)
    .mutation(({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return taskView(ctx.stores, ctx.core.tasks.submit(id, ctx.actor));
    }),
  cancel: decision
    .input(TaskInput)
    .output(TaskView)
    .mutation(async ({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return taskView(ctx.stores, await ctx.core.tasks.cancel(id, ctx.actor));
    }),
  retry: decision
    .input(RetryTaskInput)
    .output(TaskView)
    .mutation(async ({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return taskView(ctx.stores, await ctx.core.tasks.retry(id, { fresh: input.fresh }, ctx.actor));
    }),
  interrupt: decision
    .input(TaskInput)
    .output(TaskView)
    .mutation(async ({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return taskView(ctx.stores, await ctx.core.tasks.interrupt(id, ctx.actor));
    }),
  move: decision
    .input(MoveTaskInput)
    .output(TaskView)
    .mutation(({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      const before = input.before === null ? null : findTask(ctx.stores, input.before).id;
      return taskView(ctx.stores, ctx.core.tasks.move(id, before, ctx.actor));
    }),
  diff: procedure
    .input(TaskInput)
    .output(DiffView)
    .query(async ({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return { taskId: id, diff: await ctx.core.tasks.diff(id) };
    }),
  /** One page of Signalbox's own copy of the conversation. */
  transcript: procedure
    .input(TranscriptInput)
    .output(z.array(TranscriptEntryView))
    .query(({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return ctx.stores.events.transcript(id, input.after, input.limit).map(transcriptEntryView);
    }),
  kept: procedure
    .output(z.array(KeptView))
    .query(async ({ ctx }) => (await ctx.core.tasks.kept()).map((kept) => keptView(ctx.stores, kept))),
  restore: decision
    .input(TaskInput)
    .output(RestoredView)
    .mutation(async ({ ctx, input }) => {
      const { id } = findTask(ctx.stores, input.task);
      return { taskId: id, ...(await ctx.core.tasks.restore(id, ctx.actor)) };
    }),
});
