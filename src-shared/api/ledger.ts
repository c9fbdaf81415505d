import { z } from 'zod';
import type { LedgerValue } from '../model/ledger-entry.ts';
import { IsoTime, ProjectRef, TaskRef } from './common.ts';

export const LedgerInput = z.object({
  task: TaskRef.optional(),
  project: ProjectRef.optional(),
  /** Exact kind, or a prefix that ends with `.`, such as `harness.`. */
  kind: z.string().min(1).max(100).optional(),
  since: IsoTime.optional(),
  limit: z.number().int().min(1).max(10_000).default(100),
});
/** Entries after `afterSeq`, oldest first, as pages of an export or a follower. */
export const LedgerPageInput = LedgerInput.extend({ afterSeq: z.number().int().min(0) });
export const LedgerFollowInput = LedgerInput.extend({ lastEventId: z.string().max(100).nullish() });
export const LedgerExportInput = z.object({
  format: z.enum(['jsonl', 'csv']),
  afterSeq: z.number().int().min(0),
  limit: z.number().int().min(1).max(10_000),
});
/** Lines of an export without their line breaks; the first page of CSV begins with the header. */
export const ExportPageView = z.object({ lines: z.array(z.string()), lastSeq: z.number().int().nullable() });

export const LedgerVerifyInput = z.object({ full: z.boolean().default(false) });

/** One entry of `ledger`. Money in `data` is whole micro-dollars, lengths whole milliseconds, as hashed. */
export const LedgerEntryView = z.object({
  seq: z.number().int(),
  at: IsoTime,
  localDay: z.string(),
  kind: z.string(),
  project: z.string().nullable(),
  projectId: z.string().nullable(),
  taskId: z.string().nullable(),
  sessionId: z.string().nullable(),
  item: z.number().int().nullable(),
  data: z.custom<Readonly<Record<string, LedgerValue>>>(
    (value) => typeof value === 'object' && value !== null,
  ),
  schema: z.number().int(),
  prevHash: z.string(),
  hash: z.string(),
});
export type LedgerEntryView = z.infer<typeof LedgerEntryView>;

export const ChainView = z.object({
  ok: z.boolean(),
  entries: z.number().int(),
  head: z.string(),
  /** `seq` of the first entry that does not verify. */
  brokenAt: z.number().int().optional(),
  /** `seq` of the first entry that was looked at; an older hub does not tell. */
  checkedFrom: z.number().int().optional(),
});
export type ChainView = z.infer<typeof ChainView>;
