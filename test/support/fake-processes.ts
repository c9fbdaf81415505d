import type { ProcessRow, ProcessSource } from '../../src-main/adapters/process/process-rows.ts';
import { millis } from '../../src-shared/time.ts';

export interface FakeProcess {
  readonly pid: number;
  readonly ppid?: number;
  readonly pgid?: number;
  readonly start?: number;
  readonly mark?: string;
  /** Looks in which its environment reads as empty, as in the middle of an exec. */
  readonly isExecUntilLook?: number;
  /** Signals that it does not die of. */
  readonly ignores?: readonly string[];
}

/** A process table in memory. What is signalled dies at once, unless it ignores the signal. */
export class FakeProcesses implements ProcessSource {
  readonly pause = millis(20);
  readonly signals: string[] = [];
  looks = 0;
  /** Called before each look. */
  beforeLook: () => void = () => undefined;
  isBroken = false;
  private readonly living = new Map<number, FakeProcess>();

  constructor(processes: readonly FakeProcess[] = []) {
    for (const each of processes) this.put(each);
  }

  put(process: FakeProcess): void {
    this.living.set(process.pid, process);
  }

  get pids(): readonly number[] {
    return [...this.living.keys()];
  }

  snapshot: ProcessSource['snapshot'] = () => {
    this.looks += 1;
    this.beforeLook();
    if (this.isBroken) return Promise.reject(new Error('no table'));
    const rows = [...this.living.values()].map(rowOf);
    const isInExec = (pid: number): boolean => (this.living.get(pid)?.isExecUntilLook ?? 0) >= this.looks;
    return Promise.resolve({
      rows,
      markOf: (row) => (isInExec(row.pid) ? null : (this.living.get(row.pid)?.mark ?? null)),
      isUnsettled: (row) => isInExec(row.pid),
    });
  };

  row: ProcessSource['row'] = (pid) => {
    const found = this.living.get(pid);
    return Promise.resolve(found === undefined ? null : rowOf(found));
  };

  startOfChild: ProcessSource['startOfChild'] = async (pid) => (await this.row(pid))?.start ?? null;
  orderOf: ProcessSource['orderOf'] = (start) => Number(start.slice(1));

  signal: ProcessSource['signal'] = (groups, pids, signal) => {
    for (const [kind, ids] of [
      ['group', groups],
      ['pid', pids],
    ] as const) {
      for (const id of ids) {
        this.signals.push(`${signal} ${kind} ${id}`);
        for (const each of [...this.living.values()]) {
          const isHit = kind === 'pid' ? each.pid === id : (each.pgid ?? each.pid) === id;
          if (isHit && each.ignores?.includes(signal) !== true) this.living.delete(each.pid);
        }
      }
    }
    return Promise.resolve();
  };
}

const rowOf = ({ pid, ppid = 1, pgid = pid, start = pid }: FakeProcess): ProcessRow => ({
  pid,
  ppid,
  pgid,
  sid: pgid,
  start: `s${start}`,
  startOrder: start,
  isDead: false,
  cpuMs: 10,
});
