import type { HubStatusView } from '../../../src-shared/api/hub.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { renderFields, renderTable } from './tables.ts';

export function renderStatus(status: HubStatusView): string {
  const head = renderFields([
    [
      'hub',
      status.running ? `running, pid ${status.pid}, since ${status.since} (${status.host})` : 'not running',
    ],
    [
      'kill switch',
      status.killed === null
        ? null
        : `engaged since ${status.killed.since} by ${visibleLine(status.killed.by)}${status.killed.reason === '' ? '' : `: ${visibleLine(status.killed.reason)}`}`,
    ],
    ['paused', status.paused ? 'yes: signalbox unpause' : null],
    ['processes', status.running ? status.processes : null],
    ...status.holds.map(
      (hold) =>
        [
          'on hold',
          `${hold.kind}: ${visibleLine(hold.reason)}${hold.until === null ? '' : `, until ${hold.until}`}`,
        ] as const,
    ),
  ]);
  if (status.projects.length === 0) return head;
  const table = renderTable(
    ['project', 'slots in use', 'state'],
    status.projects.map((project) => [
      project.name,
      `${project.inUse}/${project.slots}`,
      project.hold ?? (project.enabled ? 'on' : 'off'),
    ]),
  );
  return `${head}\n\n${table}`;
}
