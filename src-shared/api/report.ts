import { z } from 'zod';
import { TaskState } from '../model/task.ts';
import { IsoTime, ProjectRef, Usd } from './common.ts';

/** All projects when the list is absent or empty. */
export const RelayReportInput = z.object({ projects: z.array(ProjectRef).default([]) });

/** `report relay`. */
export const RelayReportView = z.object({
  tasks: z.array(
    z.object({
      taskId: z.string(),
      number: z.number().int(),
      project: z.string(),
      title: z.string(),
      state: TaskState,
      cycles: z.number().int(),
      /** Answers and decisions of a person. */
      touches: z.number().int(),
      /** Seconds from each question to its answer. */
      waitedS: z.array(z.number()),
      /** Ready → approve item raised; null before. */
      readyToApproveS: z.number().nullable(),
      /** Booked, an estimate, as of `task show`; `assumedUsd` is the part of it that no result reported. */
      costUsd: Usd,
      assumedUsd: Usd,
      lockWaitS: z.number(),
    }),
  ),
  totals: z.object({
    tasks: z.number().int(),
    cycles: z.number().int(),
    touches: z.number().int(),
    /** Sum over all relays. */
    waitedS: z.number(),
    costUsd: Usd,
    assumedUsd: Usd,
    lockWaitS: z.number(),
  }),
  /** Time in which agent processes of two or more projects ran, to the millisecond. */
  overlap: z.object({ projects: z.array(z.string()), seconds: z.number() }),
  since: IsoTime.nullable(),
});
export type RelayReportView = z.infer<typeof RelayReportView>;
