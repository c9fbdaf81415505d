import path from 'node:path';
import { createGuardian, type HubGuardian } from '../../src-main/adapters/process/guardian.ts';
import { createProcessTable, type ProcessTable } from '../../src-main/adapters/process/process-table.ts';
import {
  createSpawner,
  type OwnedChild,
  type OwnedSpec,
  type Spawner,
  type SpawnerOptions,
} from '../../src-main/adapters/process/spawn-owned.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import { createRandomIds } from '../../src-main/adapters/random-ids.ts';
import { ownerMark } from '../../src-main/core/ports/world.ts';
import type { HubId } from '../../src-shared/ids.ts';
import { millis } from '../../src-shared/time.ts';
import { makeTempFolder, type TempFolder } from './temp-folder.ts';

/** The built guardian, made by `build-once.ts`. */
export const BUILT_GUARDIAN = path.resolve(import.meta.dirname, '../../out/cli/guardian.js');
export const TREES = path.resolve(import.meta.dirname, '../fixtures/trees');
export const PLAIN_ENV = { PATH: '/usr/bin:/bin' } as const;

/** Real processes of a hub of its own, in a folder of its own. `dispose` ends whatever is left. */
export interface ProcessWorld extends AsyncDisposable {
  readonly hub: HubId;
  readonly folder: TempFolder;
  readonly table: ProcessTable;
  readonly guardian: HubGuardian;
  readonly spawner: Spawner;
  mark(owner: string): string;
  /** @throws Error when it does not start */
  start(spec: Pick<OwnedSpec, 'file' | 'args'> & Partial<OwnedSpec>): Promise<OwnedChild>;
}

export async function makeProcessWorld(
  options: Partial<Pick<SpawnerOptions, 'isKilled' | 'launch'>> = {},
): Promise<ProcessWorld> {
  const folder = makeTempFolder('process');
  const hub = createRandomIds(systemClock).next('hub');
  const guardian = createGuardian({ hub, dataFolder: folder.path, clock: systemClock, file: BUILT_GUARDIAN });
  const table = createProcessTable({
    clock: systemClock,
    spare: () => (guardian.pid === null ? [] : [guardian.pid]),
  });
  const spawner = createSpawner({ hub, table, guardian, clock: systemClock, ...options });
  await guardian.start();
  const mark = (owner: string): string => ownerMark(hub, owner);
  return {
    hub,
    folder,
    table,
    guardian,
    spawner,
    mark,
    start: async (spec) => {
      const child = await spawner.startOwned({
        cwd: folder.path,
        env: PLAIN_ENV,
        mark: mark('att_test'),
        stdin: 'ignore',
        ...spec,
      });
      if (child.kind === 'not-started') throw new Error(child.message);
      return child;
    },
    [Symbol.asyncDispose]: async () => {
      await table.endAllMarked(hub, millis(0));
      await guardian.stop();
      folder.dispose();
    },
  };
}

/** The first line of a child's output; what follows is read and dropped. */
export function firstLine(child: OwnedChild): Promise<string> {
  child.stderr.resume();
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.stdout.once('end', () => reject(new Error('It printed no line.')));
  });
}
