import { link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { millis, type Millis } from '../../../src-shared/time.ts';
import type { Clock } from '../../core/ports/world.ts';
import { heldLock, LOCK_PATIENCE } from './git-command.ts';
import { NOTABLE_WAIT } from './turns.ts';
import { exists, isMissing } from './workbench.ts';

/** Who waits, and what is to know of it. */
export interface Waiter {
  readonly world: { readonly clock: Clock };
  recordWait(what: string, holder: string, durationMs: number): void;
}

/** What another program held for longer than we waited. */
export interface Locked {
  readonly lockedBy: string;
}

const BETWEEN_LOOKS = millis(50);

export const pause = (clock: Clock, delay: Millis): Promise<void> =>
  new Promise((resolve) => void clock.after(delay, resolve));

/**
 * Tries again while another program holds the lock that git needs, up to `LOCK_PATIENCE`; the wait becomes a
 * ledger entry. The lock itself is never touched.
 */
export async function patiently<T>(waiter: Waiter, attempt: () => Promise<T>): Promise<T | Locked> {
  const { clock } = waiter.world;
  const since = clock.monotonic();
  let last: string | null = null;
  for (;;) {
    try {
      const result = await attempt();
      noteWait(waiter, last, millis(clock.monotonic() - since));
      return result;
    } catch (error) {
      last = heldLock(error);
      if (last === null) throw error;
    }
    if (!(await waitUntilGone(clock, last, since))) {
      noteWait(waiter, last, millis(clock.monotonic() - since));
      return { lockedBy: last };
    }
  }
}

/** @returns false when it is still there, or there again, once the patience counted from `since` is over */
async function waitUntilGone(clock: Clock, lock: string, since: Millis): Promise<boolean> {
  do {
    if (clock.monotonic() - since >= LOCK_PATIENCE) return false;
    await pause(clock, BETWEEN_LOOKS);
  } while (await exists(lock));
  return true;
}

/** Waits until a lock file of another program is gone. @returns false when it is still there after the patience */
export async function waitForLockFile(waiter: Waiter, lock: string): Promise<boolean> {
  if (!(await exists(lock))) return true;
  const { clock } = waiter.world;
  const since = clock.monotonic();
  const isGone = await waitUntilGone(clock, lock, since);
  noteWait(waiter, lock, millis(clock.monotonic() - since));
  return isGone;
}

function noteWait(waiter: Waiter, lock: string | null, duration: Millis): void {
  if (lock !== null && duration > NOTABLE_WAIT) waiter.recordWait('lock-file', 'another program', duration);
}

/**
 * Takes git's own lock of an index, so that no git of the person's starts a change there. Its content is the
 * proof that it is ours; it is complete the moment the file exists.
 *
 * @returns false when somebody else holds it
 */
export async function takeIndexLock(index: string, proof: string): Promise<boolean> {
  const draft = `${index}.signalbox-draft`;
  await writeFile(draft, proof, { mode: 0o600 });
  try {
    await link(draft, `${index}.lock`);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // File systems without hard links: the same in two steps.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return await createLock(index, proof);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function createLock(index: string, proof: string): Promise<boolean> {
  try {
    const file = await open(`${index}.lock`, 'wx', 0o600);
    try {
      await file.writeFile(proof);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock only if it is the one that this proof made. Repeating it is allowed. */
export async function dropIndexLock(index: string, proof: string): Promise<void> {
  if (await isOurLock(index, proof)) await rm(`${index}.lock`, { force: true });
}

export async function isOurLock(index: string, proof: string): Promise<boolean> {
  try {
    return (await readFile(`${index}.lock`, 'utf8')) === proof;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Puts a finished index in place while our lock is held. */
export async function replaceIndex(index: string, finished: string): Promise<void> {
  await rename(finished, index);
}
