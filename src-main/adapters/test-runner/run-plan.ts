import path from 'node:path';
import type { CommandOutcome, CommandRequest, Confinement } from '../../core/ports/commands.ts';
import type { Account } from './accounts.ts';
import { bubblewrapArguments } from './sandbox-arguments.ts';
import { sandboxExecProfile } from './sandbox-exec-profile.ts';
import type { SandboxPlan } from './sandbox-plan.ts';

export type Refusal = Extract<CommandOutcome, { readonly kind: 'refused' }>;

export const refused = (code: Refusal['code'], message: string, hint: string): Refusal => ({
  kind: 'refused',
  code,
  message,
  hint,
});

/** How one command is fenced in: decided before anything of the project is executed. */
export interface Fence {
  /** What the ledger says. Under an account this is `account`, also when a sandbox lies inside. */
  readonly confinement: Confinement;
  readonly sandbox: 'bubblewrap' | 'sandbox-exec' | null;
  readonly plan: SandboxPlan;
  readonly account: Account | null;
  /** An empty folder of the run's own, where the fence needs one: HOME of an account, TMPDIR on macOS. */
  readonly scratch: string | null;
}

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** Written to the program's input, which is then ended; null for an empty input. */
  readonly input: string | null;
}

/** The words that are executed: with `shell` the project's one string goes to `sh -c`. */
export const commandWords = (request: CommandRequest): readonly string[] =>
  request.shell ? ['/bin/sh', '-c', request.command.join(' ')] : request.command;

const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Environment of a fenced command: HOME and temporary folder as the fence has them. */
function fencedEnvironment(
  fence: Fence,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  if (fence.sandbox === null && fence.account === null) return { ...environment };
  const { TMP: _tmp, TEMP: _temp, TMPDIR: _tmpdir, ...rest } = environment;
  if (fence.account === null) {
    return { ...rest, TMPDIR: fence.sandbox === 'sandbox-exec' ? (fence.scratch ?? '/tmp') : '/tmp' };
  }
  const { name } = fence.account;
  return { ...rest, HOME: fence.scratch ?? '/tmp', USER: name, LOGNAME: name, TMPDIR: '/tmp' };
}

/**
 * Puts fence and account around a command. Pure.
 *
 * @param isRoot the hub may set the user by itself; else sudo does, and the environment goes to it on its input,
 * because a command line is open to every user of the machine
 * @param mark value of `SIGNALBOX_OWNER`, which sudo would not pass on
 */
export function invocation(
  fence: Fence,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  isRoot: boolean,
  mark: string,
): Invocation {
  const env = fencedEnvironment(fence, environment);
  const inner = [...wrapperOf(fence), ...words];
  const [file = '', ...args] = inner;
  if (fence.account === null) return { file, args, env, input: null };
  if (isRoot) return { file, args, env, uid: fence.account.uid, gid: fence.account.gid, input: null };
  const exports = Object.entries({ ...env, SIGNALBOX_OWNER: mark }).map(
    ([name, value]) => `export ${name}=${quotedForShell(value)}`,
  );
  const script = [
    ...exports,
    `cd ${quotedForShell(fence.plan.tree)} || exit 126`,
    `exec ${inner.map(quotedForShell).join(' ')} </dev/null`,
  ];
  return {
    file: 'sudo',
    args: ['-n', '-u', fence.account.name, '--', 'sh', '-s'],
    env: environment,
    input: `${script.join('\n')}\n`,
  };
}

function wrapperOf(fence: Fence): readonly string[] {
  switch (fence.sandbox) {
    case 'bubblewrap': {
      const base = bubblewrapArguments(fence.plan);
      // The account's HOME lies in the sandbox's own /tmp.
      const home = fence.account !== null && fence.scratch !== null ? ['--dir', fence.scratch] : [];
      return ['bwrap', ...base, ...home, '--'];
    }
    case 'sandbox-exec':
      return [
        'sandbox-exec',
        '-p',
        sandboxExecProfile(fence.plan, fence.scratch ?? path.posix.join('/private/tmp')),
      ];
    case null:
      return [];
  }
}
