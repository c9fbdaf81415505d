import { randomBytes } from 'node:crypto';
import type { Clock, Log } from '../../core/ports/world.ts';
import { loginShellPath, mergePaths, type ShellPath } from '../../adapters/process/login-shell-path.ts';
import { PATH_NOTE } from '../../hub/doctor-path.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for the hub: ours, with what is known of the person's PATH. Pure. */
export function withShellPath(env: Environment, answer: ShellPath): Record<string, string | undefined> {
  switch (answer.kind) {
    case 'found':
      return { ...env, PATH: mergePaths(answer.path, env['PATH']) };
    case 'failed':
      return { ...env, [PATH_NOTE]: answer.problem };
    case 'not-asked':
      return { ...env };
  }
}

/** Asks the login shell once where the application was started from a desktop. Never rejects. */
export async function askShell(options: {
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<Record<string, string | undefined>> {
  const { log, env } = options;
  const answer = await loginShellPath({
    ...options,
    isTerminal: process.stdin.isTTY || process.stdout.isTTY,
    marker: randomBytes(16).toString('hex'),
  }).catch((error: unknown): ShellPath => ({ kind: 'failed', problem: String(error) }));
  if (answer.kind === 'found') log.info('the PATH of the login shell is used', { shell: answer.shell });
  if (answer.kind === 'failed') log.warn('the login shell told no PATH', { problem: answer.problem });
  return withShellPath(env, answer);
}
