import type { JournalId, TaskId } from '../../../src-shared/ids.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { JournalRow } from '../../core/ports/stores.ts';
import type { GitWorld } from './git-world.ts';

export type Intent =
  'make-tree' | 'commit' | 'keep' | 'lay-merge' | 'take-merge-back' | 'merge' | 'remove-tree' | 'restore';

/** Writes down what is about to be done, committed before it is done. */
export function openRow(
  world: GitWorld,
  project: Project,
  taskId: TaskId | null,
  intent: Intent,
  data: JournalRow['data'],
): JournalId {
  const id = world.ids.next('journal');
  world.stores.transaction(() =>
    world.stores.journal.insert({
      id,
      projectId: project.id,
      taskId,
      intent,
      data,
      state: 'open',
      createdAt: world.clock.now(),
      settledAt: null,
    }),
  );
  return id;
}

/** Settles a row together with what follows from it. */
export function settleRow(
  world: GitWorld,
  id: JournalId,
  state: 'done' | 'undone',
  also: () => void = () => undefined,
): void {
  world.stores.transaction(() => {
    world.stores.journal.settle(id, state, world.clock.now());
    also();
  });
}

export const openRowsOf = (world: GitWorld, taskId: TaskId): readonly JournalRow[] =>
  world.stores.journal.open().filter((row) => row.taskId === taskId);
