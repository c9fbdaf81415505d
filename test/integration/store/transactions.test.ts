import { expect, test } from 'vitest';
import type { TaskId } from '../../../src-shared/ids.ts';
import { HOSTILE, PROJECT, TASK, TURN, addGraph, item, project, task } from './models.ts';
import { StoreBench } from './opened.ts';
import { epochMs } from '../../../src-shared/time.ts';

test('what a transaction threw away is gone, with the numbers it took', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  stores.projects.insert(project());
  expect(() =>
    stores.transaction(() => {
      stores.tasks.insert(task());
      stores.ledger.append({ kind: 'task.added' });
      throw new Error('on purpose');
    }),
  ).toThrow('on purpose');
  expect([stores.tasks.list(), stores.ledger.head().seq, stores.totals.totals('day')]).toEqual([[], 0, []]);
  expect(stores.tasks.insert(task()).number).toBe(1);
});

test('the number of a row that was deleted is never given again', async () => {
  using bench = new StoreBench();
  const first = bench.open();
  first.projects.insert(project());
  first.tasks.insert(task());
  first.items.insert(item({ taskId: null, runId: null }));
  first.dispose();
  const { default: Database } = await import('better-sqlite3');
  const raw = new Database(bench.file);
  raw.exec('DELETE FROM task; DELETE FROM item;');
  raw.close();
  const second = bench.open();
  expect(second.tasks.insert(task()).number).toBe(2);
  expect(second.items.insert(item({ taskId: null, runId: null })).number).toBe(2);
});

test('nested transactions join the outer one', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  stores.transaction(() => {
    stores.transaction(() => stores.projects.insert(project()));
    stores.transaction(() => stores.tasks.insert(task()));
  });
  expect(stores.tasks.count()).toBe(1);
  expect(() =>
    stores.transaction(() => {
      stores.transaction(() => stores.tasks.insert(task({ id: 'tsk_b' as TaskId })));
      throw new Error('late');
    }),
  ).toThrow('late');
  expect(stores.tasks.count()).toBe(1);
});

test('a nested transaction that failed takes the outer one with it, also when somebody caught the error', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  expect(() =>
    stores.transaction(() => {
      stores.projects.insert(project());
      try {
        stores.transaction(() => {
          stores.tasks.insert(task());
          throw new Error('inner');
        });
      } catch {
        // The half that was written must not be committed.
      }
    }),
  ).toThrow('none of it was stored');
  expect([stores.projects.list(), stores.tasks.list()]).toEqual([[], []]);
  stores.projects.insert(project());
  expect(stores.projects.get(PROJECT)?.name).toBe('shop');
});

test('work that waits is refused and rolled back', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  expect(() =>
    stores.transaction(() => {
      stores.projects.insert(project());
      return Promise.resolve();
    }),
  ).toThrow('must not wait');
  expect(stores.projects.list()).toEqual([]);
});

test('rows may be written in any order, and what refers to nothing fails the commit', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  stores.transaction(() => {
    stores.tasks.insert(task());
    stores.projects.insert(project());
  });
  expect(() => stores.transaction(() => stores.items.insert(item()))).toThrow('refused');
  expect([stores.tasks.count(), stores.items.list()]).toEqual([1, []]);
});

test('events within a transaction join it instead of waiting for it', () => {
  using bench = new StoreBench();
  const stores = bench.open({ busyTimeoutMs: 50 });
  addGraph(stores);
  const event = {
    taskId: TASK,
    turnId: TURN,
    seq: 1,
    at: epochMs(1),
    event: { kind: 'assistant', text: HOSTILE },
  };
  expect(() =>
    stores.transaction(() => {
      stores.events.append([event as never], []);
      expect(stores.events.last(TASK)?.id).toBe(1);
      throw new Error('back');
    }),
  ).toThrow('back');
  expect(stores.events.last(TASK)).toBeNull();
  stores.transaction(() => stores.events.append([event as never], []));
  stores.events.append([{ ...event, seq: 2 } as never], []);
  expect(stores.events.page(TASK, 0, 10).map(({ id, seq }) => [id, seq])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});
