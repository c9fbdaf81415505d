import { expect, test } from 'vitest';
import { millis } from '../../../src-shared/time.ts';
import { firstLine, makeProcessWorld, PLAIN_ENV } from '../../support/process-world.ts';
import { readFileSync } from 'node:fs';
import { childrenOfThis, openDescriptors, pidsWithMark } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** 500 in the long runs; the figure is the same idea at any number. */
const STARTS = Number(process.env['SIGNALBOX_TEST_STARTS'] ?? 60);

test(`${STARTS} starts and ends of every kind return descriptors and processes to the initial count`, async () => {
  await using world = await makeProcessWorld();
  const common = { cwd: world.folder.path, env: PLAIN_ENV, timeout: millis(10_000), maxBytes: 1_000 };
  const one = async (index: number): Promise<void> => {
    const mark = world.mark(`att_${index}`);
    switch (index % 6) {
      case 0:
        await world.spawner.run({ ...common, mark, file: 'true', args: [] });
        break;
      case 1:
        await world.spawner.run({ ...common, mark, file: 'cat', args: [], input: 'text' });
        break;
      case 2:
        await world.spawner.run({ ...common, mark, file: 'no-such-program', args: [] });
        break;
      case 3:
        await world.spawner.run({ ...common, mark, file: 'sleep', args: ['600'], timeout: millis(20) });
        break;
      case 4: {
        const child = await world.start({ mark, file: 'cat', args: [], stdin: 'pipe' });
        child.stdout.resume();
        child.stderr.resume();
        await child.stop();
        await child.closed;
        break;
      }
      default: {
        const child = await world.start({ mark, file: 'sh', args: ['-c', 'setsid sleep 600 & echo on'] });
        await firstLine(child);
        await child.closed;
      }
    }
  };
  // The first of each kind opens what stays open for good.
  for (let index = 0; index < 6; index += 1) await one(index);
  const before = { descriptors: openDescriptors(), children: childrenOfThis() };

  for (let index = 0; index < STARTS; index += 4) {
    await Promise.all(Array.from({ length: Math.min(4, STARTS - index) }, (_, more) => one(index + more)));
  }

  await waitUntil('descriptors and children are back to the initial count', () => {
    const now = { descriptors: openDescriptors(), children: childrenOfThis() };
    return now.descriptors <= before.descriptors && now.children <= before.children;
  });
  // With what they are, since a survivor in hundreds of starts is not met again soon.
  const survivors = pidsWithMark(`${world.hub}:`).map((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  expect(survivors).toEqual([]);
}, 300_000);
