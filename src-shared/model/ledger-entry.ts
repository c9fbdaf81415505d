import type { ItemNumber, ProjectId, SessionId, TaskId } from '../ids.ts';
import type { EpochMs, LocalDay } from '../time.ts';
import type { LedgerKind } from './ledger-kinds.ts';

/** Version of the entry's shape; part of what is hashed. */
export const LEDGER_SCHEMA = 1;

/** Integers, booleans, strings, null, and lists and objects of them: what RFC 8785 can print one way only. */
export type LedgerValue =
  string | number | boolean | null | readonly LedgerValue[] | { readonly [key: string]: LedgerValue };
export type LedgerData = { readonly [key: string]: LedgerValue };

/** A fact before it has its place in the chain. Facts and hashes only, never prompts, answers or file content. */
export interface LedgerFact<Kind extends string = LedgerKind> {
  readonly kind: Kind;
  readonly projectId?: ProjectId | null;
  readonly project?: string | null;
  readonly taskId?: TaskId | null;
  readonly sessionId?: SessionId | null;
  readonly item?: ItemNumber | null;
  readonly data?: LedgerData;
}

export interface LedgerEntry {
  readonly seq: number;
  readonly at: EpochMs;
  readonly localDay: LocalDay;
  /** A `LedgerKind`, or what an earlier version wrote. */
  readonly kind: string;
  readonly projectId: ProjectId | null;
  readonly project: string | null;
  readonly taskId: TaskId | null;
  readonly sessionId: SessionId | null;
  readonly item: ItemNumber | null;
  readonly data: LedgerData;
  readonly schema: number;
  readonly prevHash: string;
  readonly hash: string;
}
