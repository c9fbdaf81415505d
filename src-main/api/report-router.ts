import { RelayReportInput, RelayReportView } from '../../src-shared/api/report.ts';
import { SpikeStatusView, SpikeView, StartSpikeInput } from '../../src-shared/api/spike.ts';
import { microUsdFromUsd, usdFromMicroUsd } from '../../src-shared/money.ts';
import { findProject } from './lookup.ts';
import { decision, procedure, router } from './trpc.ts';
import { relayReportView, spikeView } from './views.ts';

export const reportRouter = router({
  relay: procedure
    .input(RelayReportInput)
    .output(RelayReportView)
    .query(({ ctx, input }) => {
      const ids = input.projects.map((ref) => findProject(ctx.stores, ref).id);
      return relayReportView(ctx.core.reports.relay(ids.length === 0 ? null : ids));
    }),
});

export const spikeRouter = router({
  start: decision
    .input(StartSpikeInput)
    .output(SpikeView)
    .mutation(({ ctx, input }) => {
      const projectIds = [...new Set(input.projects.map((ref) => findProject(ctx.stores, ref).id))];
      const spike = ctx.core.spikes.start(
        {
          projectIds,
          budgetMicroUsd: microUsdFromUsd(input.budgetUsd),
          callsPerDay: input.callsPerDay,
          days: input.days,
          keepCap: input.keepCap,
        },
        ctx.actor,
      );
      return spikeView(ctx.stores, spike);
    }),
  status: procedure.output(SpikeStatusView).query(({ ctx }) => {
    const status = ctx.core.spikes.status();
    if (status === null) {
      return { running: false, spike: null, spentUsd: 0, callsToday: 0, succeeded: false, openTasks: [] };
    }
    return {
      running: status.spike.endedAt === null,
      spike: spikeView(ctx.stores, status.spike),
      spentUsd: usdFromMicroUsd(status.spentMicroUsd),
      callsToday: status.callsToday,
      succeeded: status.succeeded,
      openTasks: status.openTasks.map((task) => task.number),
    };
  }),
  stop: decision
    .output(SpikeView)
    .mutation(async ({ ctx }) =>
      spikeView(ctx.stores, await ctx.core.spikes.stop(`stopped by ${ctx.actor.name}`, ctx.actor)),
    ),
});
