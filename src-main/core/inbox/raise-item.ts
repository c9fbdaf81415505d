import { assertNever } from '../../../src-shared/errors.ts';
import type { ItemNumber, TaskId } from '../../../src-shared/ids.ts';
import type { ApproveOffer, Item, ItemAction, ItemCause, ItemState } from '../../../src-shared/model/item.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { secondsBetween } from '../../../src-shared/time.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { ACTIONS_OF } from './item-actions.ts';

export type ItemDeps = Pick<CoreDeps, 'stores' | 'clock' | 'feed'>;

export type NewItem =
  | {
      readonly kind: 'specify';
      readonly task: Task;
      readonly agent: string;
      readonly question: string;
      readonly options: readonly string[];
      readonly summary: string;
      readonly cycle: number;
    }
  | {
      readonly kind: 'approve';
      readonly task: Task;
      readonly agent: string;
      readonly summary: string;
      readonly offer: ApproveOffer;
    }
  | {
      readonly kind: 'review' | 'manual';
      readonly cause: ItemCause;
      /** Null for a state of the whole hub. */
      readonly task: Task | null;
      readonly project: Project | null;
      /** Our own sentence: what happened and what to do. */
      readonly message: string;
      readonly details?: readonly string[];
      /** Instead of those of the cause. */
      readonly actions?: readonly ItemAction[];
      /** The agent's own words where the cause is a question of its; `cycle` comes with them. */
      readonly question?: string;
      readonly options?: readonly string[];
      readonly summary?: string;
      readonly cycle?: number;
    };

/** An item that nobody has responded to, or whose response was taken back. */
export const UNANSWERED = {
  state: 'open',
  action: null,
  respondedAt: null,
  respondedBy: null,
  respondedVia: null,
  dispatchAt: null,
  delivery: 'none',
} as const satisfies Partial<Item>;

/** Raises an item with its ledger entry, in the caller's transaction or one of its own. */
export function raiseItem(deps: ItemDeps, input: NewItem): Item {
  return deps.stores.transaction(() => {
    const item = deps.stores.items.insert({ ...common(deps, input), ...specific(input) });
    deps.stores.ledger.append({
      kind: 'item.raised',
      projectId: item.projectId,
      project: item.projectId === null ? null : (deps.stores.projects.get(item.projectId)?.name ?? null),
      taskId: item.taskId,
      item: item.number,
      data: {
        kind: item.kind,
        raisedBy: item.raisedBy,
        ...(item.cause === null ? {} : { cause: item.cause }),
      },
    });
    deps.feed.itemChanged(item.number);
    return item;
  });
}

function common(deps: ItemDeps, input: NewItem): Omit<Item, 'number'> {
  const task = input.task;
  const projectId =
    task?.projectId ??
    (input.kind === 'specify' || input.kind === 'approve' ? null : (input.project?.id ?? null));
  return {
    kind: input.kind,
    ...UNANSWERED,
    projectId,
    taskId: task?.id ?? null,
    runId: task?.runId ?? null,
    raisedBy: 'signalbox',
    raisedAt: deps.clock.now(),
    cause: null,
    question: '',
    options: [],
    summary: '',
    cycle: null,
    offer: null,
    actions: [],
    details: [],
    answer: null,
  };
}

function specific(input: NewItem): Partial<Item> {
  switch (input.kind) {
    case 'specify':
      return {
        raisedBy: input.agent,
        question: input.question,
        options: input.options,
        summary: input.summary,
        cycle: input.cycle,
      };
    case 'approve':
      return { raisedBy: input.agent, summary: input.summary, offer: input.offer };
    case 'review':
    case 'manual':
      return {
        cause: input.cause,
        question: input.question ?? input.message,
        summary: input.summary ?? '',
        options: input.options ?? [],
        cycle: input.cycle ?? null,
        actions: input.actions ?? ACTIONS_OF[input.cause],
        // Beside a question of the agent's our own sentence is the first detail, never part of the agent's words.
        details: [...(input.question === undefined ? [] : [input.message]), ...(input.details ?? [])],
      };
    default:
      return assertNever(input, 'item kind');
  }
}

/** Closes an item that no person answered: its task ended, or its cause is gone. Closing twice does nothing. */
export function closeItem(
  deps: ItemDeps,
  number: ItemNumber,
  state: Extract<ItemState, 'cancelled' | 'expired' | 'resolved'>,
  reason: string,
): void {
  deps.stores.transaction(() => {
    const item = deps.stores.items.get(number);
    if (item === null || item.state !== 'open') return;
    const now = deps.clock.now();
    deps.stores.items.update({
      ...item,
      state,
      action: reason,
      respondedAt: now,
      respondedBy: 'signalbox',
      respondedVia: 'system',
    });
    deps.stores.ledger.append({
      kind: 'item.closed',
      projectId: item.projectId,
      project: item.projectId === null ? null : (deps.stores.projects.get(item.projectId)?.name ?? null),
      taskId: item.taskId,
      item: item.number,
      data: {
        kind: item.kind,
        state,
        reason,
        waitedMs: Math.round(secondsBetween(item.raisedAt, now) * 1000),
      },
    });
    deps.feed.itemChanged(number);
  });
}

/** Items close with their task; an answer that was not yet delivered is then shown as failed, never as accepted. */
export function closeItemsOfTask(deps: ItemDeps, taskId: TaskId, reason: string): void {
  deps.stores.transaction(() => {
    for (const item of deps.stores.items.list({ taskId })) {
      if (item.state === 'open') closeItem(deps, item.number, 'cancelled', reason);
      else if (item.delivery === 'stored' || item.delivery === 'sending') {
        deps.stores.items.update({ ...item, delivery: 'failed' });
        deps.feed.itemChanged(item.number);
      }
    }
  });
}
