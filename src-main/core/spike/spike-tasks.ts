import { AppError } from '../../../src-shared/errors.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Spike } from '../../../src-shared/model/spike.ts';
import { isEnded, type Task } from '../../../src-shared/model/task.ts';
import { spikeOf } from '../limits/caps.ts';
import type { Stores } from '../ports/stores.ts';
import { TASKS_THAT_COUNT } from './decide-spike.ts';

/**
 * A spike's own tasks: those added to its projects since its start, but for drafts, which wait for their person.
 * What was there before it is its person's: it may run meanwhile, and the end of the spike leaves it alone.
 */
export const ownTasks = (stores: Pick<Stores, 'tasks'>, spike: Spike): readonly Task[] =>
  spike.projectIds.flatMap((projectId) =>
    stores.tasks
      .list({ projectId })
      .filter(
        (task) =>
          task.createdAt >= spike.startedAt &&
          task.state !== 'draft' &&
          (spike.endedAt === null || task.createdAt <= spike.endedAt),
      ),
  );

/** Those of its own tasks that its end will cancel. */
export const openTasksOf = (stores: Pick<Stores, 'tasks'>, spike: Spike): readonly Task[] =>
  ownTasks(stores, spike).filter((task) => !isEnded(task.state));

/** The agent that a spike uses, by the entry of its start: what its projects name may have changed after its end. */
export function agentOfSpike(stores: Pick<Stores, 'ledger' | 'projects'>, spike: Spike): string {
  const started = stores.ledger
    .page({ kind: 'spike.started', since: spike.startedAt })
    .find((entry) => entry.data['spike'] === spike.id);
  const named = started?.data['agent'];
  if (typeof named === 'string') return named;
  const [projectId] = spike.projectIds;
  const project = projectId === undefined ? null : stores.projects.get(projectId);
  return project?.settings.agent ?? 'claude';
}

/**
 * Refuses one task more than a spike takes of each project (10-relay, Stop condition of a spike). Called in the
 * transaction that adds or submits the task; one that was cancelled before it ran takes no place.
 *
 * @throws AppError 'cap-reached'
 */
export function requireRoomInSpike(
  stores: Pick<Stores, 'tasks' | 'spikes'>,
  project: Pick<Project, 'id' | 'name'>,
): void {
  const spike = spikeOf(project, stores.spikes.current());
  if (spike === null) return;
  const own = ownTasks(stores, spike).filter(
    (task) => task.projectId === project.id && (task.state !== 'cancelled' || task.runId !== null),
  );
  if (own.length < TASKS_THAT_COUNT) return;
  throw new AppError(
    'cap-reached',
    `A spike runs over ${project.name} and takes at most ${TASKS_THAT_COUNT} tasks of each project; it has ` +
      `${own.map((task) => `#${task.number}`).join(', ')} already.`,
    {
      hint: 'Keep it as a draft (--draft) until the spike has ended, or end the spike: signalbox spike stop',
    },
  );
}
