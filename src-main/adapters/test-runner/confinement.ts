import type { Confinement } from '../../core/ports/commands.ts';
import type { Spawner } from '../process/spawn-owned.ts';
import { millis } from '../../../src-shared/time.ts';
import { PROBE_ARGUMENTS } from './sandbox-arguments.ts';

export interface ConfinementState {
  readonly kind: Confinement;
  /** Why there is no sandbox, with what to do; null when there is one. */
  readonly problem: string | null;
}

export interface ConfinementProbe {
  /** @param account whose right to make a sandbox is asked; absent means the hub's own */
  look(account?: { readonly uid: number; readonly gid: number }): Promise<ConfinementState>;
}

const PROBE_TIMEOUT = millis(10_000);
const TOLD = 'signalbox-sandbox-works';

/**
 * Finds out whether this machine really makes sandboxes, by making one: an installed bubblewrap may still be
 * forbidden its namespaces, as in many containers. A yes is remembered, a no is asked again the next time.
 */
export function createConfinementProbe(parts: {
  readonly spawner: Spawner;
  readonly platform: NodeJS.Platform;
  readonly toolEnv: Readonly<Record<string, string>>;
  readonly mark: string;
}): ConfinementProbe {
  const works = new Set<string>();

  const probe = async (
    file: string,
    args: readonly string[],
    account: { readonly uid: number; readonly gid: number } | undefined,
  ): Promise<string | null> => {
    const finished = await parts.spawner.run({
      file,
      args: [...args, '/bin/sh', '-c', `echo ${TOLD}`],
      cwd: '/',
      env: parts.toolEnv,
      mark: parts.mark,
      timeout: PROBE_TIMEOUT,
      maxBytes: 64 * 1024,
      ...account,
    });
    if (finished.kind === 'not-started') return finished.message;
    if (finished.stdout.toString('utf8').trim() === TOLD && finished.exitCode === 0) return null;
    return (
      finished.stderr.toString('utf8').trim().slice(0, 500) ||
      `${file} ended without a word (${finished.kind}).`
    );
  };

  const lookAgain = async (
    account: { readonly uid: number; readonly gid: number } | undefined,
  ): Promise<ConfinementState> => {
    if (parts.platform === 'linux') {
      const problem = await probe('bwrap', PROBE_ARGUMENTS, account);
      if (problem === null) return { kind: 'bubblewrap', problem: null };
      return {
        kind: 'none',
        problem: `bubblewrap cannot make a sandbox here: ${problem} Install the package bubblewrap, and allow user namespaces.`,
      };
    }
    if (parts.platform === 'darwin') {
      const problem = await probe('sandbox-exec', ['-p', '(version 1)(allow default)'], account);
      if (problem === null) return { kind: 'sandbox-exec', problem: null };
      return { kind: 'none', problem: `sandbox-exec does not work here: ${problem}` };
    }
    return { kind: 'none', problem: 'This system has no sandbox that Signalbox knows.' };
  };

  return {
    async look(account) {
      const key = String(account?.uid ?? 'self');
      if (works.has(key))
        return { kind: parts.platform === 'darwin' ? 'sandbox-exec' : 'bubblewrap', problem: null };
      const state = await lookAgain(account);
      if (state.problem === null) works.add(key);
      return state;
    },
  };
}
