import type { Task } from '../../../src-shared/model/task.ts';
import { closeItemsOfTask } from '../inbox/raise-item.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { moveTask } from './moves.ts';

/**
 * Ends a task and closes its items, in one transaction. Its tree is removed by the hub afterwards, with what is
 * dirty in it kept on a side ref.
 */
export function endTask(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'feed'>,
  task: Task,
  event: 'cancel' | 'close' | 'merged' | 'leave-on-branch' | 'give-up',
  reason: string | null,
): Task {
  return deps.stores.transaction(() => {
    const ended = moveTask(deps, task, event, reason);
    closeItemsOfTask(deps, task.id, `task ${ended.state}`);
    return ended;
  });
}
