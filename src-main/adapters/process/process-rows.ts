import type { Millis } from '../../../src-shared/time.ts';

/** Name of the environment variable that says whose a process is (12-engine, Processes). */
export const OWNER_VARIABLE = 'SIGNALBOX_OWNER';

/** One process of the system as a look at the process table shows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  /** Process group and session; null where the system has none (Windows). */
  readonly pgid: number | null;
  readonly sid: number | null;
  /** Opaque start time, never the same for two processes that had this pid. */
  readonly start: string;
  /** Start time as a number; greater is younger, equal tells nothing. Only comparable within one look. */
  readonly startOrder: number;
  /** A zombie: it has ended and waits to be collected. */
  readonly isDead: boolean;
  /** CPU time of the process and of its collected children; null when the system does not tell. */
  readonly cpuMs: number | null;
}

export interface ProcessSnapshot {
  readonly rows: readonly ProcessRow[];
  /** The owner mark in the environment of the process; null without one, or when it may not be read. */
  markOf(row: ProcessRow): string | null;
  /** Whether `markOf` cannot tell yet: in the middle of an exec an environment reads as empty (Linux). */
  isUnsettled?(row: ProcessRow): boolean;
}

/** How a platform shows processes and ends them. */
export interface ProcessSource {
  snapshot(): Promise<ProcessSnapshot>;
  /** One process, faster than a whole look; null when there is none. */
  row(pid: number): Promise<ProcessRow | null>;
  /** Start time of a child that was spawned this moment and not yet collected; null when it cannot be read. */
  startOfChild(pid: number): Promise<string | null>;
  /** Start time as `ProcessRow.startOrder` gives it, out of `ProcessRow.start`; null for another boot. */
  orderOf(start: string): number | null;
  /** Signals whole groups (by id) and single processes. Those that are gone or not ours are passed over. */
  signal(groups: readonly number[], pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** How long to wait between two looks. */
  readonly pause: Millis;
}

/** The mark among environment entries that are separated by NUL, as `/proc/<pid>/environ` has them. */
export function markInEnvironment(environment: string): string | null {
  const prefix = `${OWNER_VARIABLE}=`;
  const at = environment.startsWith(prefix) ? 0 : environment.indexOf(`\0${prefix}`) + 1;
  if (at === 0 && !environment.startsWith(prefix)) return null;
  const end = environment.indexOf('\0', at);
  const mark = environment.slice(at + prefix.length, end === -1 ? undefined : end);
  return mark === '' ? null : mark;
}

/** Sends to each target with `process.kill`; a target that is gone or not ours is no error. */
export function signalEach(targets: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const target of targets) {
    try {
      process.kill(target, signal);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    }
  }
}
