import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Clock, KillFile } from '../core/ports/world.ts';
import { epochMs, seconds } from '../../src-shared/time.ts';
import { syncFolder, writeFileAtomicSync } from './write-file.ts';

export const KILL_FILE_NAME = 'KILL';
/** A reason is a sentence; whatever else somebody puts there is not read into memory. */
const LONGEST_REASON_BYTES = 4096;

/**
 * `<data>/KILL`. Anything of that name means engaged, also an empty file, a folder or one that cannot be read:
 * whoever made it wanted a stop.
 */
export function createKillFile(dataFolder: string, clock: Clock): KillFile {
  const file = path.join(dataFolder, KILL_FILE_NAME);

  const read: KillFile['read'] = () => {
    let at: number;
    try {
      at = lstatSync(file).mtimeMs;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      return { reason: 'The kill file cannot be looked at.', at: clock.now() };
    }
    return { reason: readReason(file), at: epochMs(Math.round(at)) };
  };

  return {
    read,
    write: (reason) => {
      try {
        writeFileAtomicSync(file, reason);
      } catch (error) {
        // On a full disk a name without content still goes in, and is all that a stop needs.
        try {
          writeFileSync(file, '', { flag: 'a', mode: 0o600 });
        } catch {
          if (read() === null) throw error;
        }
      }
    },
    remove: () => {
      rmSync(file, { force: true, recursive: true });
      syncFolder(dataFolder);
    },
    watch: (changed) => {
      // Without a moment (the reason may be unreadable) presence alone is compared.
      const stateOf = (): string => {
        const state = read();
        return state === null ? '' : `${state.at} ${state.reason}`;
      };
      let known = stateOf();
      const look = (): void => {
        const state = stateOf();
        if (state === known) return;
        known = state;
        changed();
      };
      // Some file systems tell nothing, and a watch ends when its folder is replaced; the second always comes.
      const poll = clock.every(seconds(1), look);
      let watcher: ReturnType<typeof watch> | null = null;
      try {
        watcher = watch(dataFolder, { persistent: false }, (_event, name) => {
          if (name === null || name === KILL_FILE_NAME) look();
        });
        watcher.on('error', () => watcher?.close());
      } catch {
        // No watch to be had here (too many, or not supported).
      }
      return {
        dispose: () => {
          poll.dispose();
          watcher?.close();
        },
      };
    },
  };
}

function readReason(file: string): string {
  let handle: number | undefined;
  try {
    // Not blocking, so that a named pipe of that name does not hold the hub.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(handle).isFile()) return '';
    const buffer = Buffer.alloc(LONGEST_REASON_BYTES);
    const length = readSync(handle, buffer, 0, buffer.length, 0);
    return new TextDecoder().decode(buffer.subarray(0, length)).trim();
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
