import type { Project } from '../../../src-shared/model/project.ts';
import type { Stores } from '../ports/stores.ts';
import type { Clock } from '../ports/world.ts';

const keyOf = (project: Pick<Project, 'id'>): string => `budget-wait:${project.id}`;

/** A person chose to wait for the next budget period: tasks then stay ready instead of raising items again. */
export function waitForBudget(
  stores: Pick<Stores, 'settings'>,
  clock: Clock,
  project: Pick<Project, 'id'>,
): void {
  stores.settings.set(keyOf(project), clock.startOfMonth(clock.now()));
}

/** Whether that choice still holds: it is over with the month in which it was made, or when the budget is raised. */
export const waitsForBudget = (
  stores: Pick<Stores, 'settings'>,
  clock: Clock,
  project: Pick<Project, 'id'>,
): boolean => stores.settings.get(keyOf(project)) === clock.startOfMonth(clock.now());

export const endBudgetWait = (stores: Pick<Stores, 'settings'>, project: Pick<Project, 'id'>): void =>
  stores.settings.remove(keyOf(project));
