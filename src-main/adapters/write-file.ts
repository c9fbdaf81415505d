import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';

/*
 * A kill at any moment leaves the old or the new content (00-product, Data). Own code where write-file-atomic
 * would be at hand: version 8 does not look at the count that a write returns, so that a disk which fills up in the
 * middle of a file leaves a cut one under the final name; and it does not flush the folder.
 */

const temporaryName = (file: string): string =>
  `${file}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;

/** Writes, flushes and renames; the file is only readable for this user. */
export async function writeFileAtomic(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = temporaryName(file);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** As `writeFileAtomic`, for callers that must not yield. */
export function writeFileAtomicSync(file: string, content: string | Uint8Array): void {
  const temporary = temporaryName(file);
  try {
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The first error is the one that tells.
    }
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** Makes a rename durable. Windows has no such call for folders; some network disks refuse it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // The rename itself has happened; only its durability over a power cut is unknown.
  }
}
