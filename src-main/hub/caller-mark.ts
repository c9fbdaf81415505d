import type { ProcessSource } from '../adapters/process/process-rows.ts';

const OWNER_VARIABLE = 'SIGNALBOX_OWNER';
/** More ancestors than a shell in a terminal in a session ever has; ends a circle that a race could show. */
const MOST_ANCESTORS = 128;

/**
 * Whether this process runs below one that Signalbox started: by its own environment, or by that of an ancestor
 * whose environment may be read (12-engine, Who is the hub). A process that removes the mark and detaches is not
 * found, which is why docs/security.md calls only a separate account or a sandbox a boundary.
 *
 * @param source the process table; null where ancestors cannot be seen (Windows)
 */
export async function isBelowAgent(
  env: Readonly<Record<string, string | undefined>>,
  self: { readonly pid: number; readonly ppid: number },
  source: ProcessSource | null,
): Promise<boolean> {
  if (env[OWNER_VARIABLE] !== undefined) return true;
  if (source === null) return false;
  const { rows, markOf } = await source.snapshot();
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  let row = byPid.get(self.ppid);
  for (let steps = 0; row !== undefined && steps < MOST_ANCESTORS; steps += 1) {
    if (markOf(row) !== null) return true;
    row = byPid.get(row.ppid);
  }
  return false;
}
