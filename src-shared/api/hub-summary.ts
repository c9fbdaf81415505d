import { z } from 'zod';
import { ItemKind } from '../model/item.ts';
import { IsoTime, Usd } from './common.ts';
import { HoldView, HostKind, KillView } from './hub.ts';

/** What header, sidebar and tray show. */
export const HubSummaryView = z.object({
  at: IsoTime,
  version: z.string(),
  /** Null when a command acts without a hub. */
  hub: z.object({ pid: z.number().int(), since: IsoTime, host: HostKind }).nullable(),
  killed: KillView.nullable(),
  /** Processes that the kill switch has not ended: found alive now. */
  survivors: z.array(z.number().int()),
  paused: z.boolean(),
  /** Turns that a pause lets run to their end; null while nothing is paused, or none is left. */
  pausing: z.number().int().nullable(),
  holds: z.array(HoldView),
  /** Live child processes; while killed, those still being ended. */
  processes: z.number().int(),
  /** Tasks that are running or testing. */
  running: z.number().int(),
  /** Open items. */
  waiting: z.number().int(),
  queued: z.number().int(),
  /** Calls today and the cap that stands above them: a running spike's, else the sum over all agents. */
  calls: z.object({ used: z.number().int(), limit: z.number().int(), of: z.enum(['agents', 'spike']) }),
  /** Booked today, an estimate; `assumedUsd` is the part of it that no result reported. */
  cost: z.object({ todayUsd: Usd, assumedUsd: Usd }),
  projects: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      enabled: z.boolean(),
      paused: z.boolean(),
      slots: z.number().int(),
      inUse: z.number().int(),
      waiting: z.number().int(),
      hold: z.string().nullable(),
    }),
  ),
  /** The five newest open items, newest first. */
  newest: z.array(
    z.object({
      number: z.number().int(),
      kind: ItemKind,
      title: z.string(),
      project: z.string().nullable(),
      raisedAt: IsoTime,
    }),
  ),
});
export type HubSummaryView = z.infer<typeof HubSummaryView>;
