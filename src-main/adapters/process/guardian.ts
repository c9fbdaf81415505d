import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Guardian, GuardianReceipt, StoredReceipt } from '../../core/ports/world.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { millis } from '../../../src-shared/time.ts';
import { toolEnvironment } from '../environment.ts';
import {
  formatLine,
  GUARDIAN_FILE,
  presenceFile,
  READY_LINE,
  receiptFolder,
  type GuardedTree,
  type GuardianLine,
  type GuardianPresence,
  type TreeRegistry,
} from './guardian-protocol.ts';
import type { ProcessSource } from './process-rows.ts';
import { createProcessSource } from './process-table.ts';

/** Node starts in 40 ms; a machine that pages needs longer. */
const START_WITHIN_MS = 10_000;
/** A guardian whose hub is gone needs at most twice 2 s (R5), and some air. */
const EARLIER_MAY_TAKE_MS = 6_000;
const HUB_MAY_TAKE_MS = 1_000;

export interface GuardianOptions {
  readonly hub: HubId;
  readonly dataFolder: string;
  readonly clock: Clock;
  /** The built guardian; default that of this package. */
  readonly file?: string;
  /** Node; default the one that runs now. */
  readonly executable?: string;
  /** Further environment: Electron needs `ELECTRON_RUN_AS_NODE=1` to be a Node. */
  readonly env?: Readonly<Record<string, string>>;
  readonly source?: ProcessSource;
}

export interface HubGuardian extends Guardian, TreeRegistry {
  /** Null when none runs. */
  readonly pid: number | null;
}

interface Running {
  readonly child: ChildProcess;
  readonly lost: Promise<void>;
  readonly exited: Promise<void>;
  isStopping: boolean;
}

/**
 * Starts and feeds the guardian of a hub. A guardian that died is replaced by `start()`, which tells the new one
 * every tree that still runs. Does not keep the hub alive by itself.
 */
export function createGuardian(options: GuardianOptions): HubGuardian {
  const { hub, dataFolder, clock, file = GUARDIAN_FILE, executable = process.execPath } = options;
  const source = options.source ?? createProcessSource();
  const trees = new Map<string, GuardedTree>();
  const keyOf = (tree: Pick<GuardedTree, 'pid' | 'processStart'>): string =>
    `${tree.pid} ${tree.processStart}`;
  let running: Running | null = null;
  let starting: Promise<void> | null = null;
  const never = new Promise<void>(() => undefined);
  let lost: Promise<void> = never;

  const send = (child: ChildProcess, line: GuardianLine): Promise<void> =>
    new Promise((resolve, reject) => {
      if (child.stdin === null || child.stdin.destroyed) {
        reject(unavailable('Its pipe is closed.'));
        return;
      }
      child.stdin.write(formatLine(line), (error) => {
        if (error === null || error === undefined) resolve();
        else reject(unavailable('Its pipe is closed.', error));
      });
    });

  const start = async (): Promise<void> => {
    if (!(await waitForEarlier(dataFolder, clock, source))) {
      throw unavailable('The guardian of a living hub watches this data folder.');
    }
    const child = spawn(executable, [file], {
      cwd: path.parse(dataFolder).root,
      // No mark and none of the hub's secrets.
      env: { ...toolEnvironment(process.env, process.platform), ...options.env },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const next = watchChild(child);
    void next.exited.then(() => {
      if (running === next) running = null;
    });
    try {
      await send(child, { kind: 'hello', hub, hubPid: process.pid, dataFolder });
      await ready(child, next.exited, clock);
      for (const tree of trees.values()) await send(child, { kind: 'add', tree });
    } catch (error) {
      next.isStopping = true;
      child.stdin?.destroy();
      child.kill('SIGKILL');
      throw error;
    }
    child.stdout?.destroy();
    child.unref();
    (child.stdin as unknown as { unref?: () => void }).unref?.();
    running = next;
    lost = next.lost;
  };

  return {
    get isRunning() {
      return running !== null && running.child.exitCode === null && running.child.signalCode === null;
    },
    get pid() {
      return running?.child.pid ?? null;
    },
    get lost() {
      return lost;
    },
    start: () => {
      if (running !== null) return Promise.resolve();
      starting ??= start().finally(() => {
        starting = null;
      });
      return starting;
    },
    add: async (tree) => {
      if (running === null) throw unavailable('It does not run.');
      trees.set(keyOf(tree), tree);
      await send(running.child, { kind: 'add', tree });
    },
    remove: (tree) => {
      trees.delete(keyOf(tree));
      if (running === null) return;
      const { pid, processStart } = tree;
      send(running.child, { kind: 'remove', pid, processStart }).catch(() => undefined);
    },
    receipts: async () => {
      // Those of a living hub are that hub's to book.
      if (running === null && !(await waitForEarlier(dataFolder, clock, source))) return [];
      return readReceipts(dataFolder);
    },
    acknowledge: (receipt) =>
      rm(path.join(receiptFolder(dataFolder), path.basename(receipt.id)), { force: true }),
    stop: async () => {
      await starting?.catch(() => undefined);
      const current = running;
      if (current === null) return;
      current.isStopping = true;
      current.child.ref();
      await send(current.child, { kind: 'bye' }).catch(() => undefined);
      current.child.stdin?.end();
      const timer = clock.after(millis(EARLIER_MAY_TAKE_MS), () => current.child.kill('SIGKILL'));
      await current.exited;
      timer.dispose();
      running = null;
    },
  };
}

function watchChild(child: ChildProcess): Running {
  // A pipe to a guardian that died says so by the writes' own callbacks.
  child.stdin?.on('error', () => undefined);
  child.stdout?.on('error', () => undefined);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const state: Running = {
    child,
    exited,
    isStopping: false,
    lost: new Promise((resolve) => {
      void exited.then(() => {
        if (!state.isStopping) resolve();
      });
    }),
  };
  return state;
}

/** Resolves at the guardian's first line. */
function ready(child: ChildProcess, exited: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = clock.after(millis(START_WITHIN_MS), () =>
      reject(unavailable('It did not get ready in time.')),
    );
    const fail = (): void => {
      timer.dispose();
      reject(unavailable('It ended before it was ready.'));
    };
    void exited.then(fail);
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.startsWith(READY_LINE)) return;
      timer.dispose();
      resolve();
    });
  });
}

/**
 * Waits until the guardian of an earlier hub is through: it goes by marks, and would end the new hub's children
 * with the old one's. One that hangs is ended, verified by its start time.
 *
 * @returns false when that hub is alive: then its guardian is not to be waited for
 */
async function waitForEarlier(dataFolder: string, clock: Clock, source: ProcessSource): Promise<boolean> {
  const isAlive = async (pid: number, start: string | null): Promise<boolean> => {
    const row = await source.row(pid);
    return row !== null && !row.isDead && row.start === start;
  };
  const begun = clock.monotonic();
  for (;;) {
    const earlier = await readPresence(dataFolder);
    if (earlier === null) return true;
    if (!(await isAlive(earlier.pid, earlier.processStart))) {
      await rm(presenceFile(dataFolder), { force: true });
      return true;
    }
    const waited = clock.monotonic() - begun;
    // A hub that is being killed may be seen for a moment longer than its lock.
    if (waited > HUB_MAY_TAKE_MS && (await isAlive(earlier.hubPid, earlier.hubStart))) return false;
    if (waited > EARLIER_MAY_TAKE_MS) await source.signal([], [earlier.pid], 'SIGKILL');
    await new Promise<void>((resolve) => {
      clock.after(millis(20), resolve);
    });
  }
}

async function readPresence(dataFolder: string): Promise<GuardianPresence | null> {
  try {
    const value: unknown = JSON.parse(await readFile(presenceFile(dataFolder), 'utf8'));
    const { pid, processStart, hubPid, hubStart } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof processStart !== 'string' || typeof hubPid !== 'number')
      return null;
    return { pid, processStart, hubPid, hubStart: typeof hubStart === 'string' ? hubStart : null };
  } catch {
    return null;
  }
}

/** A file that is no receipt is left where it lies. */
async function readReceipts(dataFolder: string): Promise<readonly StoredReceipt[]> {
  const folder = receiptFolder(dataFolder);
  const names = await readdir(folder).catch(() => []);
  const receipts: StoredReceipt[] = [];
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const receipt = parseReceipt(await readFile(path.join(folder, name), 'utf8').catch(() => ''));
    if (receipt !== null) receipts.push({ id: name, ...receipt });
  }
  return receipts.sort((one, other) => one.at - other.at);
}

function parseReceipt(text: string): GuardianReceipt | null {
  const isPids = (value: unknown): value is number[] =>
    Array.isArray(value) && value.every((pid) => Number.isSafeInteger(pid));
  try {
    const { at, cause, ended, alive } = JSON.parse(text) as Record<string, unknown>;
    if (!Number.isSafeInteger(at) || (cause !== 'hub-gone' && cause !== 'kill-file')) return null;
    if (!isPids(ended) || !isPids(alive)) return null;
    return { at: at as GuardianReceipt['at'], cause, ended, alive };
  } catch {
    return null;
  }
}

function unavailable(why: string, cause?: unknown): AppError {
  return new AppError('guardian-unavailable', `The guardian process cannot be used. ${why}`, {
    hint: 'Nothing is started without it. `signalbox doctor` says more.',
    cause,
  });
}
