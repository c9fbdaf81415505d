import type { BoardProjectView } from '../../../src-shared/api/board.ts';

/** Tall rows: something runs, or waits in the queue. */
export const isBusy = ({ slots, queue }: Pick<BoardProjectView, 'slots' | 'queue'>): boolean =>
  slots.length > 0 || queue.length > 0;

function rankOf(each: BoardProjectView): number {
  if (isBusy(each)) return 0;
  if (each.openItems > 0) return 1;
  return each.project.enabled ? 2 : 3;
}

/** Ids of projects: those that are busy, that wait for a person, that could start, that are off; by name in each. */
export function orderOf(projects: readonly BoardProjectView[]): readonly string[] {
  return [...projects]
    .sort((a, b) => rankOf(a) - rankOf(b) || a.project.name.localeCompare(b.project.name))
    .map(({ project }) => project.id);
}

/**
 * The order to show. While the board is in use it stays what it was, so that nothing moves under the pointer; projects
 * that came meanwhile stand at the end.
 *
 * @param kept what was shown last, null at first
 */
export function shownOrder(
  projects: readonly BoardProjectView[],
  kept: readonly string[] | null,
  isInUse: boolean,
): readonly string[] {
  const order = orderOf(projects);
  if (!isInUse || kept === null) return order;
  const known = kept.filter((id) => order.includes(id));
  return [...known, ...order.filter((id) => !known.includes(id))];
}
