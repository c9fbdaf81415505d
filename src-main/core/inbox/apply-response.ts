import { AppError } from '../../../src-shared/errors.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
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
    if (waitsForMerge(deps, acted)) deps.stores.items.update({ ...acted, delivery: 'stored' });
    deps.feed.itemChanged(item.number);
    return deps.stores.items.get(item.number) ?? acted;
  });
}

/** A merge is the hub's to do, and none may run: until it has tried, nobody has acted on the decision. */
const waitsForMerge = (deps: CoreDeps, item: Item): boolean =>
  item.taskId !== null && taskOf(deps, item.taskId).state === 'merging';

/** The merge was tried: decisions that waited for it are acted on, whatever became of it. */
export function mergeTried(deps: Pick<CoreDeps, 'stores' | 'feed'>, taskId: TaskId): void {
  for (const item of deps.stores.items.list({ taskId, states: ['approved', 'resolved'] })) {
    if (item.delivery !== 'stored') continue;
    deps.stores.items.update({ ...item, delivery: 'none' });
    deps.feed.itemChanged(item.number);
  }
}

/**
 * A text for the agent stays `stored` until a launch carries it, an approval until the hub merges. Any other decision
 * goes to no agent: it is done with the act, and nobody has to see it.
 */
function deliveryAfter(item: Item): Item['delivery'] {
  const isForAgent = item.state === 'answered' || item.state === 'sent_back' || item.action === 'answer';
  return isForAgent ? 'stored' : 'none';
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
