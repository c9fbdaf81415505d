import type { Item } from '../../../src-shared/model/item.ts';
import { SAFETY_CAUSES } from '../inbox/item-actions.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { projectOf } from './moves.ts';

/**
 * Switches the project on again when a safety stop is among the items of a task with which a person goes on
 * (12-engine, States: keep and re-enable). Runs in the caller's transaction.
 */
export function switchOnAfter(deps: Pick<CoreDeps, 'stores' | 'feed'>, items: readonly Item[]): void {
  const stop = items.find((item) => item.cause !== null && SAFETY_CAUSES.has(item.cause));
  if (stop === undefined || stop.projectId === null) return;
  const project = projectOf(deps, stop.projectId);
  if (project.isEnabled) return;
  deps.stores.projects.update({ ...project, isEnabled: true, disabledReason: null });
  deps.stores.ledger.append({
    kind: 'project.enabled',
    projectId: project.id,
    project: project.name,
    item: stop.number,
    data: { by: 'item' },
  });
  deps.feed.projectChanged(project.id);
}
