import type { ProjectId, SpikeId } from '../ids.ts';
import type { MicroUsd } from '../money.ts';
import type { EpochMs } from '../time.ts';

/** A bounded try of the relay over some projects (10-relay, Stop condition of a spike). */
export interface Spike {
  readonly id: SpikeId;
  readonly projectIds: readonly ProjectId[];
  readonly budgetMicroUsd: MicroUsd;
  readonly callsPerDay: number;
  readonly days: number;
  readonly keepCap: boolean;
  /** The agent's calls per day before the spike, put back at its end. */
  readonly callsBefore: number;
  readonly startedAt: EpochMs;
  readonly endsAt: EpochMs;
  readonly endedAt: EpochMs | null;
  readonly endedReason: string | null;
}
