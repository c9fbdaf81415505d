import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { slotsInUse } from '../../../src-main/core/projects/project-figures.ts';
import type { Stores } from '../../../src-main/core/ports/stores.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { EngineWorld, PERSON } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;
let isFull: boolean;

const refuse = (): never => {
  throw new AppError('disk-full', 'The disk is full.');
};

/** Every write of the store fails while the disk is full; what is read is read. */
const onFullDisk = (stores: Stores): Stores => {
  const WRITES = /^(insert|update|put|set|remove|append)/;
  const noun = (target: object): object =>
    new Proxy(target, {
      get(of, key) {
        const value: unknown = Reflect.get(of, key);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (isFull && WRITES.test(String(key))) refuse();
          return Reflect.apply(value, of, args) as unknown;
        };
      },
    });
  return new Proxy(stores, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'function') return value.bind(target) as unknown;
      return typeof value === 'object' && value !== null ? noun(value) : value;
    },
  });
};

beforeEach(() => {
  isFull = false;
  folder = makeTempFolder('full-disk');
  world = new EngineWorld(folder.path, { wrap: onFullDisk });
});
afterEach(async () => {
  isFull = false;
  await world.dispose();
  folder.dispose();
});

async function running() {
  world.executor.script = [{ hold: true }];
  await world.engine.start();
  const project = world.addProject();
  const task = world.addTask(project.id);
  await world.until('running', () => world.executor.sent.length === 1);
  return { project, task };
}

const leftovers = (project: { readonly id: ReturnType<EngineWorld['addProject']>['id'] }) => ({
  turns: world.stores.turns.running().length,
  launches: world.stores.launches.live().length,
  slots: slotsInUse(world.stores, project),
});
const NOTHING_LEFT = { turns: 0, launches: 0, slots: 0 };

/** What the file system lets through when the disk is full. */
const FILES = {
  'a kill file without its text': (reason: string) => (isFull ? '' : reason),
  'no kill file at all': (reason: string) => (isFull ? refuse() : reason),
};

describe('a kill switch on a full disk', () => {
  test.each(Object.entries(FILES))(
    'ends every process with %s, and keeps its reason; all of it is written once there is room',
    async (_name, take) => {
      const { project, task } = await running();
      const write = world.killFile.write;
      world.killFile.write = (reason) => write(take(reason));
      isFull = true;
      const receipt = await world.core.switches.kill('Wrong branch.', PERSON);
      expect(receipt.tasks).toEqual([task.id]);
      expect(world.executor.live).toBe(0);
      expect(world.core.switches.status().killed).toMatchObject({ reason: 'Wrong branch.', by: 'asha' });
      await world.clock.advanceAsync(10_000, 1000);
      expect(world.executor.requests).toHaveLength(1);

      isFull = false;
      world.clock.advance(1000);
      await world.until('settled', () => leftovers(project).turns === 0);
      expect(leftovers(project)).toEqual(NOTHING_LEFT);
      expect(world.task(task.id)).toMatchObject({
        state: 'ready',
        endedReason: 'cancelled by kill switch',
      });
      expect(world.stores.settings.get('kill')).toMatchObject({ reason: 'Wrong branch.', by: 'asha' });
      const kinds = world.ledgerKinds();
      for (const kind of ['kill.engaged', 'kill.receipt', 'harness.result'])
        expect(kinds.filter((each) => each === kind)).toEqual([kind]);

      world.core.switches.release(PERSON);
      await world.untilState(task.id, 'awaiting_approval');
    },
  );

  test('a release as soon as there is room leaves both in the ledger, the stop first', async () => {
    await running();
    isFull = true;
    await world.core.switches.kill('Wrong branch.', PERSON);
    expect(() => world.core.switches.release(PERSON)).toThrow('The disk is full.');
    expect(world.core.switches.status().killed).toMatchObject({ reason: 'Wrong branch.', by: 'asha' });

    isFull = false;
    world.core.switches.release(PERSON);
    expect(world.core.switches.status().killed).toBeNull();
    const stops = world.stores.ledger.page({ kind: 'kill.' });
    expect(stops.map(({ kind }) => kind)).toEqual(['kill.engaged', 'kill.receipt', 'kill.released']);
    expect(stops[0]?.data).toMatchObject({ reason: 'Wrong branch.', by: 'asha' });
  });

  test('a reason that comes after its file was seen empty is kept, and the file gets it', async () => {
    const { task } = await running();
    world.killFile.write('');
    world.clock.advance(1000);
    await world.until('killed', () => world.core.switches.status().killed !== null);
    await world.core.switches.kill('Wrong branch.', PERSON);
    expect(world.core.switches.status().killed).toMatchObject({ reason: 'Wrong branch.', by: 'asha' });
    expect(world.killFile.read()?.reason).toBe('Wrong branch.');
    expect(world.task(task.id).state).toBe('ready');
  });
});

describe('a call that ends on a full disk', () => {
  test('is booked without a restart once there is room, and its task goes on', async () => {
    const { project, task } = await running();
    isFull = true;
    world.executor.endAll('person');
    await world.clock.advanceAsync(120_000, 1000);
    expect(leftovers(project)).toEqual({ turns: 1, launches: 1, slots: 1 });
    isFull = false;
    await world.clock.advanceAsync(2000, 1000);
    await world.untilState(task.id, 'awaiting_approval');
    expect(leftovers(project)).toEqual(NOTHING_LEFT);
  });

  test('is booked as well when its task was cancelled in the meantime', async () => {
    const { project, task } = await running();
    isFull = true;
    world.executor.endAll('person');
    await world.until('the job is gone', () => world.core.switches.status().processes === 0);
    isFull = false;
    await world.core.tasks.cancel(task.id, PERSON);
    world.clock.advance(1000);
    await world.until('settled', () => leftovers(project).turns === 0);
    expect(leftovers(project)).toEqual(NOTHING_LEFT);
    expect(world.task(task.id).state).toBe('cancelled');
  });
});
