import type { Command } from 'commander';
import { counted } from '../../../src-shared/counted.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { definedFields } from '../../../src-shared/api/common.ts';
import type { KillReceiptView } from '../../../src-shared/api/hub.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import { define, withSession } from './define.ts';
import { EXIT } from './exit-codes.ts';
import type { Host } from './host.ts';
import { renderStatus } from './render-status.ts';
import { dollars } from './tables.ts';

const pids = (list: readonly number[]): string => list.join(', ');

/** What `kill` tells a person. */
export function renderReceipt(receipt: KillReceiptView): string {
  const { length: count } = receipt.ended;
  const cost = `cost so far ${dollars(receipt.costUsd)}, an estimate.`;
  return [
    receipt.problem === undefined
      ? 'The kill switch is engaged: nothing is started until signalbox release --yes.'
      : 'The kill switch could NOT be stored: whatever is started next will run.',
    count === 0 ? 'No process had to be ended.' : `Ended ${counted(count, 'process', 'processes')}; ${cost}`,
    ...(receipt.alive.length === 0 ? [] : [`Still alive: ${pids(receipt.alive)}.`]),
  ].join('\n');
}

/** `kill`, `release`, `pause`, `unpause`, `backup` */
export function addSwitchCommands(program: Command, host: Host): void {
  define(program, 'kill', 'stop every process of Signalbox and start nothing more', [
    'signalbox kill --reason "It does the wrong thing."',
  ])
    .option('--reason <text>', 'goes into the record', '')
    .action(async (flags: { reason: string }) => {
      const { kill } = await import('./kill.ts');
      const receipt = await kill(host, flags.reason.trim());
      host.out.value(receipt, () => renderReceipt(receipt));
      const problems = [
        receipt.problem === undefined ? null : `the kill switch does not hold: ${receipt.problem}`,
        receipt.alive.length === 0 ? null : `processes are still alive: ${pids(receipt.alive)}`,
      ].filter((each) => each !== null);
      for (const problem of problems) host.out.note(`signalbox: ${visibleLine(problem)}`);
      if (problems.length > 0) host.setExitCode(EXIT.failed);
    });
  define(program, 'release', 'release the kill switch', ['signalbox release --yes'])
    .option('--yes', 'confirm it')
    .action(async (flags: { yes?: boolean }) => {
      if (flags.yes !== true) {
        throw new AppError('usage', 'Releasing the kill switch has to be confirmed.', {
          hint: 'signalbox release --yes',
        });
      }
      await withSession(host, async (client) => {
        const status = await client.hub.release.mutate({ confirmed: true });
        host.out.value(status, () => renderStatus(status));
      });
    });
  for (const [name, description] of [
    ['pause', 'let running turns finish and start nothing new'],
    ['unpause', 'start tasks again'],
  ] as const) {
    define(program, name, description, [`signalbox ${name}`, `signalbox ${name} --project shop`])
      .option('--project <project>', 'one project only')
      .action((flags: { project?: string }) =>
        withSession(host, async (client) => {
          const status = await client.hub[name].mutate(definedFields({ project: flags.project }));
          host.out.value(status, () => renderStatus(status));
        }),
      );
  }
  define(program, 'backup', 'copy the database beside the others; the newest 3 are kept', [
    'signalbox backup',
  ]).action(() =>
    withSession(host, async (client) => {
      const backup = await client.hub.backup.mutate();
      host.out.value(backup, () => backup.path);
    }),
  );
}
