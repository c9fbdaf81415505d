import { describe, expect, test } from 'vitest';
import { isAppError } from '../../../src-shared/errors.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { findItem, findProject, findTask } from '../../../src-main/api/lookup.ts';
import { openStore, type SqliteStores } from '../../../src-main/store/open-store.ts';
import { makeProject } from '../../support/core-builders.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { TestIds } from '../../support/test-ids.ts';

function withStore(work: (stores: SqliteStores) => void): void {
  using folder = makeTempFolder('lookup');
  const stores = openStore({ folder: folder.path, clock: new FakeClock(), ids: new TestIds() });
  try {
    work(stores);
  } finally {
    stores.dispose();
  }
}

const hintOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (isAppError(error, 'not-found')) return error.hint;
    throw error;
  }
  throw new Error('Nothing was thrown.');
};

const task = (stores: SqliteStores, projectId: Task['projectId'], id: string): Task =>
  stores.tasks.insert({
    id: id as TaskId,
    projectId,
    title: 'x',
    description: '',
    state: 'ready',
    position: 1,
    runId: null,
    endedReason: null,
    createdAt: epochMs(1),
    updatedAt: epochMs(1),
    readyAt: epochMs(1),
  });

describe('names and numbers that a person types', () => {
  test('find a project by name or id, and name the nearest one else', () => {
    withStore((stores) => {
      expect(hintOf(() => findProject(stores, 'shop'))).toBe('Register one: signalbox project add <path>');
      const shop = makeProject({ name: 'shop' });
      stores.projects.insert(shop);
      stores.projects.insert(makeProject({ name: 'billing' }));
      expect(findProject(stores, 'shop').id).toBe(shop.id);
      expect(findProject(stores, shop.id).name).toBe('shop');
      expect(hintOf(() => findProject(stores, 'shpo'))).toBe('Did you mean "shop"?');
    });
  });

  test('find a task by number, with or without #, or by id', () => {
    withStore((stores) => {
      const project = makeProject();
      stores.projects.insert(project);
      expect(hintOf(() => findTask(stores, '1'))).toBe('There are no tasks yet: signalbox task add');
      const first = task(stores, project.id, 'tsk_a');
      task(stores, project.id, 'tsk_b');
      expect([1, '1', '#1', 'tsk_a'].map((ref) => findTask(stores, ref).id)).toEqual(Array(4).fill(first.id));
      expect(hintOf(() => findTask(stores, '14'))).toBe('The nearest is 2.');
      expect(hintOf(() => findTask(stores, 'tsk_c'))).toMatch(/^The nearest is tsk_[ab]\.$/);
      expect(hintOf(() => findTask(stores, '-1'))).toBeDefined();
    });
  });

  test('find no item in an empty inbox, and say so', () => {
    withStore((stores) => {
      expect(hintOf(() => findItem(stores, 'x'))).toBe('The inbox is empty.');
      expect(hintOf(() => findItem(stores, 3))).toBe('The inbox is empty.');
    });
  });
});
