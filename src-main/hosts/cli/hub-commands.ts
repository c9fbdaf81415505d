import type { Command } from 'commander';
import { DONE } from '../../../src-shared/api/common.ts';
import type { HubEndView } from '../../../src-shared/api/hub.ts';
import { counted } from '../../../src-shared/counted.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { millis, seconds } from '../../../src-shared/time.ts';
import { isPidAlive, readHubRecord } from '../../adapters/hub-lock/hub-record.ts';
import { requireHub } from './connect.ts';
import { amount, define, withSession } from './define.ts';
import type { Host } from './host.ts';

/** A hub that stops waits 10 s for its turns. */
const STOPS_WITHIN = seconds(20);
const LOOK_AGAIN = millis(50);

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

/** Why a hub ended, and what waits for the person. */
export function renderEnd({ stopped, openItems = 0, onHold }: HubEndView): string {
  const items = `${counted(openItems, 'item waits', 'items wait')} for you: signalbox inbox`;
  if (stopped !== 'idle') return openItems === 0 ? 'The hub has ended.' : `The hub has ended. ${items}`;
  if (openItems > 0) return `Nothing is left to do without you. ${items}`;
  return onHold.length > 0 ? 'All that is left is on hold.' : 'Nothing is left to do.';
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
      host.out.value(end, () => renderEnd(end));
    });
  define(hub, 'status', 'whether a hub runs, and what holds it', ['signalbox hub status --json']).action(() =>
    withSession(host, async (client) => {
      const [status, { renderStatus }] = await Promise.all([
        client.hub.status.query(),
        import('./render-status.ts'),
      ]);
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
      () =>
        requireHub(host, {
          message: 'No hub is running, so there is none to stop.',
          hint: 'Processes that one left behind are ended by signalbox kill.',
        }),
    );
    if (pid !== null) await waitForEnd(host, pid);
    host.out.value(DONE, () => 'The hub has ended.');
  });
}
