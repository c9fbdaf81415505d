import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { epochMs } from '../../../src-shared/time.ts';
import type { NoticeRecord, NoticeRecordStore } from '../../core/notify/notice-records.ts';
import type { Log } from '../../core/ports/world.ts';

const Number_ = z.number().int().min(0);
const Record_ = z.object({
  key: z.string().min(1).max(100),
  at: Number_.transform((at) => epochMs(at)),
  target: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('inbox') }),
    z.object({ kind: z.literal('item'), number: Number_ }),
    z.object({ kind: z.literal('task'), number: Number_ }),
  ]),
  items: z.array(Number_),
  project: z.string().nullable(),
  isBundle: z.boolean(),
  generation: z.string().nullable(),
  options: z.record(z.string(), z.string()),
  canReply: z.boolean(),
  canDeny: z.boolean(),
});
const LONGEST_FILE = 4_000_000;

/** The records in one private file. A file that is not there or not readable is an empty one. */
export function createNoticeRecordFile(
  file: string,
  write: (file: string, text: string) => void,
  log: Log,
): NoticeRecordStore {
  return {
    load: (): readonly NoticeRecord[] => {
      try {
        const text = readFileSync(file, 'utf8');
        if (text.length > LONGEST_FILE) return [];
        return z.array(Record_).parse(JSON.parse(text));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
          log.warn('notification records cannot be read', { error: String(error).slice(0, 300) });
        }
        return [];
      }
    },
    save: (records) => {
      try {
        write(file, JSON.stringify(records));
      } catch (error) {
        log.warn('notification records cannot be written', { error: String(error) });
      }
    },
  };
}
