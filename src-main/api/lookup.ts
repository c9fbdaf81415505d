import { AppError } from '../../src-shared/errors.ts';
import {
  ID_PREFIX,
  type ItemNumber,
  type ProjectId,
  type TaskId,
  type TaskNumber,
} from '../../src-shared/ids.ts';
import { nearName } from '../../src-shared/near-name.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Task } from '../../src-shared/model/task.ts';
import type { Stores } from '../core/ports/stores.ts';

type Ref = string | number;

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
  const names = stores.projects.list().map((project) => project.name);
  const near = nearName(ref, names);
  const all =
    names.length === 0 ? 'Register one: signalbox project add <path>' : 'All of them: signalbox project list';
  throw new AppError('not-found', `No project is called "${ref}".`, {
    hint: near === null ? all : `Did you mean "${near}"?`,
  });
}

function taskHint(ref: Ref, all: readonly Task[]): string {
  const number = numberOf(ref);
  if (all.length === 0) return 'There are no tasks yet: signalbox task add';
  if (number === null) {
    const ids = all.map((task) => task.id);
    const near = String(ref).startsWith(ID_PREFIX.task) ? nearName(String(ref), ids) : null;
    if (near !== null) return `The nearest is ${near}.`;
    return 'A task has a number, and an id that begins with tsk_: signalbox task list';
  }
  const numbers = all.map((task) => task.number);
  return `The nearest is ${nearestNumber(number, numbers)}.`;
}

/** @throws AppError 'not-found' naming the nearest task */
export function findTask(stores: Stores, ref: Ref): Task {
  const number = numberOf(ref);
  const found =
    number === null ? stores.tasks.get(String(ref) as TaskId) : stores.tasks.byNumber(number as TaskNumber);
  if (found !== null) return found;
  const all = stores.tasks.list();
  throw new AppError('not-found', `There is no task ${ref}.`, { hint: taskHint(ref, all) });
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
