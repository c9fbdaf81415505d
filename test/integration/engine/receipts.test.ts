import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredReceipt } from '../../../src-main/core/ports/world.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { EngineWorld } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = makeTempFolder('receipts');
});
afterEach(() => folder.dispose());

const receipt = (id: string): StoredReceipt => ({
  id,
  at: epochMs(1000),
  cause: 'hub-gone',
  ended: [7],
  alive: [],
});
const RECEIPTS = [receipt('1000-1-hub-gone.json'), receipt('1000-2-hub-gone.json')];

const booked = (world: EngineWorld): readonly unknown[] =>
  world.stores.ledger.page({ kind: 'guardian.receipt' }).map((entry) => entry.data['receipt']);

test('a receipt is booked once, whether the hub dies before it is booked or before it is acknowledged', async () => {
  const died = new Error('died');
  let isDying = false;
  const before = new EngineWorld(folder.path, {
    seed: 1,
    wrap: (stores) => ({
      ...stores,
      transaction: (work) =>
        stores.transaction(() => {
          const result = work();
          if (isDying) throw died;
          return result;
        }),
    }),
  });
  before.receipts = [...RECEIPTS];
  isDying = true;
  await expect(before.engine.start()).rejects.toBe(died);
  expect({ booked: booked(before), left: before.receipts }).toEqual({ booked: [], left: RECEIPTS });
  before.crash();

  const between = new EngineWorld(folder.path, { seed: 2 });
  between.receipts = [...RECEIPTS];
  between.deps.guardian.acknowledge = () => Promise.reject(died);
  await expect(between.engine.start()).rejects.toBe(died);
  expect(booked(between)).toEqual([RECEIPTS[0]?.id]);
  between.crash();

  const after = new EngineWorld(folder.path, { seed: 3 });
  after.receipts = [...RECEIPTS];
  await after.engine.start();
  expect({ booked: booked(after), left: after.receipts }).toEqual({
    booked: RECEIPTS.map((each) => each.id),
    left: [],
  });
  await after.dispose();
});
