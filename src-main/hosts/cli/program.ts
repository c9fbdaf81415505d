import { Command } from 'commander';
import { VERSION } from '../../hub/version.ts';
import { prepare } from './define.ts';
import type { Host } from './host.ts';

type AddCommands = (program: Command, host: Host) => void;

/** Which module has which words; only the one that is called is loaded, so that a hub answers early (P7). */
const GROUPS: readonly {
  readonly words: readonly string[];
  readonly load: () => Promise<AddCommands>;
}[] = [
  { words: ['hub'], load: async () => (await import('./hub-commands.ts')).addHubCommands },
  { words: ['project'], load: async () => (await import('./project-commands.ts')).addProjectCommands },
  { words: ['agent'], load: async () => (await import('./agent-commands.ts')).addAgentCommands },
  { words: ['task'], load: async () => (await import('./task-commands.ts')).addTaskCommands },
  {
    words: ['inbox', 'answer', 'approve', 'reject', 'send-back', 'resolve', 'allow', 'deny', 'undo'],
    load: async () => (await import('./inbox-commands.ts')).addInboxCommands,
  },
  {
    words: ['kill', 'release', 'pause', 'unpause', 'backup'],
    load: async () => (await import('./switch-commands.ts')).addSwitchCommands,
  },
  { words: ['ledger'], load: async () => (await import('./ledger-commands.ts')).addLedgerCommands },
  { words: ['report'], load: async () => (await import('./report-commands.ts')).addReportCommands },
  { words: ['spike'], load: async () => (await import('./report-commands.ts')).addSpikeCommands },
  { words: ['serve'], load: async () => (await import('./serve-command.ts')).addServeCommand },
  { words: ['doctor'], load: async () => (await import('./doctor-command.ts')).addDoctorCommand },
  { words: ['completion'], load: async () => (await import('./completion.ts')).addCompletion },
];

/**
 * The command line over a host; nothing is read or opened before a command's action runs.
 *
 * @param words what was typed: with a known first word only its commands are there, else all of them
 * @param print takes help and version, in several parts
 */
export async function createProgram(
  host: Host,
  words: readonly string[],
  print: (part: string) => void,
): Promise<Command> {
  const program = new Command('signalbox');
  prepare(program);
  program
    .description('Runs coding agents in per-project slots, and calls you when they need you.')
    .version(VERSION, '-V, --version', 'print the version')
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: print,
      // What is wrong is said once, by the error that follows.
      writeErr: () => undefined,
    })
    .addHelpText('after', '\nExample:\n  $ signalbox project add ~/code/shop --test \'["npm","test"]\'');
  const [first = ''] = words;
  const called = GROUPS.filter((group) => group.words.includes(first));
  for (const group of called.length > 0 ? called : GROUPS) (await group.load())(program, host);
  return program;
}
