import { millis } from '../../../src-shared/time.ts';
import { OWNER_VARIABLE, signalEach, type ProcessRow, type ProcessSource } from './process-rows.ts';
import type { RunTool } from './run-tool.ts';

/** ps(1) of macOS: `sess` is an address there, so sessions are not read; `lstart` is five words. */
const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,time=,command=';
const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+\d+:\d+:\d+\s+\d{4})\s+([\d:.-]+)\s?(.*)$/;

interface PsLine {
  readonly row: ProcessRow;
  readonly command: string;
}

/** Lines of `ps -axww -o pid=,ppid=,pgid=,stat=,lstart=,time=,command=`; others are passed over. */
export function parsePsLines(text: string): readonly PsLine[] {
  const lines: PsLine[] = [];
  for (const line of text.split('\n')) {
    const [, pid, ppid, pgid, stat = '', lstart = '', time = '', command = ''] = LINE.exec(line) ?? [];
    if (pid === undefined) continue;
    const start = lstart.replaceAll(/\s+/g, ' ');
    lines.push({
      command,
      row: {
        pid: Number(pid),
        ppid: Number(ppid),
        pgid: Number(pgid),
        sid: null,
        start,
        startOrder: Date.parse(start),
        isDead: stat.startsWith('Z'),
        cpuMs: parsePsTime(time),
      },
    });
  }
  return lines;
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` in milliseconds; null for anything else. */
export function parsePsTime(text: string): number | null {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text);
  if (match === null) return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return Math.round(
    (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
  );
}

/**
 * The mark in what `ps -E` adds after the command. Only the added part is searched, so that a process which
 * merely names a mark among its arguments is not taken for ours.
 *
 * @param command of the same process without `-E`
 */
export function markAfterCommand(withEnvironment: string, command: string): string | null {
  if (!withEnvironment.startsWith(command)) return null;
  const match = new RegExp(` ${OWNER_VARIABLE}=(\\S+)`).exec(withEnvironment.slice(command.length));
  return match?.[1] ?? null;
}

/** Processes by `ps`. The environment of programs that the system protects is not shown (docs/security.md). */
export function createDarwinProcesses(run: RunTool): ProcessSource {
  const list = async (): Promise<readonly PsLine[]> =>
    parsePsLines(await run('/bin/ps', ['-axww', '-o', COLUMNS]));
  const one = async (pid: number): Promise<ProcessRow | null> => {
    try {
      const text = await run('/bin/ps', ['-ww', '-o', COLUMNS, '-p', String(pid)]);
      return parsePsLines(text)[0]?.row ?? null;
    } catch {
      // ps exits with 1 when the process is gone.
      return null;
    }
  };
  return {
    snapshot: async () => {
      const marks = new Map<string, string>();
      for (const { row, command } of parsePsLines(await run('/bin/ps', ['-axEww', '-o', COLUMNS]))) {
        if (command.includes(OWNER_VARIABLE)) marks.set(`${row.pid} ${row.start}`, command);
      }
      const lines = await list();
      const commands = new Map(lines.map(({ row, command }) => [row, command]));
      return {
        rows: lines.map(({ row }) => row),
        markOf: (row) => {
          const withEnvironment = marks.get(`${row.pid} ${row.start}`);
          const command = commands.get(row);
          if (withEnvironment === undefined || command === undefined) return null;
          return markAfterCommand(withEnvironment, command);
        },
      };
    },
    row: one,
    startOfChild: async (pid) => (await one(pid))?.start ?? null,
    orderOf: (start) => Date.parse(start),
    signal: (groups, pids, signal) => {
      signalEach(
        groups.map((group) => -group),
        signal,
      );
      signalEach(pids, signal);
      return Promise.resolve();
    },
    pause: millis(60),
  };
}
