import { z } from 'zod';
import type { ItemNumber } from '../ids.ts';
import type { EpochMs } from '../time.ts';

/** States of the whole hub in which nothing is dispatched (12-engine, States). */
export const HoldKind = z.enum(['login', 'usage-limit', 'overload', 'billing', 'disk', 'executable']);
export type HoldKind = z.infer<typeof HoldKind>;

export interface Hold {
  readonly kind: HoldKind;
  readonly reason: string;
  readonly since: EpochMs;
  /** When it lifts by itself, if known. */
  readonly until: EpochMs | null;
  /** From when on one launch is let through to try. */
  readonly probeAt: EpochMs;
  readonly item: ItemNumber | null;
}

export interface KillState {
  readonly since: EpochMs;
  readonly reason: string;
  readonly by: string;
}
