/** Looks at `/proc` on its own, so that a test does not ask the code under test whether it was right. */
import { readFileSync, readdirSync } from 'node:fs';

/** False for a zombie, too: it has ended. */
export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  return state !== null && state !== 'Z' && state !== 'X';
}

/** One letter: R, S, D, T (stopped), Z and so on (proc(5)); null when the process is gone. */
export function stateOf(pid: number): string | null {
  try {
    return /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Pids of running processes whose environment has a `SIGNALBOX_OWNER` that begins so. */
export function pidsWithMark(prefix: string): readonly number[] {
  return allPids().filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      return environment.some((entry) => entry.startsWith(`SIGNALBOX_OWNER=${prefix}`)) && isRunning(pid);
    } catch {
      return false;
    }
  });
}

/** Pids of running processes in a process group. */
export function pidsInGroup(group: number): readonly number[] {
  return allPids().filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group && isRunning(pid);
    } catch {
      return false;
    }
  });
}

/** Children of this process, zombies included. */
export function childrenOfThis(): number {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean).length;
}

/** Open descriptors of this process. */
export const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

function allPids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}
