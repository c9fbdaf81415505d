import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../adapters/write-file.ts';

/** What stands in the data folder for each web host that runs. */
const WebRecord = z.object({
  pid: z.number().int().positive(),
  port: z.number().int(),
  /** Where it can be asked for a link, by this user alone. */
  socket: z.string(),
});
export type WebRecord = z.infer<typeof WebRecord>;

const NAME = /^web-\d+\.json$/;
const recordFile = (folder: string, pid: number): string => path.join(folder, `web-${pid}.json`);

/** Those of hosts that were killed included, the newest first. */
export function readWebRecords(folder: string): readonly WebRecord[] {
  const found: { readonly record: WebRecord; readonly writtenAt: number }[] = [];
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    try {
      const record = WebRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
      found.push({ record, writtenAt: statSync(file).mtimeMs });
    } catch {
      // Gone meanwhile, or not of ours.
    }
  }
  return found.sort((a, b) => b.writtenAt - a.writtenAt).map(({ record }) => record);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}

export const writeWebRecord = (folder: string, record: WebRecord): Promise<void> =>
  writeFileAtomic(recordFile(folder, record.pid), `${JSON.stringify(record)}\n`);

export const removeWebRecord = (folder: string, pid: number): void =>
  rmSync(recordFile(folder, pid), { force: true });
