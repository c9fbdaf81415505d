import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineWorld, FakeExecutor, PERSON, question } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

const DAY_MS = 24 * 3600 * 1000;

let folder: TempFolder;
beforeEach(() => {
  folder = makeTempFolder('long-wait');
});
afterEach(() => folder.dispose());

/** The wall clock moves on, as over nights with the lid closed, and the hub takes a look. */
function sleepFor(world: EngineWorld, ms: number): void {
  world.clock.set(world.clock.now() + ms);
  world.clock.advance(31_000);
}

test('a question that was open for seven days over two restarts is answered once and delivered once', async () => {
  const executor = new FakeExecutor();
  executor.script = [{ outcome: question() }];
  const first = new EngineWorld(folder.path, { seed: 1, executor });
  await first.engine.start();
  const task = first.addTask(first.addProject().id);
  await first.untilState(task.id, 'awaiting_human');
  const number = first.open()[0]?.number;
  if (number === undefined) throw new Error('no item');
  sleepFor(first, 3 * DAY_MS);
  await first.dispose();

  const second = new EngineWorld(folder.path, { seed: 2, executor });
  second.clock.set(first.clock.now());
  await second.engine.start();
  sleepFor(second, 4 * DAY_MS);
  expect(second.open()).toHaveLength(1);
  second.core.inbox.answerOption(number, '2', PERSON);
  second.crash();

  const third = new EngineWorld(folder.path, { seed: 3, executor });
  third.clock.set(second.clock.now());
  await third.engine.start();
  await third.untilState(task.id, 'awaiting_approval');
  expect(executor.sent.filter((each) => /^no$/m.test(each.prompt))).toHaveLength(1);
  expect(() => third.core.inbox.answer(number, 'again', PERSON)).toThrow(/closed/);
  const resumed = third.stores.ledger.page({ kind: 'harness.resume' });
  expect(resumed.map((entry) => Math.floor(Number(entry.data['waitedMs']) / DAY_MS))).toEqual([7]);
  await third.dispose();
});

test('a clock that goes back neither loses an answer nor gives the day its calls again', async () => {
  const world = new EngineWorld(folder.path, { seed: 1 });
  await world.engine.start();
  const project = world.addProject({ settings: { callsPerDay: 1 } });
  const first = world.addTask(project.id);
  await world.untilState(first.id, 'awaiting_approval');
  world.clock.set(world.clock.now() - 2 * DAY_MS);
  world.addTask(project.id);
  expect((await world.engine.idle()).onHold.join()).toContain('The calls of today are used up: 1 of 1');
  expect(world.executor.requests).toHaveLength(1);
  await world.dispose();
});

test('a machine that slept goes on: what became due meanwhile is done at the next look', async () => {
  const world = new EngineWorld(folder.path, { seed: 1 });
  world.executor.script = [{ outcome: question() }];
  await world.engine.start();
  const task = world.addTask(world.addProject().id);
  await world.untilState(task.id, 'awaiting_human');
  world.core.inbox.answer(world.open()[0]?.number ?? (0 as never), 'yes', { name: 'asha', via: 'web' });
  world.clock.set(world.clock.now() + 8 * 3600 * 1000);
  world.clock.advance(1000);
  await world.untilState(task.id, 'awaiting_approval');
  await world.dispose();
});
