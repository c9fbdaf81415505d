import { tracked } from '@trpc/server';
import { z } from 'zod';
import {
  ChainView,
  ExportPageView,
  LedgerExportInput,
  LedgerEntryView,
  LedgerFollowInput,
  LedgerInput,
  LedgerPageInput,
  LedgerVerifyInput,
} from '../../src-shared/api/ledger.ts';
import { LedgerTotalsInput, LedgerTotalsView } from '../../src-shared/api/totals.ts';
import { epochMs } from '../../src-shared/time.ts';
import type { Stores } from '../core/ports/stores.ts';
import type { ChainCheck, LedgerFilter, LedgerStore } from '../core/ports/ledger-store.ts';
import { dayBefore } from '../core/ledger/days.ts';
import { currentDay } from '../core/limits/spending.ts';
import { csvLines, jsonlLines } from '../core/ledger/export.ts';
import { knownKindFilter } from '../core/ledger/kind-filter.ts';
import { ledgerTotalsView } from './ledger-totals.ts';
import { findProject, findTask } from './lookup.ts';
import { nextLook, numberCursor } from './next-look.ts';
import { procedure, router } from './trpc.ts';
import { ledgerEntryView } from './views.ts';

/** Days that totals are asked for unless they say otherwise. */
const TOTALS_DAYS = 14;
/** Entries read at once while following. */
const PAGE = 500;

function filterOf(stores: Stores, input: z.infer<typeof LedgerInput>): LedgerFilter {
  return {
    ...(input.task === undefined ? {} : { taskId: findTask(stores, input.task).id }),
    ...(input.project === undefined ? {} : { projectId: findProject(stores, input.project).id }),
    ...(input.kind === undefined ? {} : { kind: knownKindFilter(input.kind) }),
    ...(input.since === undefined ? {} : { since: epochMs(Date.parse(input.since)) }),
  };
}

/** A long chain is verified in slices, so that a hub answers others meanwhile. */
async function verifyInSteps(ledger: LedgerStore, full: boolean): Promise<ChainCheck> {
  const steps = ledger.verifySteps({ full });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

export const ledgerRouter = router({
  /** The newest `limit` entries that match, in ascending order. */
  list: procedure
    .input(LedgerInput)
    .output(z.array(LedgerEntryView))
    .query(({ ctx, input }) =>
      ctx.stores.ledger
        .page({ ...filterOf(ctx.stores, input), limit: input.limit, newest: true })
        .map(ledgerEntryView),
    ),
  /** Entries after `afterSeq`, oldest first. */
  page: procedure
    .input(LedgerPageInput)
    .output(z.array(LedgerEntryView))
    .query(({ ctx, input }) =>
      ctx.stores.ledger
        .page({ ...filterOf(ctx.stores, input), limit: input.limit, afterSeq: input.afterSeq })
        .map(ledgerEntryView),
    ),
  /** What the ledger adds up to, for screens: sums of the store, not of entries read here. */
  totals: procedure
    .input(LedgerTotalsInput)
    .output(LedgerTotalsView)
    .query(({ ctx, input }) => {
      const today = currentDay(ctx.stores, ctx.clock);
      const from =
        input.since === undefined
          ? dayBefore(today, (input.days ?? TOTALS_DAYS) - 1)
          : ctx.clock.localDay(epochMs(Date.parse(input.since)));
      const project = input.project === undefined ? null : findProject(ctx.stores, input.project);
      return ledgerTotalsView(ctx, from, today, project);
    }),
  verify: procedure
    .input(LedgerVerifyInput)
    .output(ChainView)
    .query(async ({ ctx, input }) => {
      const { brokenAt, ...check } = await verifyInSteps(ctx.stores.ledger, input.full);
      return { ...check, ...(brokenAt === null ? {} : { brokenAt }) };
    }),
  /** One page of the export, without line breaks; `lastSeq` is null at the end. */
  export: procedure
    .input(LedgerExportInput)
    .output(ExportPageView)
    .query(({ ctx, input }) => {
      const { afterSeq, limit, format } = input;
      const entries = ctx.stores.ledger.page({ afterSeq, limit });
      const lines = [...(format === 'csv' ? csvLines(entries, ctx.csvRow) : jsonlLines(entries))];
      if (format === 'csv' && afterSeq > 0) lines.shift();
      return { lines, lastSeq: entries.length < limit ? null : (entries.at(-1)?.seq ?? null) };
    }),
  /** The newest `limit` entries, then every new one; the cursor is the entry's `seq`. */
  follow: procedure.input(LedgerFollowInput).subscription(async function* ({ ctx, input, signal }) {
    const stop = signal ?? new AbortController().signal;
    const { stores, feed, clock } = ctx;
    const filter = filterOf(stores, input);
    const cursor = numberCursor(input.lastEventId);
    let batch =
      cursor !== null
        ? stores.ledger.page({ ...filter, afterSeq: cursor, limit: PAGE })
        : stores.ledger.page({ ...filter, limit: input.limit, newest: true });
    let seen = cursor !== null ? cursor : (batch.at(-1)?.seq ?? stores.ledger.head().seq);
    while (!stop.aborted) {
      for (const entry of batch) {
        yield tracked(String(entry.seq), ledgerEntryView(entry));
        seen = entry.seq;
      }
      if (batch.length < PAGE) await nextLook(feed, clock, stop);
      batch = stores.ledger.page({ ...filter, afterSeq: seen, limit: PAGE });
    }
  }),
});
