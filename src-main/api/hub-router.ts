import {
  BackupView,
  ChangesInput,
  HubStatusView,
  KillInput,
  KillReceiptView,
  PauseInput,
  ReleaseInput,
} from '../../src-shared/api/hub.ts';
import { DoctorView } from '../../src-shared/api/doctor.ts';
import { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import { Done, DONE } from '../../src-shared/api/common.ts';
import { AppError } from '../../src-shared/errors.ts';
import { usdFromMicroUsd } from '../../src-shared/money.ts';
import { hubSummaryView } from './hub-summary.ts';
import { findProject } from './lookup.ts';
import { decision, procedure, router } from './trpc.ts';
import { hubStatusView, killView } from './views.ts';

/** Loaded with the first question, or by `loadParts`. */
export const loadMachineCalls = () => import('./machine-router.ts');

export const hubRouter = router({
  /** The cheapest call there is: says who answers. */
  ping: procedure.query(({ ctx }) => ({ pid: ctx.hub?.pid ?? null, version: ctx.version })),
  status: procedure.output(HubStatusView).query(({ ctx }) => hubStatusView(ctx)),
  /** What header, sidebar and tray show. */
  summary: procedure.output(HubSummaryView).query(({ ctx }) => hubSummaryView(ctx)),
  /** What `signalbox doctor` finds; takes seconds. */
  doctor: decision.output(DoctorView).query(async ({ ctx }) => (await loadMachineCalls()).doctorView(ctx)),
  stop: decision.output(Done).mutation(({ ctx }) => {
    if (ctx.hub === null) throw new AppError('hub-not-running', 'No hub runs for this data folder.');
    ctx.hub.requestStop();
    return DONE;
  }),
  kill: procedure
    .input(KillInput)
    .output(KillReceiptView)
    .mutation(async ({ ctx, input }) => {
      const receipt = await ctx.core.switches.kill(input.reason, ctx.actor);
      const killed = ctx.core.switches.status().killed;
      return {
        killed: killView(killed ?? { since: ctx.clock.now(), reason: input.reason, by: ctx.actor.name }),
        ended: [...receipt.ended],
        alive: [...receipt.alive],
        costUsd: usdFromMicroUsd(receipt.costMicroUsd),
        taskIds: [...receipt.tasks],
      };
    }),
  release: decision
    .input(ReleaseInput)
    .output(HubStatusView)
    .mutation(({ ctx }) => {
      ctx.core.switches.release(ctx.actor);
      return hubStatusView(ctx);
    }),
  pause: procedure
    .input(PauseInput)
    .output(HubStatusView)
    .mutation(({ ctx, input }) => {
      const id = input.project === undefined ? null : findProject(ctx.stores, input.project).id;
      ctx.core.switches.pause(id, ctx.actor);
      return hubStatusView(ctx);
    }),
  unpause: decision
    .input(PauseInput)
    .output(HubStatusView)
    .mutation(({ ctx, input }) => {
      const id = input.project === undefined ? null : findProject(ctx.stores, input.project).id;
      ctx.core.switches.unpause(id, ctx.actor);
      return hubStatusView(ctx);
    }),
  backup: procedure.output(BackupView).mutation(async ({ ctx }) => ({ path: await ctx.backup() })),
  /** What changes from now on, or since the cursor of the last event seen. */
  changes: procedure
    .input(ChangesInput)
    .subscription(({ ctx, input, signal }) =>
      ctx.feed.changes(input?.lastEventId ?? null, signal ?? new AbortController().signal),
    ),
});
