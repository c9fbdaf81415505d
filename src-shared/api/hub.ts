import { z } from 'zod';
import { HoldKind } from '../model/hold.ts';
import { IsoTime, ProjectRef, Usd } from './common.ts';

export const HostKind = z.enum(['hub', 'desktop', 'web']);
export type HostKind = z.infer<typeof HostKind>;

export const KillView = z.object({ since: IsoTime, reason: z.string(), by: z.string() });

export const HoldView = z.object({
  kind: HoldKind,
  reason: z.string(),
  since: IsoTime,
  /** When it lifts by itself; null when that is not known. */
  until: IsoTime.nullable(),
  item: z.number().int().nullable(),
});

export const HubProjectView = z.object({
  name: z.string(),
  enabled: z.boolean(),
  slots: z.number().int(),
  inUse: z.number().int(),
  /** Why nothing is dispatched in this project now; null when it is. */
  hold: z.string().nullable(),
});

const Common = {
  version: z.string(),
  killed: KillView.nullable(),
  paused: z.boolean(),
  holds: z.array(HoldView),
  projects: z.array(HubProjectView),
};

/** `signalbox hub status`. Without a hub only what the store and the kill file say. */
export const HubStatusView = z.discriminatedUnion('running', [
  z.object({
    running: z.literal(true),
    pid: z.number().int(),
    since: IsoTime,
    host: HostKind,
    ...Common,
    /** Live child processes. */
    processes: z.number().int(),
  }),
  z.object({ running: z.literal(false), ...Common }),
]);
export type HubStatusView = z.infer<typeof HubStatusView>;

/** `signalbox hub`, once it has ended by itself or was asked to. */
export const HubEndView = z.object({
  stopped: z.enum(['idle', 'signal', 'asked', 'max-seconds']),
  /** What waits for a hold, one sentence each; empty when nothing does. */
  onHold: z.array(z.string()),
  /** Items that wait for the person. */
  openItems: z.number().int().optional(),
});
export type HubEndView = z.infer<typeof HubEndView>;

export const KillInput = z.object({ reason: z.string().trim().max(2000).default('') });
/** What the kill switch achieved (10-relay, Kill switch). */
export const KillReceiptView = z.object({
  killed: KillView,
  /** Process ids. */
  ended: z.array(z.number().int()),
  alive: z.array(z.number().int()),
  /** Estimated cost so far of the turns that were stopped. */
  costUsd: Usd,
  taskIds: z.array(z.string()),
  /** Why the switch could not be stored, so that it does not hold; absent when it does. */
  problem: z.string().optional(),
});
export type KillReceiptView = z.infer<typeof KillReceiptView>;

export const ReleaseInput = z.object({ confirmed: z.literal(true, 'releasing must be confirmed: --yes') });
/** All projects when `project` is absent. */
export const PauseInput = z.object({ project: ProjectRef.optional() });

export const BackupView = z.object({ path: z.string() });
export type BackupView = z.infer<typeof BackupView>;

/** What `changes` tells: something was stored, look again. `reset` means that events were missed. */
export const ChangeView = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), taskId: z.string() }),
  z.object({ kind: z.literal('item'), number: z.number().int() }),
  z.object({ kind: z.literal('project'), projectId: z.string() }),
  z.object({ kind: z.literal('hub') }),
  z.object({ kind: z.literal('reset') }),
]);
export type ChangeView = z.infer<typeof ChangeView>;
export const ChangesInput = z.object({ lastEventId: z.string().max(100).nullish() }).optional();
