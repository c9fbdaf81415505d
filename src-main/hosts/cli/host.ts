import { systemClock } from '../../adapters/system-clock.ts';
import { locateDataFolder, type DataFolder } from '../../adapters/data-folder.ts';
import type { Clock } from '../../core/ports/world.ts';
import { personName } from '../../hub/person.ts';
import type { Output } from './output.ts';
import { readStdin } from './read-text.ts';

/** What commands see of the process that they run in. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly out: Output;
  /** Located once asked for, so that a wrong SIGNALBOX_HOME spoils no `--help`. */
  readonly folder: DataFolder;
  /** Name of the operating-system user: who acts. */
  readonly person: string;
  /** Whole standard input as text. */
  stdin(): Promise<string>;
  /** Sets the exit code that the process ends with when the command succeeds. */
  setExitCode(code: number): void;
  /** What is thrown where nobody waits for it goes here instead of ending the command. */
  onCrash(handler: (error: unknown) => void): void;
}

export function createHost(
  out: Output,
  setExitCode: Host['setExitCode'],
  onCrash: Host['onCrash'] = () => undefined,
): Host {
  let folder: DataFolder | null = null;
  return {
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    out,
    get folder() {
      folder ??= locateDataFolder(process.env);
      return folder;
    },
    get person() {
      return personName();
    },
    stdin: () => {
      if (process.stdin.isTTY) out.note('Reading from standard input; end it with Ctrl+D.');
      return readStdin(process.stdin);
    },
    setExitCode,
    onCrash,
  };
}
