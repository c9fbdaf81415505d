import type { ProjectId } from '../../../src-shared/ids.ts';
import { isEnded } from '../../../src-shared/model/task.ts';
import { millis } from '../../../src-shared/time.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { Leftover } from '../ports/leftovers.ts';

const DAY_MS = 24 * 3600 * 1000;

/**
 * Whether files that left a tree may go: their task has ended, no kept state of it names them, and they are older
 * than the project keeps test output, most of them being that. What belongs to no task that we know is left.
 */
function isDue(deps: Pick<CoreDeps, 'stores' | 'clock'>, leftover: Leftover): ProjectId | null {
  const { stores, clock } = deps;
  const task = stores.tasks.get(leftover.taskId);
  const project = task === null ? null : stores.projects.get(task.projectId);
  if (task === null || project === null || !isEnded(task.state)) return null;
  if (stores.kept.list().some((kept) => kept.taskId === task.id)) return null;
  const days = project.settings.keepTestOutputDays;
  return days !== null && leftover.at < clock.now() - millis(days * DAY_MS) ? project.id : null;
}

/** Removes leftovers that are due, with one ledger entry of their number per project. */
export async function discardLeftovers(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'log' | 'leftovers'>,
): Promise<void> {
  const removed = new Map<ProjectId, number>();
  for (const leftover of (await deps.leftovers?.list()) ?? []) {
    const projectId = isDue(deps, leftover);
    if (projectId === null) continue;
    try {
      await deps.leftovers?.remove(leftover);
      removed.set(projectId, (removed.get(projectId) ?? 0) + 1);
    } catch (error) {
      deps.log.warn('Leftovers of a task could not be removed; it is tried again.', {
        taskId: leftover.taskId,
        error,
      });
    }
  }
  for (const [projectId, leftovers] of removed) {
    deps.stores.ledger.append({
      kind: 'retention.deleted',
      projectId,
      project: deps.stores.projects.get(projectId)?.name ?? null,
      data: { by: 'signalbox', leftovers },
    });
  }
}
