import type { EpochMs } from '../../../src-shared/time.ts';
import { secondsBetween } from '../../../src-shared/time.ts';
import type { Turn } from '../../../src-shared/model/task.ts';
import type { ToolUse } from '../ports/stores.ts';
import type { FileStat } from '../workspace/diff-stat.ts';

/** What a turn did, for the three lines beside an item. */
export type SoFar =
  | {
      readonly kind: 'read';
      readonly at: EpochMs;
      readonly files: number;
      readonly folders: readonly string[];
    }
  | {
      readonly kind: 'changed';
      readonly at: EpochMs;
      readonly files: number;
      readonly paths: readonly {
        readonly path: string;
        readonly added?: number;
        readonly removed?: number;
      }[];
    }
  | {
      readonly kind: 'stopped';
      readonly at: EpochMs;
      readonly outcome: string;
      readonly durationS: number;
    };

const READING = new Set(['Read', 'NotebookRead']);
const CHANGING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const SHOWN_PATHS = 3;
const SHOWN_FOLDERS = 2;

/** A path as the tool named it, relative to the tree where it lies in it. */
export const insideTree = (path: string, tree: string | null): string =>
  tree !== null && path.startsWith(`${tree}/`) ? path.slice(tree.length + 1) : path;

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');

interface Used {
  readonly paths: readonly string[];
  readonly lastAt: EpochMs;
}

function usesOf(uses: readonly ToolUse[], names: ReadonlySet<string>, tree: string | null): Used | null {
  const own = uses.filter((use) => names.has(use.name) && use.path !== null);
  const [first] = own;
  if (first === undefined) return null;
  return {
    paths: [...new Set(own.map((use) => insideTree(use.path ?? '', tree)))],
    lastAt: own.reduce((latest, use) => (use.lastAt > latest ? use.lastAt : latest), first.lastAt),
  };
}

function foldersOf(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  return [...counts]
    .sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
    .slice(0, SHOWN_FOLDERS)
    .map(([folder]) => folder);
}

/**
 * Files read, files changed, and how the turn stopped, in the order in which they happened. What a tool was asked
 * counts, as its results do not say what came of it; the counts of lines are those of the work as it lies there.
 *
 * @param uses calls of tools in the turn
 * @param tree absolute path of the worktree, null when there is none
 */
export function soFar(view: {
  readonly turn: Turn;
  readonly uses: readonly ToolUse[];
  readonly tree: string | null;
  readonly stats: readonly FileStat[] | null;
}): readonly SoFar[] {
  const { turn, uses, tree } = view;
  const lines: SoFar[] = [];
  const read = usesOf(uses, READING, tree);
  if (read !== null) {
    lines.push({ kind: 'read', at: read.lastAt, files: read.paths.length, folders: foldersOf(read.paths) });
  }
  const changed = usesOf(uses, CHANGING, tree);
  if (changed !== null) {
    lines.push({
      kind: 'changed',
      at: changed.lastAt,
      files: changed.paths.length,
      paths: changed.paths.slice(0, SHOWN_PATHS).map((path) => {
        const stat = view.stats?.find((each) => each.path === path);
        return stat === undefined ? { path } : { path, added: stat.added, removed: stat.removed };
      }),
    });
  }
  lines.sort((a, b) => a.at - b.at);
  if (turn.endedAt !== null) {
    lines.push({
      kind: 'stopped',
      at: turn.endedAt,
      outcome: turn.outcome ?? 'unknown',
      durationS: secondsBetween(turn.startedAt, turn.endedAt),
    });
  }
  return lines;
}
