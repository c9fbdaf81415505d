import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../write-file.ts';

/** What stands beside the lock, for everybody who finds it taken. */
export const HubRecord = z.object({
  pid: z.number().int().positive(),
  /** Milliseconds since 1970. */
  since: z.number().int(),
  /** Host that is the hub, or `command` for one that holds the lock for its short duration. */
  host: z.enum(['hub', 'desktop', 'web', 'command']),
  /** Where it answers; null for a command. */
  socket: z.string().nullable(),
  /** First half of every owner mark of the data folder, for a kill that cannot ask the hub. */
  hubId: z.string(),
  version: z.string(),
});
export type HubRecord = z.infer<typeof HubRecord>;

const recordFile = (folder: string): string => path.join(folder, 'hub.json');

/** Null when there is none, or none that can be read: it is a hint, the lock is the truth. */
export function readHubRecord(folder: string): HubRecord | null {
  try {
    const parsed = HubRecord.safeParse(JSON.parse(readFileSync(recordFile(folder), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Only by the holder of the lock. */
export async function writeHubRecord(folder: string, record: HubRecord): Promise<void> {
  await writeFileAtomic(recordFile(folder), `${JSON.stringify(record)}\n`);
}

/** Only by the holder of the lock. */
export const removeHubRecord = (folder: string): void => rmSync(recordFile(folder), { force: true });

/** Whether a process has that pid now; another user's counts. */
export function isPidAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
