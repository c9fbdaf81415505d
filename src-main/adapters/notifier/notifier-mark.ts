import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../core/ports/world.ts';
import { isPidAlive } from '../hub-lock/hub-record.ts';
import { writeFileAtomicSync } from '../write-file.ts';

const FILE = 'notifier.json';

/** Says that this process raises the notifications of the data folder, until it is disposed. */
export function markNotifier(folder: string): Disposable {
  const file = path.join(folder, FILE);
  writeFileAtomicSync(file, JSON.stringify({ pid: process.pid }));
  return { dispose: () => rmSync(file, { force: true }) };
}

/** Whether a desktop application does: then a hub without a window keeps quiet, so that nothing is told twice. */
export function isNotified(folder: string): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(path.join(folder, FILE), 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' && pid !== process.pid && isPidAlive(pid);
  } catch {
    return false;
  }
}
