import { statfsSync } from 'node:fs';
import type { DiskSpace } from '../core/ports/world.ts';

/** Room that this user may fill on the disk where `folder` lies. */
export function createDiskSpace(folder: string): DiskSpace {
  return {
    freeBytes: () => {
      try {
        const { bavail, bsize } = statfsSync(folder);
        return bavail * bsize;
      } catch {
        return null;
      }
    },
  };
}
