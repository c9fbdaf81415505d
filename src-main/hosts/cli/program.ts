import { Command } from 'commander';
import { addAgentCommands } from './agent-commands.ts';
import { addCompletion } from './completion.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addHubCommands } from './hub-commands.ts';
import { addInboxCommands } from './inbox-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addProjectCommands } from './project-commands.ts';
import { addReportCommands, addSpikeCommands } from './report-commands.ts';
import { addSwitchCommands } from './switch-commands.ts';
import { addTaskCommands } from './task-commands.ts';
import { prepare } from './define.ts';
import { VERSION, type Host } from './host.ts';

/** The whole command line over a host; nothing is read or opened before a command's action runs. */
export function createProgram(host: Host): Command {
  const program = new Command('signalbox');
  prepare(program);
  program
    .description('Runs coding agents in per-project slots, and calls you when they need you.')
    .version(VERSION, '-V, --version', 'print the version')
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => host.out.value({ text }, () => text.replace(/\n$/, '')),
      // What is wrong is said once, by the error that follows.
      writeErr: () => undefined,
    })
    .addHelpText('after', '\nExample:\n  $ signalbox project add ~/code/shop --test \'["npm","test"]\'');
  addHubCommands(program, host);
  addProjectCommands(program, host);
  addAgentCommands(program, host);
  addTaskCommands(program, host);
  addInboxCommands(program, host);
  addSwitchCommands(program, host);
  addLedgerCommands(program, host);
  addReportCommands(program, host);
  addSpikeCommands(program, host);
  addDoctorCommand(program, host);
  addCompletion(program, host);
  return program;
}
