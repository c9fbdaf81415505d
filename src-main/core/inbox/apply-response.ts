import { AppError } from '../../../src-shared/errors.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { endTask } from '../tasks/end-task.ts';
import { moveTask, runOf, taskOf } from '../tasks/moves.ts';
import { resolveAction } from './resolve-action.ts';

/**
 * Acts on a stored response once nobody can take it back any more: moves the task and says what the run does next,
 * in one transaction. Acting twice does nothing, as `dispatchAt` is cleared with the act.
 */
export function applyResponse(deps: CoreDeps, item: Item): Item {
  return deps.stores.transaction(() => {
    const current = deps.stores.items.get(item.number);
    if (current === null || current.dispatchAt === null) return current ?? item;
    const acted: Item = { ...current, dispatchAt: null, delivery: deliveryAfter(current) };
    deps.stores.items.update(acted);
    act(deps, acted);
    deps.feed.itemChanged(item.number);
    return deps.stores.items.get(item.number) ?? acted;
  });
}

/** A text for the agent stays `stored` until a launch carries it; a decision has arrived with the act. */
function deliveryAfter(item: Item): Item['delivery'] {
  const isForAgent = item.state === 'answered' || item.state === 'sent_back' || item.action === 'answer';
  return isForAgent ? 'stored' : 'seen';
}

function act(deps: CoreDeps, item: Item): void {
  if (item.taskId === null) return;
  const task = taskOf(deps, item.taskId);
  switch (item.state) {
    case 'answered':
      sendToAgent(deps, task, item, 'answer');
      return;
    case 'sent_back':
      sendToAgent(deps, task, item, 'send-back');
      return;
    case 'approved':
      approve(deps, task, item);
      return;
    case 'rejected':
      endTask(deps, task, 'cancel', 'rejected');
      return;
    case 'resolved':
      resolveAction(deps, task, item);
      return;
    case 'open':
    case 'allowed':
    case 'denied':
    case 'expired':
    case 'cancelled':
      throw new AppError(
        'internal',
        `Item #${item.number} is ${item.state}; there is no response to act on.`,
      );
  }
}

function sendToAgent(deps: CoreDeps, task: Task, item: Item, kind: 'answer' | 'send-back'): void {
  const run = runOf(deps, task);
  deps.stores.runs.update({ ...run, step: 'work', nextTurn: { kind, item: item.number } });
  moveTask(deps, task, kind === 'answer' ? 'answered' : 'send-back');
}

function approve(deps: CoreDeps, task: Task, item: Item): void {
  const run = runOf(deps, task);
  if (item.offer?.commit === null || item.offer === null) {
    endTask(deps, task, 'close', null);
    return;
  }
  deps.stores.runs.update({ ...run, step: 'merge', nextTurn: null });
  moveTask(deps, task, 'approve');
}
