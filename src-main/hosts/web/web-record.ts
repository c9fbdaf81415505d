import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../adapters/write-file.ts';

/** What stands in the data folder while a web host runs; the one that started last, if there are several. */
const WebRecord = z.object({
  pid: z.number().int().positive(),
  port: z.number().int(),
  /** Where it can be asked for a link, by this user alone. */
  socket: z.string(),
});
export type WebRecord = z.infer<typeof WebRecord>;

const recordFile = (folder: string): string => path.join(folder, 'web.json');

/** Null when there is none, or none that can be read. */
export function readWebRecord(folder: string): WebRecord | null {
  try {
    const parsed = WebRecord.safeParse(JSON.parse(readFileSync(recordFile(folder), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export const writeWebRecord = (folder: string, record: WebRecord): Promise<void> =>
  writeFileAtomic(recordFile(folder), `${JSON.stringify(record)}\n`);

/** Leaves the one of a web host that started later. */
export function removeWebRecord(folder: string, pid: number): void {
  if (readWebRecord(folder)?.pid === pid) rmSync(recordFile(folder), { force: true });
}
