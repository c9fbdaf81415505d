import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Disposable, EndReceipt, GuardianReceipt, KillFile } from '../../core/ports/world.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { millis } from '../../../src-shared/time.ts';
import { writeFileAtomicSync } from '../write-file.ts';
import { receiptFolder, type GuardedTree, type GuardianLine } from './guardian-protocol.ts';
import type { ProcessRow, ProcessSnapshot } from './process-rows.ts';
import { DEFAULT_GRACE, type ProcessTable } from './process-table.ts';
import { treeMembers, type TreeRef } from './tree-members.ts';

/** How long the hub has to act on the kill file before the guardian does (12-engine, Kill). */
export const HUB_MAY_TAKE_MS = 1_000;

export interface GuardianWatchOptions {
  readonly hub: HubId;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly killFile: KillFile;
  readonly orderOf: (start: string) => number | null;
  /** Keeps what was ended for the next hub. */
  readonly book: (receipt: GuardianReceipt) => void;
}

interface Known extends GuardedTree {
  readonly addedAt: number;
}

/**
 * What a guardian does with the lines of its hub, apart from pipes and exits.
 *
 * While the kill file lies there, every `child` older than a second is ended, and once also everything else that
 * was there before the file. A `command` begun after it is let run: the hub cleans up with git.
 */
export function createGuardianWatch(options: GuardianWatchOptions): Disposable & {
  take(line: GuardianLine): void;
  /** The hub is gone, or says so: ends whatever is left and books it. */
  finish(): Promise<EndReceipt>;
} {
  const { hub, clock, table, killFile, orderOf, book } = options;
  const trees = new Map<string, Known>();
  const keyOf = (tree: Pick<GuardedTree, 'pid' | 'processStart'>): string =>
    `${tree.pid} ${tree.processStart}`;
  const asRef = (tree: GuardedTree): TreeRef => ({ ...tree, isWatched: true });
  const markPrefix = `${hub}:`;
  let engagedAt: number | null = null;
  let isSwept = false;
  let work: Promise<unknown> = Promise.resolve();

  const settle = (receipt: EndReceipt, cause: GuardianReceipt['cause']): EndReceipt => {
    if (receipt.ended.length > 0 || receipt.alive.length > 0) book({ at: clock.now(), cause, ...receipt });
    return receipt;
  };

  const sweep = async (): Promise<void> => {
    if (engagedAt === null) return;
    const since = engagedAt;
    const now = clock.monotonic();
    const isDue = (tree: Known): boolean =>
      tree.addedAt <= since || (tree.kind === 'child' && now - tree.addedAt >= HUB_MAY_TAKE_MS);
    const due = [...trees.values()].filter(isDue);
    // By mark too, but once: a look at every process each second would not be idle.
    const prefix = isSwept ? null : markPrefix;
    isSwept = true;
    if (due.length === 0 && prefix === null) return;
    const kept = (snapshot: ProcessSnapshot): ReadonlySet<number> => {
      const spared = [...trees.values()].filter((tree) => !due.includes(tree) && tree.kind === 'command');
      const members: readonly ProcessRow[] = treeMembers(snapshot, {
        refs: spared.map((tree) => ({ ...asRef(tree), mark: '' })),
        spare: new Set(),
        orderOf,
      });
      return new Set(members.map((row) => row.pid));
    };
    settle(await table.endChosen(due.map(asRef), prefix, DEFAULT_GRACE, kept), 'kill-file');
  };

  const look = (): void => {
    if (killFile.read() === null) {
      engagedAt = null;
      isSwept = false;
    } else if (engagedAt === null) {
      engagedAt = clock.monotonic();
      clock.after(millis(HUB_MAY_TAKE_MS), look);
    } else if (clock.monotonic() - engagedAt >= HUB_MAY_TAKE_MS) {
      work = work.then(sweep).catch(() => undefined);
    }
  };
  const watch = killFile.watch(look);
  const poll = clock.every(millis(1_000), look);
  look();

  return {
    take: (line) => {
      if (line.kind === 'add') {
        trees.set(keyOf(line.tree), { ...line.tree, addedAt: clock.monotonic() });
      } else if (line.kind === 'remove') trees.delete(keyOf(line));
    },
    finish: async () => {
      const refs = [...trees.values()].map(asRef);
      const first = await table.endChosen(refs, markPrefix, DEFAULT_GRACE, () => new Set());
      // A child that the hub had forked but that had not yet become its program carried no mark at the first look.
      await new Promise<void>((resolve) => {
        clock.after(millis(50), resolve);
      });
      const second = await table.endChosen(refs, markPrefix, DEFAULT_GRACE, () => new Set());
      await work;
      const ended = [...new Set([...first.ended, ...second.ended])].sort((one, other) => one - other);
      return settle({ ended, alive: second.alive }, 'hub-gone');
    },
    dispose: () => {
      watch.dispose();
      poll.dispose();
    },
  };
}

/** Writes a receipt for the next hub. A folder that is gone or full loses it: there is nobody left to tell. */
export function writeReceipt(dataFolder: string, receipt: GuardianReceipt): void {
  try {
    const folder = receiptFolder(dataFolder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileAtomicSync(
      path.join(folder, `${receipt.at}-${process.pid}-${receipt.cause}.json`),
      JSON.stringify(receipt),
    );
  } catch {
    // The trees are ended all the same.
  }
}
