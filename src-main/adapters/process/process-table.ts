import type { Clock, EndReceipt, ProcessRef, Processes } from '../../core/ports/world.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { millis, type Millis } from '../../../src-shared/time.ts';
import { createDarwinProcesses } from './darwin-processes.ts';
import { createLinuxProcesses } from './linux-processes.ts';
import type { ProcessRow, ProcessSnapshot, ProcessSource } from './process-rows.ts';
import { runTool } from './run-tool.ts';
import { splitByGroup, treeMembers, type TreeRef } from './tree-members.ts';
import { createWindowsProcesses } from './windows-processes.ts';

/** Further looks for processes in the middle of an exec, which takes milliseconds even on a busy machine. */
const UNSETTLED_LOOKS = 5;
/** Between SIGTERM and SIGKILL. */
export const DEFAULT_GRACE = millis(700);
/** After the grace, until a stop gives up and says what lives: with the default grace 2 s in all (R5). */
const BOUND_AFTER_GRACE = 1_300;

export interface ProcessTable extends Processes {
  endTrees(refs: readonly TreeRef[], grace: Millis): Promise<EndReceipt>;
  /**
   * Like `endTrees`, for what a choice made anew at each look leaves of the trees and of the marked processes.
   * @param markPrefix further processes by the beginning of their mark; null for none
   */
  endChosen(
    refs: readonly TreeRef[],
    markPrefix: string | null,
    grace: Millis,
    keep: (snapshot: ProcessSnapshot) => ReadonlySet<number>,
  ): Promise<EndReceipt>;
  /** Start time of a child spawned this moment, see `ProcessSource`. */
  startOfChild(pid: number): Promise<string | null>;
  /** Living members of the trees. */
  membersOf(refs: readonly TreeRef[]): Promise<readonly number[]>;
}

export interface ProcessTableOptions {
  readonly clock: Clock;
  readonly source?: ProcessSource;
  /** Processes that are never ended besides this one: the guardian. Asked at each look. */
  readonly spare?: () => readonly number[];
}

export function createProcessSource(platform: NodeJS.Platform = process.platform): ProcessSource {
  if (platform === 'win32') return createWindowsProcesses(runTool);
  if (platform === 'darwin') return createDarwinProcesses(runTool);
  return createLinuxProcesses();
}

export function createProcessTable(options: ProcessTableOptions): ProcessTable {
  const { clock, source = createProcessSource(), spare = () => [] } = options;
  const markPrefixOf = (hub: HubId): string => `${hub}:`;
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(millis(ms), resolve);
    });

  const look = (
    snapshot: ProcessSnapshot,
    refs: readonly TreeRef[],
    markPrefix: string | null,
    keep: ReadonlySet<number> = new Set(),
  ): ProcessRow[] =>
    treeMembers(snapshot, {
      refs,
      markPrefix,
      spare: new Set([process.pid, ...spare(), ...keep]),
      orderOf: (start) => source.orderOf(start),
    });

  /**
   * Looks, signals and looks again. One empty look is enough where there never was anything; after a kill a
   * second one proves that nothing was forked between reading the list and reading its last entry.
   */
  const end: ProcessTable['endChosen'] = async (refs, markPrefix, grace, keep) => {
    const begun = clock.monotonic();
    const seen = new Map<string, ProcessRow>();
    const asked = new Set<string>();
    const keyOf = (row: ProcessRow): string => `${row.pid} ${row.start}`;
    let members: readonly ProcessRow[] = [];
    let emptyLooks = 0;
    let unsettledLooks = 0;
    for (;;) {
      const snapshot = await source.snapshot().catch(() => null);
      if (snapshot === null) {
        // No table (no `ps`, no PowerShell): what the caller has watched since its start is still surely its own.
        const watched = refs.filter((ref) => ref.isWatched === true).map((ref) => ref.pid);
        const passed = clock.monotonic() - begun;
        if (passed >= grace + BOUND_AFTER_GRACE) return { ended: [], alive: watched };
        await source.signal(watched, watched, passed < grace ? 'SIGTERM' : 'SIGKILL');
        await pause(Math.max(source.pause, grace / 2));
        continue;
      }
      members = look(snapshot, refs, markPrefix, keep(snapshot));
      for (const row of members) seen.set(keyOf(row), row);
      const passed = clock.monotonic() - begun;
      if (members.length === 0) {
        const isUnsettled = snapshot.rows.some((row) => snapshot.isUnsettled?.(row) === true);
        if (isUnsettled && unsettledLooks < UNSETTLED_LOOKS) {
          unsettledLooks += 1;
          await pause(source.pause);
          continue;
        }
        emptyLooks += 1;
        if (emptyLooks >= 2 || seen.size === 0) break;
        continue;
      }
      emptyLooks = 0;
      if (passed >= grace + BOUND_AFTER_GRACE) break;
      if (passed < grace) {
        const unasked = members.filter((row) => !asked.has(keyOf(row)));
        for (const row of unasked) asked.add(keyOf(row));
        // Whole groups only the first time, so that nobody is asked twice.
        const targets =
          unasked.length === members.length
            ? splitByGroup(snapshot, members)
            : { groups: [], pids: unasked.map((row) => row.pid) };
        if (unasked.length > 0) await source.signal(targets.groups, targets.pids, 'SIGTERM');
        await pause(Math.min(source.pause, Math.max(1, grace - (clock.monotonic() - begun))));
      } else {
        const { groups, pids } = splitByGroup(snapshot, members);
        await source.signal(groups, pids, 'SIGKILL');
        await pause(Math.min(source.pause, 5));
      }
    }
    const alive = new Set(members.map(keyOf));
    return {
      ended: sorted([...seen].filter(([key]) => !alive.has(key)).map(([, row]) => row.pid)),
      alive: sorted(members.map((row) => row.pid)),
    };
  };
  const keepNothing = (): ReadonlySet<number> => new Set();

  return {
    endChosen: end,
    endTrees: (refs, grace) =>
      refs.length === 0 ? Promise.resolve({ ended: [], alive: [] }) : end(refs, null, grace, keepNothing),
    endAllMarked: (hub, grace) => end([], markPrefixOf(hub), grace, keepNothing),
    findMarked: async (hub) => {
      const snapshot = await source.snapshot();
      const kept = new Set([process.pid, ...spare()]);
      const refs: ProcessRef[] = [];
      for (const row of snapshot.rows) {
        if (row.isDead || kept.has(row.pid)) continue;
        const mark = snapshot.markOf(row);
        if (mark?.startsWith(markPrefixOf(hub)) === true)
          refs.push({ pid: row.pid, processStart: row.start, mark });
      }
      return refs;
    },
    cpuTime: async (ref) => {
      const members = look(await source.snapshot(), [ref], null);
      const times = members.map((row) => row.cpuMs);
      if (members.length === 0 || times.includes(null)) return null;
      return millis(times.reduce<number>((sum, time) => sum + (time ?? 0), 0));
    },
    isAlive: async (ref) => {
      if (ref.processStart !== null) {
        const row = await source.row(ref.pid);
        return row !== null && !row.isDead && row.start === ref.processStart;
      }
      const snapshot = await source.snapshot();
      return snapshot.rows.some(
        (row) => row.pid === ref.pid && !row.isDead && snapshot.markOf(row) === ref.mark,
      );
    },
    startOfChild: (pid) => source.startOfChild(pid),
    membersOf: async (refs) => look(await source.snapshot(), refs, null).map((row) => row.pid),
  };
}

const sorted = (pids: readonly number[]): number[] => [...pids].sort((one, other) => one - other);
