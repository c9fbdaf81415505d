import type { ItemNumber, ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { ItemKind, ItemState, Via } from '../../../src-shared/model/item.ts';
import type { TaskState } from '../../../src-shared/model/task.ts';
import type { LedgerEntry, LedgerFact } from '../../../src-shared/model/ledger-entry.ts';
import type { LedgerKind } from '../../../src-shared/model/ledger-kinds.ts';
import type { EpochMs, LocalDay } from '../../../src-shared/time.ts';
import type { LedgerSums } from '../ledger/totals.ts';

export interface LedgerFilter {
  readonly taskId?: TaskId;
  readonly projectId?: ProjectId;
  /** Exact kind, or a prefix that ends with `.` (`harness.`). */
  readonly kind?: string;
  readonly since?: EpochMs;
  readonly afterSeq?: number;
  readonly limit?: number;
  /** Newest first when a limit is given without `afterSeq`; the answer is always in ascending order. */
  readonly newest?: boolean;
}

export interface ChainCheck {
  readonly ok: boolean;
  readonly entries: number;
  readonly head: string;
  /** `seq` of the first entry that does not verify. */
  readonly brokenAt: number | null;
  /** `seq` of the first entry that was looked at; those before it were verified by an earlier check. */
  readonly checkedFrom: number;
}

/** @typeParam Kind what may be written: core writes the kinds that are listed, a store keeps any */
export interface LedgerStore<Kind extends string = LedgerKind> {
  /** Head is read and entry written in the caller's transaction, or in one of its own. */
  append(fact: LedgerFact<Kind>): LedgerEntry;
  page(filter: LedgerFilter): readonly LedgerEntry[];
  head(): { readonly seq: number; readonly hash: string };
  /** From the last verified checkpoint, or from the start with `full`, and after a check that found it broken. */
  verify(options: { readonly full: boolean }): ChainCheck;
  /**
   * The same in slices of some milliseconds, for a hub that must stay responsive meanwhile.
   *
   * @param options with `isNoted: false` nothing is written, neither a checkpoint nor that the chain is broken
   */
  verifySteps(options: { readonly full: boolean; readonly isNoted?: boolean }): Generator<void, ChainCheck>;
  /** Every entry in order, for exports; reads in pages. */
  all(): Iterable<LedgerEntry>;
  /** Day of the newest entry: a clock that goes back keeps it. */
  latestDay(): LocalDay | null;
}

/** One line of totals: its day, its project's id or its model (null: entries without one), and the sums. */
export interface LedgerTotal {
  readonly key: string | null;
  readonly sums: LedgerSums;
}

/** A response to an item as it stands now: taken back ones are not there, changed ones once. */
export interface FinalResponse {
  readonly item: ItemNumber;
  readonly kind: ItemKind;
  readonly state: ItemState;
  readonly via: Via | null;
  readonly projectId: ProjectId | null;
  readonly taskId: TaskId | null;
  readonly cycle: number | null;
  readonly raisedAt: EpochMs;
  readonly respondedAt: EpochMs;
}

export interface LockWait {
  readonly at: EpochMs;
  readonly lock: 'account' | 'git';
  readonly projectId: ProjectId | null;
  readonly project: string | null;
  readonly taskId: TaskId | null;
  readonly waitedMs: number;
}

/** A task's first offer: how long it took from ready, and how much of that was waiting for answers. */
export interface FirstOffer {
  readonly taskId: TaskId;
  readonly readyToApproveMs: number;
  readonly waitedMs: number;
}

export interface WorkedTasks {
  readonly projectId: ProjectId | null;
  readonly state: TaskState;
  readonly tasks: number;
}

/**
 * Figures of all entries since a day. Every question starts at the day's first entry, found by halving, so that what
 * came before costs nothing.
 */
export interface LedgerRangeStore {
  responses(range: LedgerRange): readonly FinalResponse[];
  /** Newest first. */
  lockWaits(range: LedgerRange): readonly LockWait[];
  firstOffers(range: LedgerRange): readonly FirstOffer[];
  /** Tasks for which the harness was called, by project and by the state that they have now. */
  workedTasks(range: LedgerRange): readonly WorkedTasks[];
}
export interface LedgerRange {
  readonly from: LocalDay;
  readonly projectId?: ProjectId;
}

export interface LedgerTotalsStore {
  /** The same sums by day or project and by model within it, in the order of the keys. */
  totalsByModel(
    by: 'day' | 'project',
    filter: LedgerRange,
  ): readonly (LedgerTotal & { readonly model: string | null })[];
  /**
   * Sums of ledger entries, kept with each entry, so that their number does not matter. Days newest first,
   * projects and models by the money they cost, most first.
   *
   * @param filter days are inclusive; `limit` is the number of lines
   */
  totals(
    by: 'day' | 'project' | 'model',
    filter?: {
      readonly from?: LocalDay;
      readonly to?: LocalDay;
      readonly projectId?: ProjectId;
      readonly limit?: number;
    },
  ): readonly LedgerTotal[];
}
