import type { Command } from 'commander';
import { DONE } from '../../../src-shared/api/common.ts';
import type { HubStatusView } from '../../../src-shared/api/hub.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { millis, seconds } from '../../../src-shared/time.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { isPidAlive, readHubRecord } from '../../adapters/hub-lock/hub-record.ts';
import { requireHub } from './connect.ts';
import { amount, define, withSession } from './define.ts';
import type { Host } from './host.ts';
import { renderFields, renderTable } from './tables.ts';

/** A hub that stops waits 10 s for its turns. */
const STOPS_WITHIN = seconds(20);
const LOOK_AGAIN = millis(50);

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
        : `engaged since ${status.killed.since} by ${visibleLine(status.killed.by)}: ${visibleLine(status.killed.reason)}`,
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

/** Waits until the process of a hub that was asked to stop is gone. @throws AppError 'timeout' */
async function waitForEnd(host: Host, pid: number): Promise<void> {
  const until = host.clock.monotonic() + STOPS_WITHIN;
  while (readHubRecord(host.folder.data)?.pid === pid && isPidAlive(pid)) {
    if (host.clock.monotonic() > until) {
      throw new AppError('timeout', `The hub (pid ${pid}) has not ended yet.`, {
        hint: `End it: kill ${pid}`,
      });
    }
    await new Promise<void>((resolve) => {
      host.clock.after(LOOK_AGAIN, resolve);
    });
  }
}

/** `hub`, `hub status`, `hub stop` */
export function addHubCommands(program: Command, host: Host): void {
  const hub = define(program, 'hub', 'run the hub in the foreground until Ctrl+C', [
    'signalbox hub',
    'signalbox hub --until-idle --max-seconds 3600',
  ])
    .option('--until-idle', 'end once nothing is ready, running or testing')
    .option('--max-seconds <n>', 'end after this time with exit code 4', amount(0))
    .action(async (flags: { untilIdle?: boolean; maxSeconds?: number }) => {
      const { runHub } = await import('./run-hub.ts');
      const end = await runHub(host, {
        untilIdle: flags.untilIdle === true,
        maxSeconds: flags.maxSeconds ?? null,
      });
      host.out.value(end, () => (end.stopped === 'idle' ? 'Nothing is left to do.' : 'The hub has ended.'));
    });
  define(hub, 'status', 'whether a hub runs, and what holds it', ['signalbox hub status --json']).action(() =>
    withSession(host, async (client) => {
      const status = await client.hub.status.query();
      host.out.value(status, () => renderStatus(status));
    }),
  );
  define(hub, 'stop', 'end the hub as Ctrl+C does', ['signalbox hub stop']).action(async () => {
    const pid = await withSession(
      host,
      async (client) => {
        const status = await client.hub.ping.query();
        await client.hub.stop.mutate();
        return status.pid;
      },
      () => requireHub(host, 'Stopping'),
    );
    if (pid !== null) await waitForEnd(host, pid);
    host.out.value(DONE, () => 'The hub has ended.');
  });
}
