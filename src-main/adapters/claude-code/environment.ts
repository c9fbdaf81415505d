import { agentEnvironment } from '../environment.ts';

/**
 * The agent's environment: the allowlist, and two settings that a driven CLI needs. With its default of 10
 * retries a wrong key takes three minutes to fail, in silence (PROTOCOL.md, surprise 20); an update in the middle
 * of a run would change the program under it.
 */
export const claudeEnvironment = (
  inherited: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  platform: NodeJS.Platform,
): Record<string, string> => ({
  ...agentEnvironment(inherited, names, platform),
  CLAUDE_CODE_MAX_RETRIES: '3',
  DISABLE_AUTOUPDATER: '1',
});

/** A variable by name, which has no case on Windows (PATH is usually spelt Path there). */
export function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
