import { millis } from '../../../src-shared/time.ts';
import type { ProcessRow, ProcessSource } from './process-rows.ts';
import type { RunTool } from './run-tool.ts';

const QUERY =
  'Get-CimInstance Win32_Process | ForEach-Object { [pscustomobject]@{ p = $_.ProcessId; q = $_.ParentProcessId;' +
  ' s = $_.CreationDate.ToUniversalTime().Ticks.ToString(); u = $_.UserModeTime; k = $_.KernelModeTime } }' +
  ' | ConvertTo-Json -Compress';
/** .NET ticks and Win32_Process times are both units of 100 ns. */
const TICKS_PER_MS = 10_000;

/** Answer of `QUERY`: one object or a list of them; entries without a start time (System, Idle) are left out. */
export function parseCimProcesses(text: string): readonly ProcessRow[] {
  if (text.trim() === '') return [];
  const parsed: unknown = JSON.parse(text);
  const rows: ProcessRow[] = [];
  for (const entry of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { p, q, s, u, k } = entry as Record<string, unknown>;
    if (typeof p !== 'number' || typeof q !== 'number' || typeof s !== 'string') continue;
    rows.push({
      pid: p,
      ppid: q,
      pgid: null,
      sid: null,
      start: s,
      startOrder: Number(s),
      isDead: false,
      cpuMs: typeof u === 'number' && typeof k === 'number' ? (u + k) / TICKS_PER_MS : null,
    });
  }
  return rows;
}

/**
 * Processes by CIM and `taskkill`. Windows has neither groups nor readable environments: a tree is the chain of
 * parents, and a process whose parent is gone is not seen (docs/security.md says so).
 */
export function createWindowsProcesses(run: RunTool): ProcessSource {
  const query = async (filter: string): Promise<readonly ProcessRow[]> =>
    parseCimProcesses(
      await run('powershell.exe', [
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        QUERY.replace('Win32_Process', filter),
      ]),
    );
  const one = async (pid: number): Promise<ProcessRow | null> =>
    (await query(`Win32_Process -Filter "ProcessId=${pid}"`))[0] ?? null;
  return {
    snapshot: async () => ({ rows: await query('Win32_Process'), markOf: () => null }),
    row: one,
    startOfChild: async (pid) => {
      try {
        return (await one(pid))?.start ?? null;
      } catch {
        return null;
      }
    },
    orderOf: (start) => Number(start),
    signal: async (_groups, pids, signal) => {
      // There is no polite request that a console program would see; the grace then only passes.
      if (signal === 'SIGTERM' || pids.length === 0) return;
      try {
        await run('taskkill.exe', ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])]);
      } catch {
        // It fails when one of them is gone already; the next look tells who lives.
      }
    },
    pause: millis(100),
  };
}
