import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { millis } from '../../../src-shared/time.ts';
import {
  markInEnvironment,
  signalEach,
  type ProcessRow,
  type ProcessSnapshot,
  type ProcessSource,
} from './process-rows.ts';

/** USER_HZ: 100 on every architecture that Node runs on (proc(5), times in /proc/[pid]/stat). */
const TICKS_PER_SECOND = 100;
const DEAD_STATES = new Set(['Z', 'X', 'x']);

/**
 * Reads one line of `/proc/<pid>/stat` (proc(5)): `pid (comm) state ppid pgrp session … utime stime cutime cstime
 * … starttime`. The name may hold spaces, brackets and line ends, so fields are counted from the last bracket.
 *
 * @param bootId makes the start time unique over restarts of the machine
 * @returns null for text that is not such a line
 */
export function parseLinuxStat(text: string, bootId: string): ProcessRow | null {
  const close = text.lastIndexOf(')');
  const open = text.indexOf('(');
  if (open === -1 || close < open) return null;
  const fields = text
    .slice(close + 1)
    .trim()
    .split(' ');
  const [state = ''] = fields;
  const number = (at: number): number => Number(fields[at]);
  const pid = Number(text.slice(0, open).trim());
  const startTicks = number(19);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !Number.isSafeInteger(startTicks) || state === '')
    return null;
  const ticks = number(11) + number(12) + number(13) + number(14);
  return {
    pid,
    ppid: number(1),
    pgid: number(2),
    sid: number(3),
    start: `${bootId}/${startTicks}`,
    startOrder: startTicks,
    isDead: DEAD_STATES.has(state),
    cpuMs: Number.isFinite(ticks) ? (ticks * 1000) / TICKS_PER_SECOND : null,
  };
}

/**
 * Processes by `/proc`. Reads are synchronous: each is answered from memory in microseconds, and a look that is
 * as near to one moment as possible misses fewer forks than one spread over turns of the event loop.
 */
export function createLinuxProcesses(proc = '/proc'): ProcessSource {
  const bootId = readOrNull(`${proc}/sys/kernel/random/boot_id`)?.trim() ?? 'boot';
  const buffer = Buffer.alloc(4096);

  const readRow = (pid: number | string): ProcessRow | null => {
    let file: number;
    try {
      file = openSync(`${proc}/${pid}/stat`, 'r');
    } catch {
      return null;
    }
    try {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      return parseLinuxStat(buffer.toString('latin1', 0, length), bootId);
    } catch {
      // It ended between open and read (ESRCH).
      return null;
    } finally {
      closeSync(file);
    }
  };

  const snapshot = (): ProcessSnapshot => {
    const rows: ProcessRow[] = [];
    for (const name of readdirSync(proc)) {
      const first = name.charCodeAt(0);
      if (first < 48 || first > 57) continue;
      const row = readRow(name);
      if (row !== null) rows.push(row);
    }
    const marks = new Map<number, string | null>();
    const empty = new Set<number>();
    return {
      rows,
      markOf: (row) => {
        const known = marks.get(row.pid);
        if (known !== undefined) return known;
        const environment = row.isDead ? null : readOrNull(`${proc}/${row.pid}/environ`);
        // The pid may have gone to another process since the look.
        if (environment === '') empty.add(row.pid);
        const isSame = environment !== null && readRow(row.pid)?.start === row.start;
        const mark = isSame ? markInEnvironment(environment) : null;
        marks.set(row.pid, mark);
        return mark;
      },
      // `environ_read` in fs/proc/base.c gives nothing until the new program's memory has its environment. Kernel
      // threads (group 0) never have one.
      isUnsettled: (row) => row.pgid !== 0 && empty.has(row.pid) && readRow(row.pid)?.isDead === false,
    };
  };

  return {
    snapshot: () => Promise.resolve(snapshot()),
    row: (pid) => Promise.resolve(readRow(pid)),
    startOfChild: (pid) => Promise.resolve(readRow(pid)?.start ?? null),
    orderOf: (start) => {
      const [boot, ticks] = start.split('/');
      return boot === bootId && ticks !== undefined ? Number(ticks) : null;
    },
    signal: (groups, pids, signal) => {
      signalEach(
        groups.map((group) => -group),
        signal,
      );
      signalEach(pids, signal);
      return Promise.resolve();
    },
    pause: millis(20),
  };
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
