import { z } from 'zod';
import { IsoTime, ProjectRef, Usd } from './common.ts';

/** The last so many local days, today included (14 unless given), or all days since the one of a moment. */
export const LedgerTotalsInput = z
  .object({
    days: z.number().int().min(1).max(400).optional(),
    since: IsoTime.optional(),
    project: ProjectRef.optional(),
  })
  .refine((input) => input.days === undefined || input.since === undefined, 'either days or since');

/** Reported by a result and assumed for what was cut without one, apart; estimates of the harness, not a bill. */
const Money = { reportedUsd: Usd, assumedUsd: Usd };
const ModelCosts = z.object({ model: z.string().nullable(), ...Money });

const Waits = {
  count: z.number().int(),
  medianS: z.number().nullable(),
  longestS: z.number().nullable(),
  sumS: z.number(),
};

/** `ledger.totals`: what the ledger adds up to. Days are those of the hub's calendar. */
export const LedgerTotalsView = z.object({
  from: z.string(),
  to: z.string(),
  project: z.string().nullable(),
  /** Six figures over all of it. */
  figures: z.object({
    cost: z.object({ ...Money, projects: z.number().int() }),
    tasks: z.object({
      worked: z.number().int(),
      approved: z.number().int(),
      sentBack: z.number().int(),
      cancelled: z.number().int(),
    }),
    touches: z.object({ all: z.number().int(), answers: z.number().int(), approvals: z.number().int() }),
    relayWait: z.object(Waits),
    readyToApprove: z.object({
      count: z.number().int(),
      medianS: z.number().nullable(),
      /** The same without the time in which a question waited for its answer. */
      medianWithoutWaitsS: z.number().nullable(),
    }),
    lockWait: z.object({ ...Waits, projects: z.number().int() }),
  }),
  /** Every day of the range (the last 400 of a longer one), oldest first. */
  days: z.array(
    z.object({
      day: z.string(),
      calls: z.number().int(),
      ...Money,
      /** Costs by model; null is what no entry names a model for. */
      models: z.array(ModelCosts),
    }),
  ),
  /** Costliest first. */
  projects: z.array(
    z.object({
      projectId: z.string().nullable(),
      project: z.string().nullable(),
      calls: z.number().int(),
      tasks: z.number().int(),
      ...Money,
      models: z.array(ModelCosts),
    }),
  ),
  /** Costliest first. */
  models: z.array(ModelCosts),
  calls: z.object({
    today: z.number().int(),
    /** Sum over all agents; what a project or a spike sets stands below it. */
    limit: z.number().int(),
    agents: z.array(
      z.object({
        name: z.string(),
        displayName: z.string(),
        limit: z.number().int(),
        today: z.number().int(),
      }),
    ),
  }),
  relayWaits: z.object({
    projects: z.array(
      z.object({ projectId: z.string().nullable(), project: z.string().nullable(), ...Waits }),
    ),
    /** How many waited under 1, 5, 15 and 60 minutes (each from the bound before), and longer. */
    classes: z.array(z.object({ underS: z.number().nullable(), count: z.number().int() })),
    /** The newest 50 questions, those that still wait first. */
    newest: z.array(
      z.object({
        item: z.number().int(),
        project: z.string().nullable(),
        taskNumber: z.number().int().nullable(),
        taskTitle: z.string().nullable(),
        cycle: z.number().int().nullable(),
        raisedAt: IsoTime,
        respondedAt: IsoTime.nullable(),
        waitedS: z.number(),
        via: z.string().nullable(),
      }),
    ),
  }),
  lockWaits: z.object({
    projects: z.array(
      z.object({
        projectId: z.string().nullable(),
        project: z.string().nullable(),
        lock: z.enum(['account', 'git']),
        ...Waits,
      }),
    ),
    /** The newest 50. */
    newest: z.array(
      z.object({
        at: IsoTime,
        lock: z.enum(['account', 'git']),
        project: z.string().nullable(),
        taskNumber: z.number().int().nullable(),
        waitedS: z.number(),
      }),
    ),
  }),
});
export type LedgerTotalsView = z.infer<typeof LedgerTotalsView>;
