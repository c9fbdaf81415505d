import { InvalidArgumentError, type Command, type CommanderError } from 'commander';
import { AppError } from '../../../src-shared/errors.ts';
import { nearName } from '../../../src-shared/near-name.ts';
import { callError } from '../../adapters/call-errors.ts';
import { connect, type ApiClient, type Session } from './connect.ts';
import type { Host } from './host.ts';

/** Words on the command line up to a command, such as `signalbox project add`. */
function pathOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) names.unshift(each.name());
  return names.join(' ');
}

/** Commander ends these without anything being wrong: help and version were printed. */
const FINE: readonly string[] = ['commander.helpDisplayed', 'commander.version'];

/** One line that says what is wrong, and one that says what to type instead. */
export function usageError(error: CommanderError, command: Command): AppError {
  const usage = `${pathOf(command)} ${command.usage()}`;
  if (error.code === 'commander.help') {
    const names = command.commands.map((each) => each.name()).filter((name) => name !== 'complete');
    return new AppError('usage', `${pathOf(command)} needs a command.`, {
      hint: `One of: ${names.join(', ')}. More: ${pathOf(command)} --help`,
    });
  }
  const [word] = command.args;
  // A word after one that also is a command by itself, such as `ledger`, comes as an argument too many.
  const isUnknown =
    error.code === 'commander.unknownCommand' ||
    (error.code === 'commander.excessArguments' && command.commands.length > 0);
  if (isUnknown && word !== undefined) return unknownCommand(command, word);
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}${first.endsWith('.') ? '' : '.'}`;
  const suggestion = rest
    .join(' ')
    .replace(/^\(|\)$/g, '')
    .trim();
  return new AppError('usage', message, { hint: suggestion === '' ? `Usage: ${usage}` : suggestion });
}

/** A command with its help, an example and `--json`. Wrong invocations become AppErrors. */
export function define(
  parent: Command,
  nameAndArguments: string,
  description: string,
  examples: readonly string[],
): Command {
  const command = parent.command(nameAndArguments).description(description);
  prepare(command);
  command.hook('preSubcommand', refuseOptionsOf);
  command.addHelpText(
    'after',
    `\nExample${examples.length === 1 ? '' : 's'}:\n${examples.map((example) => `  $ ${example}`).join('\n')}`,
  );
  return command;
}

/** Commander gives an option to the command that has it, also behind a word below: there it would do nothing. */
function refuseOptionsOf(command: Command, below: Command): void {
  const taken = new Set(below.options.map((option) => option.attributeName()));
  const idle = command.options.find((option) => {
    const name = option.attributeName();
    return !taken.has(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (idle === undefined) return;
  throw new AppError('usage', `${pathOf(below)} takes no ${idle.long ?? idle.flags}.`, {
    hint: `Usage: ${pathOf(below)} ${below.usage()}`,
  });
}

/** A word that only groups commands. */
export const group: typeof define = (parent, name, description, examples) =>
  define(parent, name, description, examples);

const HELP: readonly string[] = ['--help', '-h'];

/**
 * Help is only given of what there is: Commander shows that of the group for a word that no command has.
 *
 * @throws AppError 'usage' naming the word, and the command that was probably meant
 */
export function assertHelpExists(program: Command, words: readonly string[]): void {
  if (!words.includes('help') && !words.some((word) => HELP.includes(word))) return;
  let command = program;
  for (const word of words) {
    if (word === 'help') continue;
    if (word.startsWith('-') || command.commands.length === 0) return;
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) throw unknownCommand(command, word);
    command = next;
  }
}

function unknownCommand(parent: Command, word: string): AppError {
  const inGroups = parent.commands
    .flatMap((each) => each.commands)
    .filter((each) => each.name() === word)
    .map(pathOf);
  const near = nearName(
    word,
    parent.commands.map((each) => each.name()),
  );
  const meant = near === null ? inGroups : [`${pathOf(parent)} ${near}`];
  return new AppError('usage', `There is no command "${pathOf(parent)} ${word}".`, {
    hint:
      meant.length === 0 ? `All of them: ${pathOf(parent)} --help` : `Did you mean: ${meant.join(', or ')}`,
  });
}

export function prepare(command: Command): void {
  command.option('--json', 'print one JSON value on stdout');
  command.exitOverride((error) => {
    throw FINE.includes(error.code) ? error : usageError(error, command);
  });
}

/** Runs a command's work with the router in reach and lets go of it, whatever happens. */
export async function withSession<T>(
  host: Host,
  work: (client: ApiClient, session: Session) => Promise<T>,
  open: () => Promise<Session> = () => connect(host),
): Promise<T> {
  const session = await open();
  try {
    return await work(session.client, session);
  } catch (error) {
    throw callError(error);
  } finally {
    await session.close();
  }
}

/** Said once a decision is stored that only a hub can carry out. */
export function noteWithoutHub(host: Host, session: Session, what: string): void {
  if (!session.hasHub) host.out.note(`No hub is running. ${what} Start the hub: signalbox hub`);
}

const numberIn =
  (least: number, most: number, isWhole: boolean) =>
  (text: string): number => {
    const value = Number(text);
    const isPlain = /^\d+(\.\d+)?$/.test(text);
    if (!isPlain || (isWhole && !Number.isSafeInteger(value)) || value < least || value > most) {
      const kind = isWhole ? 'a whole number' : 'a number';
      throw new InvalidArgumentError(
        most === Number.MAX_SAFE_INTEGER
          ? `It takes ${kind} from ${least}.`
          : `It takes ${kind} from ${least} to ${most}.`,
      );
    }
    return value;
  };
/** Reads an option's value. */
export const wholeNumber = (least: number, most: number = Number.MAX_SAFE_INTEGER) =>
  numberIn(least, most, true);
export const amount = (least: number, most: number = Number.MAX_SAFE_INTEGER) => numberIn(least, most, false);

/** For options that may be given several times. */
export const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];
