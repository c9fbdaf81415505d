import { closest } from 'fastest-levenshtein';
import { AppError } from '../../src-shared/errors.ts';
import {
  ID_PREFIX,
  type ItemNumber,
  type ProjectId,
  type TaskId,
  type TaskNumber,
} from '../../src-shared/ids.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Task } from '../../src-shared/model/task.ts';
import type { Stores } from '../core/ports/stores.ts';

type Ref = string | number;

/** The name nearest to what was typed, or null when there is none to offer. */
export const nearest = (typed: string, known: readonly string[]): string | null =>
  known.length === 0 ? null : closest(typed, [...known]);

const numberOf = (ref: Ref): number | null => {
  if (typeof ref === 'number') return ref;
  return /^#?\d{1,15}$/.test(ref) ? Number(ref.replace('#', '')) : null;
};

/** Of numbers, the one nearest in value; the later one of two. */
const nearestNumber = (wanted: number, known: readonly number[]): number | null =>
  known.reduce<number | null>(
    (best, each) => (best === null || Math.abs(each - wanted) <= Math.abs(best - wanted) ? each : best),
    null,
  );

/** @throws AppError 'not-found' naming the nearest project */
export function findProject(stores: Stores, ref: string): Project {
  const byId = ref.startsWith(ID_PREFIX.project) ? stores.projects.get(ref as ProjectId) : null;
  const found = byId ?? stores.projects.byName(ref);
  if (found !== null) return found;
  const near = nearest(
    ref,
    stores.projects.list().map((project) => project.name),
  );
  throw new AppError('not-found', `No project is called "${ref}".`, {
    hint: near === null ? 'Register one: signalbox project add <path>' : `Did you mean "${near}"?`,
  });
}

/** @throws AppError 'not-found' naming the nearest task */
export function findTask(stores: Stores, ref: Ref): Task {
  const number = numberOf(ref);
  const found =
    number === null ? stores.tasks.get(String(ref) as TaskId) : stores.tasks.byNumber(number as TaskNumber);
  if (found !== null) return found;
  const all = stores.tasks.list();
  const near =
    number === null
      ? nearest(
          String(ref),
          all.map((task) => task.id),
        )
      : nearestNumber(
          number,
          all.map((task) => task.number),
        );
  throw new AppError('not-found', `There is no task ${ref}.`, {
    hint: near === null ? 'There are no tasks yet: signalbox task add' : `The nearest is ${near}.`,
  });
}

/** @throws AppError 'not-found' naming the nearest open item, else the nearest one */
export function findItem(stores: Stores, ref: Ref): Item {
  const number = numberOf(ref);
  const found = number === null ? null : stores.items.get(number as ItemNumber);
  if (found !== null) return found;
  const open = stores.items.list({ states: ['open'] });
  const numbers = (open.length > 0 ? open : stores.items.list()).map((item) => item.number);
  const near = nearestNumber(number ?? stores.items.greatestNumber(), numbers);
  throw new AppError('not-found', `There is no item ${ref}.`, {
    hint:
      near === null ? 'The inbox is empty.' : `The nearest ${open.length > 0 ? 'open ' : ''}item is ${near}.`,
  });
}
