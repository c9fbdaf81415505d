import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isAppError } from '../../src-shared/errors.ts';
import type { EpochMs } from '../../src-shared/time.ts';
import { epochMs, isoTime } from '../../src-shared/time.ts';
import type { Clock } from '../core/ports/world.ts';
import { Connection } from './connection.ts';
import { flush, folderError, privateFile, privateFolder } from './files.ts';
import { placeOf } from './place.ts';

const KEPT = 3;
/** How old an unfinished file must be to be taken for the leftover of a crash. */
const LEFTOVER_MS = 3600 * 1000;
const NAME = /^signalbox-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-v(\d+)\.sqlite$/;

const backupFolder = (folder: string): string => path.join(folder, 'backups');

/** Names sort by the time they were made. */
const backupName = (at: EpochMs, version: number): string =>
  `signalbox-${isoTime(at).replace(/[-:.]/g, '')}-v${version}.sqlite`;

function timeOf(name: string): EpochMs | null {
  const [, year, month, day, hour, minute, second, ms] = NAME.exec(name) ?? [];
  if (ms === undefined) return null;
  return epochMs(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`));
}

/** Absolute paths of the backups of a data folder, newest first. */
export function listBackups(folder: string): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(backupFolder(folder));
  } catch {
    return [];
  }
  return names
    .filter((name) => timeOf(name) !== null)
    .sort()
    .reverse()
    .map((name) => path.join(backupFolder(folder), name));
}

/** A clock that was set back must not make the newest backup look like the oldest. */
function nextTime(folder: string, clock: Clock): EpochMs {
  const newest = listBackups(folder)[0];
  const last = newest === undefined ? null : timeOf(path.basename(newest));
  return last === null || last < clock.now() ? clock.now() : epochMs(last + 1);
}

function removeOld(folder: string, now: EpochMs): void {
  for (const old of listBackups(folder).slice(KEPT)) rmSync(old, { force: true });
  for (const name of readdirSync(backupFolder(folder))) {
    const file = path.join(backupFolder(folder), name);
    if (!name.endsWith('.sqlite.part') || timeOf(name.slice(0, -'.part'.length)) === null) continue;
    if (now - statSync(file).mtimeMs > LEFTOVER_MS) rmSync(file, { force: true });
  }
}

/**
 * Copies a store, as it is committed now, to `<folder>/backups` and keeps the newest three. The copy is complete
 * or not there. It takes as long as writing the whole database, with the thread.
 *
 * @returns absolute path of the copy
 * @throws AppError 'disk-full' | 'data-folder-unusable' | 'store-unusable'; older backups then stay
 */
export function backupFrom(db: Connection, folder: string, clock: Clock): string {
  try {
    privateFolder(backupFolder(folder));
    const at = nextTime(folder, clock);
    const target = path.join(backupFolder(folder), backupName(at, db.userVersion));
    const part = `${target}.part`;
    rmSync(part, { force: true });
    // SQLite writes into an empty file; made by us, nobody else can read it at any moment.
    privateFile(part);
    try {
      db.vacuumInto(part);
      flush(part, 'file');
      renameSync(part, target);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    flush(backupFolder(folder), 'folder');
    removeOld(folder, clock.now());
    return target;
  } catch (error) {
    throw isAppError(error) ? error : folderError(error, folder);
  }
}

/**
 * Backs the store of a data folder up, for `signalbox backup`; may be called while the store is open and in use.
 *
 * @returns absolute path of the copy
 * @throws AppError 'disk-full' | 'data-folder-unusable' | 'store-unusable'
 */
export function backup(options: { readonly folder: string; readonly clock: Clock }): string {
  const db = new Connection({
    ...placeOf(options.folder, () => listBackups(options.folder)[0] ?? null),
    synchronous: 'FULL',
    isReadonly: true,
    busyTimeoutMs: 5_000,
  });
  try {
    return backupFrom(db, options.folder, options.clock);
  } finally {
    db.close();
  }
}
