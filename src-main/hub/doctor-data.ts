/** What `doctor` says of the data folder, its disk and the store in it. Makes nothing that was not there. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import { isAppError } from '../../src-shared/errors.ts';
import { seconds } from '../../src-shared/time.ts';
import { examineDataFolder, nearestThere } from '../adapters/data-folder.ts';
import { createDiskSpace } from '../adapters/disk-space.ts';
import { ownOrFindHub } from '../adapters/hub-lock/hub-lock.ts';
import { listensAt } from '../adapters/local-socket/listens-at.ts';
import { brokenChain } from '../core/ledger/look-at-chain.ts';
import { bad, ok, type DoctorHost } from './doctor-check.ts';
import { CHAIN_PATIENCE } from './watch-chain.ts';

const GIGABYTE = 1024 ** 3;
/** Below this a project with its dependencies does not fit into a worktree. */
const LITTLE_SPACE = 2 * GIGABYTE;
/** For another command that has the store just now. */
const LOCK_PATIENCE = seconds(2);

/** Runs the check; what it throws is what is wrong. */
async function failing(name: string, work: () => DoctorCheck | Promise<DoctorCheck>): Promise<DoctorCheck> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return bad(name, 'problem', error.message, error.hint ?? 'Look at it by hand.');
  }
}

export const checkDataFolder = (host: DoctorHost): Promise<DoctorCheck> =>
  failing('data folder', () => {
    const { data, config } = host.folder;
    for (const folder of new Set([data, config])) examineDataFolder(folder);
    if (!existsSync(data)) return ok('data folder', `${data} (made at first use)`);
    const isOpen = process.platform !== 'win32' && (statSync(data).mode & 0o077) !== 0;
    return isOpen
      ? bad('data folder', 'warning', `others may look into ${data}`, `chmod 700 ${data}`)
      : ok('data folder', data);
  });

export function checkDisk(host: DoctorHost): DoctorCheck {
  const free = createDiskSpace(nearestThere(host.folder.data)).freeBytes();
  if (free === null)
    return bad('disk', 'warning', 'the system does not tell how much is free', 'Look at it by hand.');
  const text = `${(free / GIGABYTE).toFixed(1)} GB free`;
  return free < LITTLE_SPACE
    ? bad('disk', 'warning', text, 'Make room on the disk with the data folder.')
    : ok('disk', text);
}

function chainCheck(found: string, brokenAt: number | null): DoctorCheck {
  if (brokenAt === null) return ok('store', found);
  const { message, hint } = brokenChain(brokenAt);
  return bad('store', 'problem', `${found}. ${message}`, hint);
}

/** Loaded when they are asked for, or by `loadParts`. */
export const loadLock = () => import('../store/hub-lock.ts');
export const loadExamination = () => import('../store/examine-store.ts');

export const checkStore = (host: DoctorHost): Promise<DoctorCheck> =>
  failing('store', async () => {
    const { data } = host.folder;
    if (!existsSync(data)) return ok('store', 'none yet (made at first use)');
    const { tryLock } = await loadLock();
    const owner = await ownOrFindHub(
      { folder: data, clock: host.clock, tryLock, answers: listensAt },
      LOCK_PATIENCE,
    );
    if (owner.kind === 'hub') {
      const found = `open in the hub, pid ${owner.record.pid}`;
      return chainCheck(found, (await host.chainInHub?.()) ?? null);
    }
    try {
      const { examineStore, examineLedger } = await loadExamination();
      if (!examineStore(data)) return ok('store', 'none yet (made at first use)');
      const until = host.clock.monotonic() + CHAIN_PATIENCE;
      const brokenAt = examineLedger(data, host.clock, () => host.clock.monotonic() >= until);
      return chainCheck(path.join(data, 'signalbox.sqlite'), brokenAt);
    } finally {
      owner.lock.dispose();
    }
  });
