import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import type { TaskId, TurnId } from '../../../src-shared/ids.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { ApiWorld } from '../../support/api-world.ts';
import { StoreBench } from './opened.ts';

const EVENTS = 100_000;

test('a task with 100,000 events opens on its newest page in less than 300 ms, as from any place in it', async () => {
  using world = new ApiWorld();
  const { services, stores } = world;
  const task = services.addTask(services.addProject(), { state: 'running' });
  const turn = services.addTurn(task, { from: services.clock.now(), to: null });
  const at = services.clock.now();
  const event = { kind: 'assistant', text: 'one more line of a long conversation '.repeat(8) } as const;
  for (let done = 0; done < EVENTS; done += 10_000) {
    const batch = Array.from({ length: 10_000 }, (_each, index) => ({
      taskId: task.id,
      turnId: turn.id,
      seq: done + index + 1,
      at: epochMs(at + done + index),
      event,
    }));
    stores.events.append(batch, []);
  }
  await world.call.task.events({ task: task.number, limit: 1 });
  const timed = async (input: { after?: number; before?: number }): Promise<number> => {
    const from = performance.now();
    const page = await world.call.task.events({ task: task.number, limit: 200, ...input });
    const took = performance.now() - from;
    expect([page.events.length, page.total]).toEqual([200, EVENTS]);
    return took;
  };
  const newest = await timed({});
  const middle = await timed({ before: EVENTS / 2 });
  const oldest = await timed({ after: 0 });
  expect(Math.max(newest, middle, oldest)).toBeLessThan(300);
});

test('the first event at or after a moment is found, wherever the moment lies', () => {
  using bench = new StoreBench();
  const { events } = bench.open();
  const [a, b] = ['tsk_a' as TaskId, 'tsk_b' as TaskId];
  const turnId = 'trn_a' as TurnId;
  const event = { kind: 'assistant', text: 'x' } as const;
  // Events of another task lie between those of this one.
  const moments = [10, 10, 20, 35, 50];
  moments.forEach((moment, index) => {
    events.append(
      [a, b].map((taskId) => ({ taskId, turnId, seq: index + 1, at: epochMs(moment), event })),
      [],
    );
  });
  const ids = events.page(a, 0, 10).map(({ id }) => id);
  const indexOf = (moment: number): number => ids.indexOf(events.firstSince(a, epochMs(moment)) ?? -1);
  expect([0, 10, 11, 20, 21, 35, 36, 50].map(indexOf)).toEqual([0, 0, 2, 2, 3, 3, 4, 4]);
  expect([events.firstSince(a, epochMs(51)), events.firstSince('tsk_none' as TaskId, epochMs(0))]).toEqual([
    null,
    null,
  ]);
  expect([events.count(a), events.count('tsk_none' as TaskId)]).toEqual([5, 0]);
});

test('the number of events stays right while some come and old ones are deleted', () => {
  using world = new ApiWorld();
  const { services, stores } = world;
  const project = services.addProject();
  const task = services.addTask(project, { state: 'running' });
  const turn = services.addTurn(task, { from: services.clock.now(), to: null });
  const add = (from: number, count: number): void =>
    stores.events.append(
      Array.from({ length: count }, (_each, index) => ({
        taskId: task.id,
        turnId: turn.id,
        seq: from + index,
        at: epochMs(from + index),
        event: { kind: 'assistant', text: 'x' } as const,
      })),
      [],
    );
  const count = (): number => stores.events.count(task.id);
  expect(count()).toBe(0);
  add(1, 3);
  expect([count(), count()]).toEqual([3, 3]);
  add(4, 2);
  expect(count()).toBe(5);
  stores.events.deleteBefore(project.id, 'events', epochMs(3));
  expect(count()).toBe(3);
  add(6, 1);
  expect(count()).toBe(4);
  stores.events.deleteBefore(project.id, 'events', epochMs(1000));
  expect(count()).toBe(0);
  add(7, 2);
  expect(count()).toBe(2);
});

test("a turn's tools are counted by name and path, without those of other turns", () => {
  using bench = new StoreBench();
  const { events } = bench.open();
  const task = 'tsk_a' as TaskId;
  const tool = (turn: string, name: string, path: string | null, at: number) => ({
    taskId: task,
    turnId: turn as TurnId,
    seq: at,
    at: epochMs(at),
    event: { kind: 'tool', id: `t${at}`, name, input: '{}', path } as const,
  });
  events.append(
    [
      tool('trn_a', 'Read', 'a.ts', 1),
      tool('trn_b', 'Read', 'a.ts', 2),
      tool('trn_b', 'Grep', null, 3),
      tool('trn_b', 'Read', 'a.ts', 4),
      { ...tool('trn_b', '', null, 5), event: { kind: 'assistant', text: 'done' } as const },
    ],
    [],
  );
  expect(events.toolUses(task, 'trn_b' as TurnId, 1)).toEqual([
    { name: 'Read', path: 'a.ts', uses: 2, firstAt: 2, lastAt: 4 },
    { name: 'Grep', path: null, uses: 1, firstAt: 3, lastAt: 3 },
  ]);
});
