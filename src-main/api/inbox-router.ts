import { z } from 'zod';
import { definedFields } from '../../src-shared/api/common.ts';
import {
  AllowInput,
  AnswerInput,
  ApproveInput,
  DenyInput,
  ItemInput,
  ItemView,
  ListItemsInput,
  RejectInput,
  ResolveInput,
  SendBackInput,
} from '../../src-shared/api/item.ts';
import { InboxContextInput, InboxContextView } from '../../src-shared/api/inbox-context.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { ApiServices } from './context.ts';
import { closedToday, inboxContextView } from './inbox-context.ts';
import { findItem, findProject, findTask } from './lookup.ts';
import { decision, procedure, router } from './trpc.ts';
import { itemView } from './work-views.ts';

/**
 * The text that answers an item of one question, from a map of question → answer.
 *
 * @throws AppError 'usage' when the map does not name exactly that question
 */
export function answerFromMap(item: Item, answers: Readonly<Record<string, string>>): string {
  const questions = Object.keys(answers);
  const text = answers[item.question];
  if (questions.length !== 1 || text === undefined) {
    throw new AppError(
      'usage',
      `Item ${item.number} asks one question, and --answers must name exactly it, word for word.`,
      { hint: `Without naming it: signalbox answer ${item.number} --text "…"` },
    );
  }
  return text;
}

/** The offered commit for a beginning of its id; anything else stays as it is, to be refused as another one. */
export function wholeCommit(item: Item, given: string | undefined): string | undefined {
  const offered = item.offer?.commit;
  return given !== undefined && offered?.startsWith(given) === true ? offered : given;
}

/** A permission request lives only as long as the turn that asked; nothing asks once that has ended. */
function refusePermission(item: Item): never {
  if (item.kind !== 'permission') {
    throw new AppError('item-wrong-kind', `Item ${item.number} is no permission request (${item.kind}).`, {
      hint: `signalbox inbox show ${item.number} says what it takes.`,
    });
  }
  throw new AppError('item-closed', `The turn that asked for item ${item.number} has ended.`);
}

function listed(services: ApiServices, input: z.output<typeof ListItemsInput>): readonly Item[] {
  const { stores } = services;
  const filter = {
    ...(input.task === undefined ? {} : { taskId: findTask(stores, input.task).id }),
    ...(input.project === undefined ? {} : { projectId: findProject(stores, input.project).id }),
  };
  if (input.all) return stores.items.list(filter);
  const open = stores.items.list({ ...filter, states: ['open'] });
  if (!input.today) return open;
  const closed = closedToday(services).filter(
    (item) =>
      (filter.taskId === undefined || item.taskId === filter.taskId) &&
      (filter.projectId === undefined || item.projectId === filter.projectId),
  );
  return [...open, ...closed].sort((a, b) => a.number - b.number);
}

export const inboxRouter = router({
  /** Oldest first; open ones unless `all` or `today`. */
  list: procedure
    .input(ListItemsInput)
    .output(z.array(ItemView))
    .query(({ ctx, input }) => listed(ctx, input).map((item) => itemView(ctx, item))),
  /** What stands beside an item: what was asked, what the turn did, and the facts of it. */
  context: procedure
    .input(InboxContextInput)
    .output(InboxContextView)
    .query(({ ctx, input }) => inboxContextView(ctx, findItem(ctx.stores, input.item))),
  show: procedure
    .input(ItemInput)
    .output(ItemView)
    .query(({ ctx, input }) => itemView(ctx, findItem(ctx.stores, input.item))),
  answer: decision
    .input(AnswerInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => {
      const item = findItem(ctx.stores, input.item);
      const { reply } = input;
      const answered =
        reply.kind === 'option'
          ? ctx.core.inbox.answerOption(item.number, reply.option, ctx.actor)
          : ctx.core.inbox.answer(
              item.number,
              reply.kind === 'text' ? reply.text : answerFromMap(item, reply.answers),
              ctx.actor,
            );
      return itemView(ctx, answered);
    }),
  approve: decision
    .input(ApproveInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => {
      const { item: ref, ...options } = input;
      const item = findItem(ctx.stores, ref);
      const commit = wholeCommit(item, options.commit);
      const approved = ctx.core.inbox.approve(item.number, definedFields({ ...options, commit }), ctx.actor);
      return itemView(ctx, approved);
    }),
  reject: decision
    .input(RejectInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => {
      const { item: ref, ...options } = input;
      const { number } = findItem(ctx.stores, ref);
      return itemView(ctx, ctx.core.inbox.reject(number, definedFields(options), ctx.actor));
    }),
  sendBack: decision
    .input(SendBackInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => {
      const { number } = findItem(ctx.stores, input.item);
      return itemView(ctx, ctx.core.inbox.sendBack(number, input.note, ctx.actor));
    }),
  resolve: decision
    .input(ResolveInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => {
      const { number } = findItem(ctx.stores, input.item);
      const { action, value } = input;
      return itemView(ctx, ctx.core.inbox.resolve(number, action, value ?? null, ctx.actor));
    }),
  allow: decision
    .input(AllowInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => refusePermission(findItem(ctx.stores, input.item))),
  deny: decision
    .input(DenyInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => refusePermission(findItem(ctx.stores, input.item))),
  undo: decision
    .input(ItemInput)
    .output(ItemView)
    .mutation(({ ctx, input }) => {
      const { number } = findItem(ctx.stores, input.item);
      return itemView(ctx, ctx.core.inbox.undo(number, ctx.actor));
    }),
});
