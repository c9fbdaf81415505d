import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process of a test's world as `/proc` shows it. */
export interface WorldProcess {
  readonly pid: number;
  readonly command: string;
  /** Value of `SIGNALBOX_OWNER`, null when it carries none. */
  readonly mark: string | null;
}

const OWNER = /(?:^|\0)SIGNALBOX_OWNER=([^\0]*)/;

/** How one process is tied to the folder, or null when it is not, has ended, or is a zombie. */
async function look(pid: number, folder: string): Promise<WorldProcess | null> {
  const file = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const [environment, command, state, cwd] = await Promise.all([
    file('environ'),
    file('cmdline'),
    file('stat'),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  if (state === '' || /^\d+ \(.*\) [ZX]/s.test(state)) return null;
  if (![environment, command, cwd].some((text) => text.includes(folder))) return null;
  return { pid, command: command.replaceAll('\0', ' ').trim(), mark: OWNER.exec(environment)?.[1] ?? null };
}

/**
 * Every living process that belongs to a world: its environment, command line or working folder names the world's
 * own temp folder. Wider than the owner mark on purpose, so that a child that lost its mark is seen too.
 * Linux only: it reads `/proc`.
 */
export async function processesOf(folder: string): Promise<WorldProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.filter((pid) => pid !== process.pid).map((pid) => look(pid, folder)));
  return found.filter((one) => one !== null);
}
