import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';

export interface QueuedTask {
  readonly taskId: TaskId;
  readonly projectId: ProjectId;
  /** Goes on with something that waits (an answer, a note, failed tests); comes before fresh starts. */
  readonly isContinuation: boolean;
  readonly position: number;
}

/**
 * Order in which ready tasks are tried: in each project its queue's order with continuations first; between
 * projects in turns, beginning after the one that was served last, so that a long queue starves nobody.
 *
 * @param lastServed the project that got the last start; null at first
 */
export function planStarts(queue: readonly QueuedTask[], lastServed: ProjectId | null): readonly TaskId[] {
  const byProject = new Map<ProjectId, QueuedTask[]>();
  for (const task of queue) {
    const own = byProject.get(task.projectId);
    if (own === undefined) byProject.set(task.projectId, [task]);
    else own.push(task);
  }
  const projects = [...byProject.keys()].sort();
  const after = lastServed === null ? -1 : projects.findIndex((id) => id > lastServed);
  const rotated = after <= 0 ? projects : [...projects.slice(after), ...projects.slice(0, after)];
  const queues = rotated.map((id) => [...(byProject.get(id) ?? [])].sort(compareInQueue));
  const planned: TaskId[] = [];
  for (let round = 0; planned.length < queue.length; round += 1) {
    for (const own of queues) {
      const task = own[round];
      if (task !== undefined) planned.push(task.taskId);
    }
  }
  return planned;
}

const compareInQueue = (a: QueuedTask, b: QueuedTask): number =>
  Number(b.isContinuation) - Number(a.isContinuation) ||
  a.position - b.position ||
  (a.taskId < b.taskId ? -1 : 1);
