import { CommanderError } from 'commander';
import { INTERNAL, isAppError, toWireError } from '../../../src-shared/errors.ts';
import { callError } from '../../adapters/call-errors.ts';
import { assertHelpExists } from './define.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { createHost, type Host } from './host.ts';
import { createOutput, type Output } from './output.ts';
import { createProgram } from './program.ts';

/** Before anything is parsed, since a wrong invocation is answered in the form that was asked for. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

/** The text of an error without a code goes to the log only. */
async function logUnknown(host: Host, error: unknown): Promise<void> {
  try {
    const [{ openDataFolder }, { createFileLog }, path] = await Promise.all([
      import('../../adapters/data-folder.ts'),
      import('../../adapters/file-log.ts'),
      import('node:path'),
    ]);
    const { data } = openDataFolder(host.folder);
    const file = path.join(data, 'logs', 'signalbox.log');
    createFileLog({ file, clock: host.clock }).error('a command failed', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  } catch {
    // Without a data folder there is no log; the exit code and the fixed message remain.
  }
}

async function report(host: Host, out: Output, thrown: unknown): Promise<number> {
  const error = callError(thrown);
  if (isAppError(error)) {
    out.error(toWireError(error));
    return exitCodeOf(error.code);
  }
  await logUnknown(host, error);
  out.error(INTERNAL);
  return exitCodeOf('internal');
}

/** A reader that has seen enough (`| head`) is no failure of ours. */
function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.yes : EXIT.failed);
  });
  process.stderr.on('error', () => undefined);
}

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

/** `help task add` asks the same as `task add --help`. */
const withoutHelpWord = (words: readonly string[]): readonly string[] =>
  words[0] === 'help' ? [...words.slice(1), '--help'] : words;

/** Runs one command line. @returns the exit code */
async function main(typed: readonly string[]): Promise<number> {
  const words = withoutHelpWord(typed);
  let exitCode: number = EXIT.yes;
  const { stdout, stderr } = process;
  const out = createOutput({ json: wantsJson(words), stdout, stderr, env: process.env });
  let crashed = async (error: unknown): Promise<void> => {
    process.exit(await report(host, out, error));
  };
  const host = createHost(
    out,
    (code) => {
      exitCode = code;
    },
    (handler) => {
      crashed = (error) => Promise.resolve(handler(error));
    },
  );
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => void crashed(error));
  }
  let printed = '';
  try {
    const program = await createProgram(host, words, (part) => {
      printed += part;
    });
    if (words[0] === 'complete' && words[1] === '--') {
      const { completeWords } = await import('./completion.ts');
      await completeWords(program, words.slice(2));
      return EXIT.yes;
    }
    assertHelpExists(program, words);
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Only help and version come here; what is wrong has become an AppError.
      out.value({ text: printed }, () => printed.replace(/\n$/, ''));
      return EXIT.yes;
    }
    return report(host, out, error);
  }
}

/**
 * Called by the bin. Ends the process itself: by then everything was let go of, and nothing that a library left
 * behind may keep a command from ending.
 */
export async function start(): Promise<never> {
  endWithReader();
  const exitCode = await main(process.argv.slice(2));
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(exitCode);
}
