import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../src-shared/errors.ts';
import { restoreHint, type StorePlace } from './sqlite-errors.ts';

/** What only a store that was used leaves beside itself; none of it is made before the store is. */
const TRACES: readonly { readonly folder: string; readonly what: string; readonly depth: number }[] = [
  { folder: 'trees', what: 'worktrees of tasks', depth: 2 },
  { folder: 'git', what: 'what git knows of projects', depth: 2 },
  { folder: 'artifacts', what: 'artifacts', depth: 2 },
  { folder: 'leftovers', what: 'kept files of tasks', depth: 2 },
  { folder: 'guardian-receipts', what: 'receipts of ended processes', depth: 1 },
];

/** Whether anything lies that many folders below; folders that were emptied are nothing. */
function holdsAnything(folder: string, depth: number): boolean {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (depth === 1) return entries.length > 0;
    return entries.some(
      (entry) => !entry.isDirectory() || holdsAnything(path.join(folder, entry.name), depth - 1),
    );
  } catch {
    return false;
  }
}

/** Names below the data folder, each with what it is. */
function tracesOf(place: StorePlace): readonly (readonly [name: string, what: string])[] {
  const folder = path.dirname(place.file);
  const log = `${path.basename(place.file)}-wal`;
  const found: (readonly [string, string])[] = TRACES.filter((trace) =>
    holdsAnything(path.join(folder, trace.folder), trace.depth),
  ).map((trace) => [trace.folder, trace.what]);
  const isLog = existsSync(`${place.file}-wal`) && statSync(`${place.file}-wal`).size > 0;
  if (isLog) found.push([log, 'the log of its last changes']);
  if (place.newestBackup() !== null) found.push(['backups', 'backups']);
  return found;
}

/** An empty store in place of a lost one would hide the loss, so it is made only where nothing says there was one. */
export function assertNotLost(place: StorePlace): void {
  const isEmpty = !existsSync(place.file) || statSync(place.file).size === 0;
  if (!isEmpty) return;
  const traces = tracesOf(place);
  if (traces.length === 0) return;
  const names = traces.map(([name]) => name).join(', ');
  const restore =
    place.newestBackup() === null
      ? `There is no backup. If you have a copy of your own, put it back as ${place.file}.`
      : restoreHint(place);
  throw new AppError(
    'store-unusable',
    `The store is gone or empty, but there was one: ${place.file}. Beside it lie ${traces.map(([name, what]) => `${what} (${name})`).join(', ')}.`,
    {
      hint: `${restore} To start from nothing, move these out of ${path.dirname(place.file)}: ${names}.`,
    },
  );
}
