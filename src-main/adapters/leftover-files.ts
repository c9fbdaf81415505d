import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Leftover, Leftovers } from '../core/ports/leftovers.ts';
import type { TaskId } from '../../src-shared/ids.ts';
import { epochMs } from '../../src-shared/time.ts';

const TASK = /^tsk_[\w-]+$/;
const TIME = /^\d{1,16}$/;

/** Names of the folders in a folder, links left out; none when it is not there. */
async function foldersIn(folder: string, name: RegExp): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && name.test(entry.name)).map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** `<folder>/<task id>/<time>`, as the worktrees' side writes them; whatever else lies there is not ours. */
export function createLeftoverFiles(folder: string): Leftovers {
  return {
    async list() {
      const found: Leftover[] = [];
      for (const task of await foldersIn(folder, TASK)) {
        for (const time of await foldersIn(path.join(folder, task), TIME)) {
          found.push({ taskId: task as TaskId, at: epochMs(Number(time)) });
        }
      }
      return found;
    },
    async remove({ taskId, at }) {
      if (!TASK.test(taskId)) return;
      await rm(path.join(folder, taskId, String(at)), { recursive: true, force: true });
      // The last one takes the task's folder with it.
      await rmdir(path.join(folder, taskId)).catch(() => undefined);
    },
  };
}
