import type { ProcessRef } from '../../core/ports/world.ts';
import type { ProcessRow, ProcessSnapshot } from './process-rows.ts';

/** A tree to look for. */
export interface TreeRef extends ProcessRef {
  /**
   * The caller has watched this root since its start, so that a group with its pid is the root's own even after
   * the root has ended. Without it such a group counts only with a marked member: the pid may be another's by now.
   */
  readonly isWatched?: boolean;
}

export interface MembersQuery {
  readonly refs: readonly TreeRef[];
  /** Besides `refs`, every process whose mark begins so; null for none. */
  readonly markPrefix?: string | null;
  /** Never members, and their descendants are members only by group, mark or other parents: the hub, the guardian. */
  readonly spare: ReadonlySet<number>;
  /** Start time as a number out of `processStart`; null when it is of another boot. */
  readonly orderOf: (start: string) => number | null;
}

/**
 * The living processes of some trees: each verified root, its group and session, everything that carries the
 * mark, and all descendants of these (12-engine, Processes).
 *
 * A root counts only with the recorded start time, so that a pid that now belongs to another process leads to
 * nothing. A child older than its parent is not a child of that parent but of an earlier owner of the pid.
 */
export function treeMembers(snapshot: ProcessSnapshot, query: MembersQuery): ProcessRow[] {
  const { spare, orderOf } = query;
  const byPid = new Map<number, ProcessRow>();
  const byParent = new Map<number, ProcessRow[]>();
  const byGroup = new Map<number, ProcessRow[]>();
  const bySession = new Map<number, ProcessRow[]>();
  for (const row of snapshot.rows) {
    byPid.set(row.pid, row);
    addTo(byParent, row.ppid, row);
    if (row.pgid !== null) addTo(byGroup, row.pgid, row);
    if (row.sid !== null) addTo(bySession, row.sid, row);
  }

  const members = new Map<number, ProcessRow>();
  const open: ProcessRow[] = [];
  const add = (row: ProcessRow): void => {
    if (row.pid <= 1 || spare.has(row.pid) || members.has(row.pid)) return;
    members.set(row.pid, row);
    open.push(row);
  };

  // What a root that has ended left behind.
  const addWithoutRoot = (ref: TreeRef): void => {
    const since = ref.processStart === null ? null : orderOf(ref.processStart);
    const isWatched = ref.isWatched === true && since !== null;
    const group = [...(byGroup.get(ref.pid) ?? []), ...(bySession.get(ref.pid) ?? [])];
    const isOwn =
      (isWatched && group.every((row) => row.startOrder >= since)) ||
      group.some((row) => snapshot.markOf(row) === ref.mark);
    if (isOwn) group.forEach(add);
    // Only Windows leaves children with the pid of a parent that is gone.
    if (isWatched) (byParent.get(ref.pid) ?? []).filter((row) => row.startOrder >= since).forEach(add);
  };

  addMarked(snapshot, query, add);
  for (const ref of query.refs) {
    const root = byPid.get(ref.pid);
    const isRoot =
      root !== undefined &&
      (ref.processStart === null ? snapshot.markOf(root) === ref.mark : root.start === ref.processStart);
    if (isRoot) add(root);
    if (root === undefined) addWithoutRoot(ref);
  }

  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    for (const child of byParent.get(row.pid) ?? []) if (child.startOrder >= row.startOrder) add(child);
    for (const other of byGroup.get(row.pid) ?? []) add(other);
    for (const other of bySession.get(row.pid) ?? []) add(other);
  }
  return [...members.values()].filter((row) => !row.isDead);
}

/** By mark. Processes older than every root are not asked, which saves reading most environments. */
function addMarked(snapshot: ProcessSnapshot, query: MembersQuery, add: (row: ProcessRow) => void): void {
  const { refs, markPrefix = null, orderOf } = query;
  const wanted = new Set(refs.map((ref) => ref.mark).filter((mark) => mark !== ''));
  if (wanted.size === 0 && markPrefix === null) return;
  const orders = refs.map((ref) => (ref.processStart === null ? null : orderOf(ref.processStart)));
  const oldest =
    markPrefix !== null || orders.some((order) => order === null)
      ? -Infinity
      : Math.min(...(orders as number[]));
  for (const row of snapshot.rows) {
    if (row.isDead || row.startOrder < oldest) continue;
    const mark = snapshot.markOf(row);
    if (mark !== null && (wanted.has(mark) || (markPrefix !== null && mark.startsWith(markPrefix)))) add(row);
  }
}

/** Groups that consist of members only, to be signalled in one step that no fork can outrun; and the rest. */
export function splitByGroup(
  snapshot: ProcessSnapshot,
  members: readonly ProcessRow[],
): { readonly groups: readonly number[]; readonly pids: readonly number[] } {
  const pids = new Set(members.map((row) => row.pid));
  const mixed = new Set<number | null>([null, 0]);
  for (const row of snapshot.rows) if (!row.isDead && !pids.has(row.pid)) mixed.add(row.pgid);
  const groups = new Set<number>();
  const single: number[] = [];
  for (const row of members) {
    if (row.pgid !== null && row.pgid > 1 && !mixed.has(row.pgid)) groups.add(row.pgid);
    else single.push(row.pid);
  }
  return { groups: [...groups], pids: single };
}

function addTo(map: Map<number, ProcessRow[]>, key: number, row: ProcessRow): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [row]);
  else list.push(row);
}
