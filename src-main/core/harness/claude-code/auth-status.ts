import type { LoginState } from '../../ports/harness.ts';
import { asObject, asText } from './read-json.ts';

/**
 * Reads `claude auth status` (JSON; exit 1 when logged out). It says whether there is a login, not whether it
 * works: a wrong key counts as logged in.
 */
export function readAuthStatus(stdout: string): LoginState {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return { kind: 'unknown', problem: 'Claude Code did not say whether it is logged in.' };
  }
  const status = asObject(value);
  if (status?.['loggedIn'] === true) {
    return { kind: 'logged-in', method: (asText(status['authMethod']) ?? 'unknown').slice(0, 100) };
  }
  if (status?.['loggedIn'] === false) return { kind: 'logged-out' };
  return { kind: 'unknown', problem: 'Claude Code did not say whether it is logged in.' };
}

/** The version in what `claude --version` prints, `2.1.332 (Claude Code)`; null when it is something else. */
export const readVersion = (stdout: string): string | null =>
  /^\s*(\d+\.\d+\.\d+\S*)\s+\(Claude Code\)/.exec(stdout.slice(0, 1_000))?.[1] ?? null;
