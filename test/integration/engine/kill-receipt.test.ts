import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KillReceipt } from '../../../src-main/core/services.ts';
import type { ProcessRef } from '../../../src-main/core/ports/world.ts';
import { EngineWorld, PERSON } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;
/** Processes with the mark of this data folder. */
let marked: ProcessRef[];
/** Those of them that nothing ends. */
let alive: number[];

beforeEach(() => {
  folder = makeTempFolder('kill-receipt');
  world = new EngineWorld(folder.path);
  marked = [];
  alive = [];
  Object.assign(world.deps.processes, {
    findMarked: () => Promise.resolve([...marked]),
    endAllMarked: () => {
      const ended = marked.map(({ pid }) => pid).filter((pid) => !alive.includes(pid));
      marked = marked.filter(({ pid }) => alive.includes(pid));
      return Promise.resolve({ ended, alive: [...alive] });
    },
  });
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const process = (pid: number): ProcessRef => ({ pid, processStart: null, mark: `${world.stores.hubId}:att` });

/** Two tasks in the middle of a turn. */
async function twoRunning() {
  world.executor.script = [{ hold: true }, { hold: true }];
  await world.engine.start();
  const project = world.addProject({ slots: 2 });
  const tasks = [world.addTask(project.id), world.addTask(project.id)];
  await world.until('both run', () => world.executor.sent.length === 2);
  marked = [process(90_001), process(90_002)];
  return tasks.map(({ id }) => id).sort();
}

const kill = (): Promise<KillReceipt> => world.core.switches.kill('Wrong branch.', PERSON);
const booked = () => world.stores.ledger.page({ kind: 'kill.receipt', newest: true, limit: 9 });

/** How the switch comes to be engaged before the command that made the file has its answer. */
const WAYS: Record<string, () => Promise<KillReceipt>> = {
  'asks first': kill,
  'asks while the hub acts on the file': async () => {
    world.killFile.write('Wrong branch.');
    world.clock.advance(1000);
    return await kill();
  },
  'asks after the hub has acted on the file': async () => {
    world.killFile.write('Wrong branch.');
    world.clock.advance(1000);
    await world.until('the file is acted on', () => booked().length === 1);
    return await kill();
  },
};

describe('the receipt of the kill switch', () => {
  test.each(Object.entries(WAYS))(
    'names every process, every task and the cost for whoever %s, and is booked once',
    async (_name, ask) => {
      const tasks = await twoRunning();
      const receipt = await ask();
      expect([...receipt.tasks].sort()).toEqual(tasks);
      expect(receipt.ended).toEqual(expect.arrayContaining([90_001, 90_002]));
      const cost = tasks.reduce((sum, taskId) => sum + world.stores.turns.booked({ taskId }), 0);
      expect(cost).toBeGreaterThan(0);
      expect(receipt.costMicroUsd).toBe(cost);
      expect(booked().map(({ data }) => data)).toEqual([
        { ended: [...receipt.ended], alive: [], tasks: 2, costMicroUsd: cost },
      ]);
    },
  );

  test('of a further stop while nothing runs ends nothing, and is not booked', async () => {
    await twoRunning();
    await kill();
    expect(await kill()).toEqual({ ended: [], alive: [], tasks: [], costMicroUsd: 0 });
    expect(booked()).toHaveLength(1);
  });

  test('of a further stop names what this one ended, and is booked', async () => {
    await twoRunning();
    alive = [90_002];
    expect((await kill()).alive).toEqual([90_002]);
    alive = [];
    expect(await kill()).toMatchObject({ ended: [90_002], alive: [] });
    expect(booked()).toHaveLength(2);
    expect(await world.core.switches.survivors()).toEqual([]);
  });

  test('names what somebody else ended while the hub hung', async () => {
    await twoRunning();
    // The command found the hub hanging and ended the processes itself: none of them is there any more.
    marked = [];
    const pids = world.stores.launches.live().map(({ pid }) => pid);
    expect(pids).toHaveLength(2);
    world.killFile.write('Wrong branch.');
    world.clock.advance(1000);
    await world.until('the file is acted on', () => booked().length === 1);
    expect(booked()[0]?.data['ended']).toEqual(pids);
  });
});
