import { z } from 'zod';
import { IsoTime, ProjectRef, Usd } from './common.ts';

export const StartSpikeInput = z.object({
  projects: z.array(ProjectRef).min(1, 'name at least one project'),
  budgetUsd: z.number().min(0.01).max(1_000_000).default(10),
  callsPerDay: z.number().int().min(1).max(100_000).default(20),
  days: z.number().int().min(1).max(365).default(3),
  keepCap: z.boolean().default(false),
});

const SpikeFields = {
  id: z.string(),
  projects: z.array(z.string()),
  agent: z.string(),
  budgetUsd: Usd,
  callsPerDay: z.number().int(),
  days: z.number().int(),
  keepCap: z.boolean(),
  /** The agent's calls a day before the spike; without `keepCap` its end puts them back. */
  callsBefore: z.number().int(),
  startedAt: IsoTime,
  endsAt: IsoTime,
  endedAt: IsoTime.nullable(),
  endedReason: z.string().nullable(),
};
/** `spike start` and `spike stop`. */
export const SpikeView = z.object(SpikeFields);
export type SpikeView = z.infer<typeof SpikeView>;

/** `spike status`: the running spike, or the last one; `spike` is null when there never was one. */
export const SpikeStatusView = z.object({
  running: z.boolean(),
  spike: SpikeView.nullable(),
  spentUsd: Usd,
  callsToday: z.number().int(),
  succeeded: z.boolean(),
  /** Numbers of its own tasks that its end will cancel. */
  openTasks: z.array(z.number().int()),
});
export type SpikeStatusView = z.infer<typeof SpikeStatusView>;
