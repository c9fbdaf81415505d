import type { ItemAction, ItemCause } from '../../../src-shared/model/item.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { shellWord } from '../../../src-shared/shell-word.ts';
import { raiseItem } from '../inbox/raise-item.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { moveTask, projectOf, taskFact, taskOf } from '../tasks/moves.ts';

export interface Parking {
  readonly kind: 'review' | 'manual';
  readonly cause: ItemCause;
  readonly message: string;
  readonly details?: readonly string[];
  /** Instead of those of the cause. */
  readonly actions?: readonly ItemAction[];
  readonly question?: string;
  readonly options?: readonly string[];
  readonly summary?: string;
  readonly cycle?: number;
}

/** Parks a task with the item that says why and how it goes on, in one transaction. */
export function parkTask(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'feed'>,
  task: Task,
  parking: Parking,
): void {
  deps.stores.transaction(() => {
    const current = taskOf(deps, task.id);
    raiseItem(deps, { ...parking, task: current, project: projectOf(deps, task.projectId) });
    moveTask(deps, current, 'park', parking.cause);
  });
}

/**
 * A safety stop: the task parks and dispatch for the project is switched off until a person looked (10-relay).
 *
 * @param rule machine-readable word for the ledger
 */
export function safetyStop(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'feed'>,
  task: Task,
  rule: string,
  parking: Parking,
): void {
  deps.stores.transaction(() => {
    const project = projectOf(deps, task.projectId);
    deps.stores.projects.update({ ...project, isEnabled: false, disabledReason: `safety stop: ${rule}` });
    deps.stores.ledger.append(taskFact(deps, task, 'safety.stop', { rule, places: parking.details ?? [] }));
    parkTask(deps, task, {
      ...parking,
      message: `${parking.message} The project is switched off. Going on with the task switches it on again; without that: signalbox project enable ${shellWord(project.name)}`,
    });
  });
  deps.feed.projectChanged(task.projectId);
}
