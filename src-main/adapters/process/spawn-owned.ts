/**
 * The one place that starts processes: the contract is in `spawner.ts`, the ways to start in `launch-process.ts`.
 *
 * Invariants: a child runs only while a guardian knows it; what it leaves behind is ended when it has ended,
 * however it ended; nothing that happens to a child is thrown.
 */
import type { ChildProcess } from 'node:child_process';
import { PassThrough, type Readable } from 'node:stream';
import type { Clock, EndReceipt } from '../../core/ports/world.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { millis, type Millis } from '../../../src-shared/time.ts';
import { createChildInput } from './child-input.ts';
import type { GuardedTree, TreeRegistry } from './guardian-protocol.ts';
import { defaultLaunch, type Launch } from './launch-process.ts';
import { DEFAULT_GRACE, type ProcessTable } from './process-table.ts';
import { runCommand } from './run-command.ts';
import type { ChildEnding, OwnedChild, OwnedSpec, SpawnFailure, Spawner } from './spawner.ts';
import type { TreeRef } from './tree-members.ts';

export type {
  ChildEnding,
  ChildInput,
  CommandSpec,
  Finished,
  OwnedChild,
  OwnedSpec,
  SpawnFailure,
  Spawner,
  WriteOutcome,
} from './spawner.ts';

export interface SpawnerOptions {
  /** Every mark has to begin with it. */
  readonly hub: HubId;
  readonly table: ProcessTable;
  /** Null only in a command that acts without a hub and starts nothing but short commands. */
  readonly guardian: TreeRegistry | null;
  readonly clock: Clock;
  /**
   * Looked at for each `startOwned`, the moment before and the moment after: whether the kill switch is engaged
   * (the file included). Short commands are not refused, since a stopped hub still cleans up with git.
   */
  readonly isKilled?: () => boolean;
  readonly launch?: Launch;
}

/** How often a pipe is looked at that outlives its child, and how many looks without progress end it. */
const PIPE_LOOK_MS = millis(100);
const IDLE_LOOKS = 5;
/** Looks at data that nobody reads, until the reader counts as gone. */
const UNREAD_LOOKS = 100;

export function createSpawner(options: SpawnerOptions): Spawner {
  const { hub, table, guardian, clock, isKilled = () => false, launch = defaultLaunch } = options;
  /** Children by mark that are being started or live: a mark is the attempt's, so that two may carry the same one. */
  const living = new Map<string, number>();
  const countIn = (mark: string): void => void living.set(mark, (living.get(mark) ?? 0) + 1);
  const countOut = (mark: string): void => {
    const count = (living.get(mark) ?? 1) - 1;
    if (count > 0) living.set(mark, count);
    else living.delete(mark);
  };
  /** Marks of which everything is being ended: what began meanwhile with the same one would be ended with it. */
  const sweeping = new Map<string, Promise<unknown>>();
  /** By mark, ended trees whose escaped processes are left to the last that carries it. */
  const passedOn = new Map<string, TreeRef[]>();

  const endTree = (tree: TreeRef, grace: Millis, before: readonly TreeRef[] = []): Promise<EndReceipt> =>
    table.endTrees([tree, ...before], grace).catch((): EndReceipt => ({ ended: [], alive: [tree.pid] }));

  /** Ends a tree with all that carries its mark, also what is older than it: the table looks at nothing older. */
  const sweep = (tree: TreeRef, grace: Millis): Promise<EndReceipt> => {
    const { mark } = tree;
    // Their pids may have gone to others since.
    const before = (passedOn.get(mark) ?? []).map((each) => ({ ...each, isWatched: false }));
    passedOn.delete(mark);
    const ending = endTree(tree, grace, before).finally(() => {
      if (sweeping.get(mark) === ending) sweeping.delete(mark);
    });
    sweeping.set(mark, ending);
    return ending;
  };

  const start = async (
    spec: OwnedSpec,
    kind: GuardedTree['kind'],
    isRefused: () => boolean,
  ): Promise<OwnedChild | SpawnFailure> => {
    if (!spec.mark.startsWith(`${hub}:`)) throw new Error('A child needs a mark of this hub.');
    if (guardian !== null && !(await isGuarded(guardian))) return NO_GUARDIAN;
    if (guardian === null && kind === 'child') return NO_GUARDIAN;
    while (sweeping.has(spec.mark)) await sweeping.get(spec.mark);
    if (isRefused()) return KILLED;
    countIn(spec.mark);
    const launched = await launch(spec);
    if (launched.kind === 'not-started') {
      countOut(spec.mark);
      const left = passedOn.get(spec.mark)?.at(-1);
      if (left !== undefined && !living.has(spec.mark)) await sweep(left, DEFAULT_GRACE);
      return launched;
    }
    const { child } = launched;
    const owned = own(child, spec);
    const processStart = await table.startOfChild(owned.pid);
    owned.knowStart(processStart);
    const tree: GuardedTree = { pid: owned.pid, processStart, mark: spec.mark, kind };
    void owned.closed.then(() => guardian?.remove(tree));
    try {
      await guardian?.add(tree);
    } catch {
      return abandon(owned, NO_GUARDIAN);
    }
    if (isRefused()) return abandon(owned, KILLED);
    return { ...owned, kind: 'started', processStart, mark: spec.mark };
  };

  /** Ends what was just started and is not handed out. */
  const abandon = async (owned: Owned, failure: SpawnFailure): Promise<SpawnFailure> => {
    owned.stdout.resume();
    owned.stderr.resume();
    await owned.stop(millis(0));
    await owned.closed;
    return failure;
  };

  const own = (child: ChildProcess, spec: OwnedSpec): Owned => {
    // The launchers give both pipes and a pid.
    const pipes = [child.stdout as Readable, child.stderr as Readable] as const;
    const [stdout, stderr] = [keepOutput(pipes[0]), keepOutput(pipes[1])];
    const pid = child.pid as number;
    let processStart: string | null = null;
    let stopping: Promise<EndReceipt> | null = null;
    child.on('error', () => undefined);
    const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const outputRead = Promise.all([
      new Promise<void>((resolve) => {
        child.once('close', () => resolve());
      }),
      // 'close' alone is a reader that went away before the end.
      ...[stdout, stderr].map(
        (kept) =>
          new Promise<void>((resolve) => {
            kept.once('end', resolve);
            kept.once('close', resolve);
          }),
      ),
    ]);

    /**
     * By group and descent always. By mark only for the last one that carries it, since the others' processes
     * carry it as well; what that leaves is ended with the last.
     *
     * @param others whether there are any
     */
    const end = (grace: Millis, others: boolean): Promise<EndReceipt> => {
      const tree: TreeRef = { pid, processStart, mark: spec.mark, isWatched: true };
      if (!others) return sweep(tree, grace);
      passedOn.set(spec.mark, [...(passedOn.get(spec.mark) ?? []), tree]);
      return endTree({ ...tree, mark: '' }, grace);
    };

    const close = async (): Promise<ChildEnding> => {
      const ending = await exited;
      const stopped = await stopping;
      countOut(spec.mark);
      const left = await end(DEFAULT_GRACE, living.has(spec.mark));
      await Promise.race([outputRead, letGoOfPipes(pipes, [stdout, stderr], outputRead, clock)]);
      const ended = [...(stopped?.ended ?? []), ...left.ended].filter((each) => each !== pid);
      return { ...ending, leftovers: { ended: [...new Set(ended)], alive: left.alive } };
    };

    return {
      pid,
      stdin: child.stdin === null ? null : createChildInput(child.stdin),
      stdout,
      stderr,
      closed: close(),
      stop: (grace = DEFAULT_GRACE) => (stopping ??= end(grace, (living.get(spec.mark) ?? 0) > 1)),
      knowStart: (start) => {
        processStart = start;
      },
    };
  };

  return {
    startOwned: (spec) => start(spec, 'child', isKilled),
    run: (spec) => runCommand(spec, (owned) => start(owned, 'command', () => false), clock),
  };
}

/**
 * A stream of its own for the reader. At a child's exit Node resumes every pipe that nobody reads yet and so drops
 * what is in it (`flushStdio` in lib/internal/child_process.js, Node 24); a short command is over before it is
 * registered and handed out.
 */
function keepOutput(pipe: Readable): Readable {
  const kept = new PassThrough();
  kept.on('error', () => undefined);
  pipe.on('error', () => kept.end());
  pipe.once('close', () => kept.end());
  return pipe.pipe(kept);
}

/** Starts the guardian before the first child, and again when it died. */
async function isGuarded(guardian: TreeRegistry): Promise<boolean> {
  if (!guardian.isRunning) await guardian.start().catch(() => undefined);
  return guardian.isRunning;
}

type Owned = Omit<OwnedChild, 'kind' | 'processStart' | 'mark'> & {
  knowStart(start: string | null): void;
};

const NO_GUARDIAN: SpawnFailure = {
  kind: 'not-started',
  code: 'guardian-unavailable',
  message: 'Nothing is started without the guardian process.',
};
const KILLED: SpawnFailure = {
  kind: 'not-started',
  code: 'killed',
  message: 'The kill switch is engaged.',
};

/**
 * Ends pipes that a process out of reach still holds open: after half a second in which they brought nothing while
 * their reader had taken everything. What a slow reader has not taken yet is never cut; a reader that takes
 * nothing for ten seconds is only waited for no longer.
 */
function letGoOfPipes(
  pipes: readonly Readable[],
  kept: readonly Readable[],
  read: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve) => {
    const stateOf = (): string =>
      [...pipes, ...kept]
        .map((each) => `${(each as { bytesRead?: number }).bytesRead} ${each.readableLength}`)
        .join();
    let known = stateOf();
    let looks = 0;
    const timer = clock.every(PIPE_LOOK_MS, () => {
      const state = stateOf();
      looks = state === known ? looks + 1 : 0;
      known = state;
      const isUnread = [...pipes, ...kept].some((each) => each.readableLength > 0);
      if (looks < (isUnread ? UNREAD_LOOKS : IDLE_LOOKS)) return;
      timer.dispose();
      for (const pipe of isUnread ? [] : pipes) {
        // An end and not a destruction, so that a reader which iterates sees an ordinary end.
        if (!pipe.readableEnded && !pipe.destroyed) pipe.push(null);
      }
      resolve();
    });
    void read.then(() => {
      timer.dispose();
      resolve();
    });
  });
}
