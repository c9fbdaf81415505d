import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { seconds } from '../../../src-shared/time.ts';
import type { Clock } from '../../core/ports/world.ts';

/*
 * A program that a desktop's menu starts has the short PATH of the session, without what the person's shell adds:
 * `claude` and often `git` are not on it. The shell is asked once, as a terminal would start it. The packages for this
 * (`shell-env`, `shell-path`) have no time limit, and hand the whole environment around.
 */
type Environment = Readonly<Record<string, string | undefined>>;

export type ShellPath =
  | { readonly kind: 'found'; readonly path: string; readonly shell: string }
  /** Not needed: Windows, or started from a terminal. */
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'failed'; readonly problem: string };

export interface ShellPathOptions {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** Whether input or output is a terminal. */
  readonly isTerminal: boolean;
  /** Random, so that nothing a shell prints on its start is taken for the answer. */
  readonly marker: string;
}

const SHELL_MAY_TAKE = seconds(3);
const LONGEST_OUTPUT = 256 * 1024;
/** For start-up files that take long and want to know. */
export const ASKS_SHELL = 'SIGNALBOX_ASKS_SHELL';

/** What was started from a terminal has its PATH already; desktops set no TERM, or one that is none. */
const isFromTerminal = ({ env, isTerminal }: ShellPathOptions): boolean =>
  isTerminal || !['', 'dumb', undefined].includes(env['TERM']);

function shellOf(env: Environment): string | null {
  let ofAccount: string | null = null;
  try {
    ofAccount = os.userInfo().shell;
  } catch {
    // An account without an entry.
  }
  const shell = [env['SHELL'], ofAccount].find((each) => each !== undefined && each !== null && each !== '');
  return shell !== undefined && shell !== null && path.isAbsolute(shell) ? shell : null;
}

/** As a terminal starts it: interactive and as for a login, since PATH is set in the files of either. */
function wordsFor(shell: string, command: string): readonly string[] {
  const name = path.basename(shell);
  if (name === 'tcsh' || name === 'csh') return ['-ic', command];
  if (name === 'pwsh') return ['-Login', '-Command', command];
  return ['-ilc', command];
}

/** Asks for one variable alone, by a program: each shell writes and exports it in its own way. */
const commandFor = (marker: string): string => `echo ${marker}; /usr/bin/env printenv PATH; echo ${marker}`;

/** What stands between the markers, or null while the second is not there. */
export function between(output: string, marker: string): string | null {
  const from = output.indexOf(marker);
  const to = output.indexOf(marker, from + marker.length);
  return from === -1 || to === -1 ? null : output.slice(from + marker.length, to).trim();
}

/** The shell's folders first, then those that were there and are not among them. Relative ones mean nothing here. */
export function mergePaths(shellPath: string, ownPath: string | undefined): string {
  const folders = [...shellPath.split(':'), ...(ownPath ?? '').split(':')];
  return [...new Set(folders.filter((folder) => path.posix.isAbsolute(folder)))].join(':');
}

/** Asks the person's login shell for its PATH, for three seconds at most. Never rejects. */
export function loginShellPath(options: ShellPathOptions): Promise<ShellPath> {
  const { env, platform, clock, marker } = options;
  if (platform === 'win32' || isFromTerminal(options)) return Promise.resolve({ kind: 'not-asked' });
  const shell = shellOf(env);
  if (shell === null) return Promise.resolve({ kind: 'failed', problem: 'the account has no login shell' });
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(shell, wordsFor(shell, commandFor(marker)), {
      cwd: os.homedir(),
      // What frameworks of zsh would otherwise do in a shell that nobody sees.
      env: { ...env, [ASKS_SHELL]: '1', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
      // A session of its own: an interactive shell would stop when it cannot have the terminal.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const end = (result: ShellPath): void => {
      timer.dispose();
      child.stdout.destroy();
      // Also what its start-up files left running with it.
      if (child.pid !== undefined) endGroup(child.pid);
      resolve(result);
    };
    const failed = (problem: string): void => end({ kind: 'failed', problem: `${shell} ${problem}` });
    const timer = clock.after(SHELL_MAY_TAKE, () =>
      failed(`did not answer within ${SHELL_MAY_TAKE / 1000} seconds`),
    );
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const found = between(output, marker);
      if (found !== null && found.includes('/')) end({ kind: 'found', path: found, shell });
      else if (found !== null) failed('told no PATH');
      else if (output.length > LONGEST_OUTPUT) failed('printed too much on its start');
    });
    child.on('error', ({ message }) => failed(`could not be started (${message})`));
    child.on('close', (code) => failed(`ended without an answer (exit ${code ?? 'by a signal'})`));
  });
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
