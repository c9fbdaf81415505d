import type { Command } from 'commander';
import { definedFields } from '../../../src-shared/api/common.ts';
import { collect, define, group, withSession, amount, wholeNumber } from './define.ts';
import type { Host } from './host.ts';
import { relayMarkdown, renderRelay, renderSpike, renderSpikeStatus } from './render-report.ts';

/** `report relay` */
export function addReportCommands(program: Command, host: Host): void {
  const reports = group(program, 'report', 'what happened, and what it cost', [
    'signalbox report relay --project shop',
  ]);
  define(reports, 'relay', 'cycles, touches, waiting times and cost of each task', [
    'signalbox report relay --project h1-a --project h1-b',
    'signalbox report relay --md > report.md',
  ])
    .option('--project <project>', 'of one project (may be repeated)', collect)
    .option('--md', 'as Markdown')
    .action((flags: { project?: string[]; md?: boolean }) =>
      withSession(host, async (client) => {
        const report = await client.report.relay.query({ projects: flags.project ?? [] });
        host.out.value(report, () => (flags.md === true ? relayMarkdown(report) : renderRelay(report)));
      }),
    );
}

/** `spike start|status|stop` */
export function addSpikeCommands(program: Command, host: Host): void {
  const spikes = group(program, 'spike', 'a bounded try of the relay over some projects', [
    'signalbox spike start h1-a h1-b --budget 10',
    'signalbox spike status',
  ]);
  define(
    spikes,
    'start <projects...>',
    "start one; it ends by itself at the first limit. Its end cancels the tasks added to its projects since its start, at most 3 each, removes the work trees of ended tasks (what is dirty in them is kept) and puts the agent's calls a day back; tasks from before stay",
    ['signalbox spike start h1-a h1-b --budget 10 --calls 20 --days 3'],
  )
    .option('--budget <usd>', 'most that it may cost (default: 10)', amount(0.01, 1_000_000))
    .option('--calls <n>', 'calls a day; reaching them ends it (default: 20)', wholeNumber(1, 100_000))
    .option('--days <n>', 'calendar days (default: 3)', wholeNumber(1, 365))
    .option('--keep-cap', "leave the agent's calls a day as the spike set them")
    .action(
      (projects: string[], flags: { budget?: number; calls?: number; days?: number; keepCap?: boolean }) =>
        withSession(host, async (client) => {
          const { budget: budgetUsd, calls: callsPerDay, days, keepCap } = flags;
          const spike = await client.spike.start.mutate({
            projects,
            ...definedFields({ budgetUsd, callsPerDay, days, keepCap }),
          });
          host.out.value(spike, () => renderSpike(spike));
        }),
    );
  define(spikes, 'status', 'how far it is', ['signalbox spike status']).action(() =>
    withSession(host, async (client) => {
      const status = await client.spike.status.query();
      host.out.value(status, () => renderSpikeStatus(status));
    }),
  );
  define(
    spikes,
    'stop',
    'end it: tasks added to its projects since its start are cancelled, tasks from before stay; see spike status',
    ['signalbox spike stop'],
  ).action(() =>
    withSession(host, async (client) => {
      const spike = await client.spike.stop.mutate();
      host.out.value(spike, () => renderSpike(spike));
    }),
  );
}
