import { AppError } from '../../../src-shared/errors.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import { isEnded } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { TaskEvent } from '../relay/task-states.ts';
import type { Actor } from '../services.ts';
import { moveTask, runOf, taskOf } from '../tasks/moves.ts';
import { UNANSWERED } from './raise-item.ts';

/** What the task does when a text for the agent is taken back, and the step its run rests at again. */
const BACK: Readonly<
  Record<'answered' | 'sent_back' | 'resolved', { readonly event: TaskEvent; readonly step: string }>
> = {
  answered: { event: 'undo-answer', step: 'work' },
  sent_back: { event: 'undo-send-back', step: 'approve' },
  resolved: { event: 'undo-resolve', step: 'work' },
};

/**
 * Takes a response back: before the hub acts on it, or, for a text that the agent is to read, as long as no call has
 * begun to carry it. The item is open again and keeps the text as a draft. One transaction.
 *
 * @throws AppError 'item-undo-too-late' saying why
 */
export function undoResponse(deps: CoreDeps, number: ItemNumber, actor: Actor): Item {
  return deps.stores.transaction(() => {
    const item = deps.stores.items.get(number);
    if (item === null) throw new AppError('not-found', `There is no item #${number}.`);
    if (item.state === 'open') {
      throw new AppError(
        'item-undo-too-late',
        `Item #${number} is open: there is no response to take back.`,
        {
          hint: `Look at it: signalbox inbox show ${number}`,
        },
      );
    }
    // Cleared in the transaction in which the hub acts on the response.
    const isPending = item.dispatchAt !== null;
    const why = isPending ? null : tooLate(deps, item);
    if (why !== null) throw tooLateError(deps, item, why);
    if (item.respondedBy !== actor.name) {
      throw tooLateError(deps, item, `only ${item.respondedBy ?? 'who answered'} can take it back`);
    }
    if (!isPending) putTaskBack(deps, item);
    const open: Item = { ...item, ...UNANSWERED };
    deps.stores.items.update(open);
    deps.stores.ledger.append({
      kind: 'item.undone',
      projectId: item.projectId,
      taskId: item.taskId,
      item: number,
      data: { kind: item.kind, by: actor.name, via: actor.via },
    });
    deps.feed.itemChanged(number);
    return open;
  });
}

function tooLateError(deps: CoreDeps, item: Item, why: string): AppError {
  const task = item.taskId === null ? null : deps.stores.tasks.get(item.taskId);
  const look = `Look at it: signalbox inbox show ${item.number}`;
  return new AppError(
    'item-undo-too-late',
    `The response to item #${item.number} cannot be taken back: ${why}.`,
    {
      hint:
        task === null || isEnded(task.state)
          ? look
          : `${look}, or end the task: signalbox task cancel ${task.number}`,
    },
  );
}

/** @returns null when nothing of the response has happened yet */
function tooLate(deps: CoreDeps, item: Item): string | null {
  if (item.respondedVia === 'system') return 'Signalbox closed the item by itself';
  if (!isForAgent(item) || item.taskId === null) return 'it was acted on when it was given';
  if (item.delivery === 'failed') return 'the task ended before it was delivered';
  if (item.delivery !== 'stored') return `it is ${DELIVERED[item.delivery]}`;
  const task = taskOf(deps, item.taskId);
  const next = task.runId === null ? null : runOf(deps, task).nextTurn;
  const waits =
    task.state === 'ready' &&
    task.runId === item.runId &&
    (next?.kind === 'answer' || next?.kind === 'send-back') &&
    next.item === item.number;
  return waits ? null : 'a call has begun to deliver it';
}

const DELIVERED: Readonly<Record<Exclude<Item['delivery'], 'stored' | 'failed'>, string>> = {
  none: 'no longer waiting for delivery',
  sending: 'being delivered to the agent now',
  delivered: 'delivered to the agent already',
  seen: 'delivered, and the agent has read it',
};

const isForAgent = (item: Item): boolean =>
  item.state === 'answered' ||
  item.state === 'sent_back' ||
  (item.state === 'resolved' && item.action === 'answer');

function putTaskBack(deps: CoreDeps, item: Item): void {
  if (item.taskId === null) return;
  if (item.state !== 'answered' && item.state !== 'sent_back' && item.state !== 'resolved') return;
  const { event, step } = BACK[item.state];
  const task = taskOf(deps, item.taskId);
  deps.stores.runs.update({ ...runOf(deps, task), step, nextTurn: null });
  moveTask(deps, task, event, item.state === 'resolved' ? item.cause : null);
}
