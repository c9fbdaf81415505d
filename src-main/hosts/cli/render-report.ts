import type { RelayReportView } from '../../../src-shared/api/report.ts';
import type { SpikeStatusView, SpikeView } from '../../../src-shared/api/spike.ts';
import { counted } from '../../../src-shared/counted.ts';
import { markdownLine, visibleLine } from '../../../src-shared/visible-text.ts';
import { dollars, renderFields, renderTable, withAssumed } from './tables.ts';

const HEAD = [
  'task',
  'project',
  'state',
  'cycles',
  'touches',
  'waited (s)',
  'ready → approve (s)',
  'cost',
  'lock wait (s)',
  'title',
];

const COSTS = 'Costs are estimates of the CLI, with what is assumed of turns that were cut without a result.';

const seconds = (value: number): string => String(Math.round(value * 1000) / 1000);

const rowsOf = (report: RelayReportView): string[][] => [
  ...report.tasks.map((row) => [
    String(row.number),
    row.project,
    row.state,
    String(row.cycles),
    String(row.touches),
    row.waitedS.map(seconds).join(', '),
    row.readyToApproveS === null ? '' : seconds(row.readyToApproveS),
    withAssumed(row.costUsd, row.assumedUsd),
    seconds(row.lockWaitS),
    row.title,
  ]),
  [
    'total',
    counted(report.totals.tasks, 'task'),
    '',
    String(report.totals.cycles),
    String(report.totals.touches),
    seconds(report.totals.waitedS),
    '',
    withAssumed(report.totals.costUsd, report.totals.assumedUsd),
    seconds(report.totals.lockWaitS),
    '',
  ],
];

const overlapText = (report: RelayReportView): string =>
  report.overlap.projects.length === 0
    ? 'No two projects had agent processes at the same time.'
    : `Agent processes of ${report.overlap.projects.join(', ')} ran at the same time for ${report.overlap.seconds} s.`;

export const renderRelay = (report: RelayReportView): string =>
  [renderTable(HEAD, rowsOf(report)), '', visibleLine(overlapText(report)), COSTS].join('\n');

/** For a file or an issue: every text that somebody else wrote shows as its own characters. */
export function relayMarkdown(report: RelayReportView): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# Relay report',
    '',
    row(HEAD),
    row(HEAD.map(() => '---')),
    ...rowsOf(report).map((cells) => row(cells.map(markdownLine))),
    '',
    markdownLine(overlapText(report)),
    '',
    COSTS,
  ].join('\n');
}

const atItsEnd = (spike: SpikeView): string =>
  [
    'tasks added to its projects since its start are cancelled, tasks from before stay',
    'work trees of ended tasks are removed (see task kept)',
    spike.keepCap
      ? "the agent's calls a day stay"
      : `the agent's calls a day go back to ${spike.callsBefore}`,
  ].join('; ');

export const renderSpike = (spike: SpikeView): string =>
  renderFields([
    ['spike', spike.id],
    ['projects', visibleLine(spike.projects.join(', '))],
    ['agent', visibleLine(spike.agent)],
    ['budget', dollars(spike.budgetUsd)],
    ['calls a day', spike.callsPerDay],
    ['days', spike.days],
    ['started', spike.startedAt],
    ['ends', spike.endedAt === null ? spike.endsAt : null],
    ['ended', spike.endedAt],
    ['at its end', spike.endedAt === null ? atItsEnd(spike) : null],
    ['because', spike.endedReason === null ? null : visibleLine(spike.endedReason)],
  ]);

export function renderSpikeStatus(status: SpikeStatusView): string {
  if (status.spike === null) return 'There was no spike yet.';
  return [
    renderSpike(status.spike),
    renderFields([
      ['spent', `${dollars(status.spentUsd)}, an estimate`],
      ['calls today', status.callsToday],
      ['succeeded', status.succeeded ? 'yes' : 'not yet'],
      [
        'would cancel',
        status.running ? status.openTasks.map((number) => `#${number}`).join(', ') || 'no task' : null,
      ],
    ]),
  ].join('\n');
}
