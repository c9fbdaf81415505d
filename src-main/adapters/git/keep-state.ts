import { cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import type { KeptRecord, TreeRecord } from '../../core/ports/stores.ts';
import type { KeptState } from '../../core/ports/workspaces.ts';
import { changesBetween } from './changed-files.ts';
import { GitFailure } from './git-command.ts';
import { record, type GitWorld } from './git-world.ts';
import { openRow, settleRow } from './journal.ts';
import { laidMerge } from './laid-merge.ts';
import { filesOf } from './make-tree.ts';
import { NO_COMMIT, type Repository } from './repository.ts';
import { occupiedGitlinks } from './tree-findings.ts';
import { adminFolder, textOf } from './tree-identity.ts';
import { copyIndex, onFiles, takeAll, withIndex, type TreeFiles } from './tree-index.ts';
import { walkTree } from './walk-tree.ts';
import { exists } from './workbench.ts';

export const keptRef = (taskId: TaskId): string => `refs/signalbox/kept/${taskId}`;

/** What of a tree no commit of a branch, tag or remote has. */
interface Unkept {
  readonly tree: string;
  /** Commits to hold on to: the branch's head first. */
  readonly parents: readonly string[];
  readonly why: readonly string[];
  readonly files: number;
}

/**
 * Keeps everything of a tree that would be lost with it as one commit on the side ref of the task: files that are
 * not ignored, what was staged and differs, commits that nothing reaches (12-engine, Git).
 *
 * @returns null when there is nothing to lose
 * @throws AppError 'git-locked'
 */
export async function keepState(
  repository: Repository,
  tree: TreeRecord,
  reason: string,
): Promise<KeptState | null> {
  const unkept = await whatWouldBeLost(repository, tree);
  if (unkept === null) return null;
  const ref = keptRef(tree.taskId);
  return await repository.exclusively(async () => {
    const before = await repository.resolve(ref);
    // The same state kept before a crash is the same state.
    if (before !== null && (await isSameState(repository, before, unkept))) {
      return stateOf(repository.world, recordKept(repository, tree, before, reason, unkept.files));
    }
    // What was kept earlier stays reachable.
    const parents = [...new Set([...unkept.parents, ...(before === null ? [] : [before])])];
    const message = `Kept before the worktree was removed: ${unkept.why.join(', ')}\n\nSignalbox-Kept: ${tree.taskId}\n`;
    const commit = await repository.commitTree(unkept.tree, parents, message);
    const row = openRow(repository.world, repository.project, tree.taskId, 'keep', {
      ref,
      old: before,
      new: commit,
      reason,
      files: String(unkept.files),
    });
    repository.world.step('keep:journaled');
    const updated = await repository.updateRef(ref, commit, before ?? NO_COMMIT, 'keep a state');
    repository.world.step('keep:updated');
    if (updated !== 'done') {
      settleRow(repository.world, row, 'undone');
      throw new AppError(
        'git-locked',
        'The state of the worktree could not be kept: the ref is locked or moved.',
        {
          hint: 'Try again when no other git runs in the repository.',
        },
      );
    }
    let kept: KeptRecord | null = null;
    settleRow(repository.world, row, 'done', () => {
      kept = recordKept(repository, tree, commit, reason, unkept.files);
    });
    return kept === null ? null : stateOf(repository.world, kept);
  });
}

async function isSameState(repository: Repository, kept: string, unkept: Unkept): Promise<boolean> {
  if ((await repository.treeOf(kept)) !== unkept.tree) return false;
  const parents = await repository.parentsOf(kept);
  return unkept.parents.every((parent) => parents.includes(parent));
}

/** In the caller's transaction, or one of its own. */
export function recordKept(
  repository: Repository,
  tree: Pick<TreeRecord, 'taskId'>,
  commit: string,
  reason: string,
  files: number,
): KeptRecord {
  const { world, project } = repository;
  const kept: KeptRecord = {
    ref: keptRef(tree.taskId),
    taskId: tree.taskId,
    projectId: project.id,
    commit,
    reason,
    files,
    at: world.clock.now(),
  };
  world.stores.transaction(() => {
    world.stores.kept.put(kept);
    record(world, project, tree.taskId, 'tree.kept', { ref: kept.ref, commit, files });
  });
  return kept;
}

export const stateOf = (world: GitWorld, kept: KeptRecord): KeptState => ({
  ref: kept.ref,
  taskId: kept.taskId,
  project: world.stores.projects.get(kept.projectId)?.name ?? kept.projectId,
  commit: kept.commit,
  reason: kept.reason,
  at: kept.at,
  files: kept.files,
});

async function whatWouldBeLost(repository: Repository, tree: TreeRecord): Promise<Unkept | null> {
  const why: string[] = [];
  const parents: string[] = [];
  const branch = await repository.resolve(`refs/heads/${tree.branch}`);
  // A branch that somebody removed leaves our last commit without a name.
  const head = branch ?? tree.lastCommit;
  parents.push(head);
  if (branch === null && !(await repository.isReachable(head))) why.push('its branch was removed');

  const detached = await detachedHead(repository, tree);
  if (detached !== null && !(await repository.isReachable(detached))) {
    parents.push(detached);
    why.push('commits on no branch');
  }
  const laid = await laidMerge(repository, tree.taskId);
  const expected = laid?.commit ?? head;
  const files = filesOf(repository, tree);
  let now = await repository.treeOf(expected);
  if (await exists(tree.path)) {
    if (await moveWhatGitCannotKeep(files, expected)) why.push('some files lie in the leftovers folder');
    now = await withIndex(files, true, (index) => takeAllOrMove(files, index, expected));
    const staged = await stagedTree(files, adminFolder(repository, tree));
    const headTrees = new Set([now, await repository.treeOf(head), await repository.treeOf(expected)]);
    if (staged !== null && !headTrees.has(staged)) {
      parents.push(await repository.commitTree(staged, [head], 'What was staged\n'));
      why.push('staged changes');
    }
  }
  const changed = await changesBetween(repository, expected, now);
  if (changed.length > 0) why.unshift('uncommitted files');
  return why.length === 0 ? null : { tree: now, parents, why, files: changed.length };
}

/** Commit that a detached HEAD of the tree stands on; null on a branch. */
async function detachedHead(repository: Repository, tree: TreeRecord): Promise<string | null> {
  const head = (await textOf(path.join(adminFolder(repository, tree), 'HEAD')))?.trim() ?? '';
  return /^[0-9a-f]{40,64}$/.test(head) && (await repository.hasCommit(head)) ? head : null;
}

/** The tree object of what is staged in the index that the person's git uses; null when it cannot be read. */
async function stagedTree(files: TreeFiles, admin: string): Promise<string | null> {
  return await withIndex(files, false, async (index) => {
    await rm(index, { force: true });
    await copyIndex(path.join(admin, 'index'), index);
    if (!(await exists(index))) return null;
    try {
      return (await onFiles(files, index, ['write-tree'])).trim();
    } catch (error) {
      // Unmerged entries or a damaged index: their files are in the tree.
      if (error instanceof GitFailure) return null;
      throw error;
    }
  });
}

/** Nested repositories and what lies in submodules would be kept as a mere name, and names like `.GIT` not at all: they are moved aside whole. */
async function moveWhatGitCannotKeep(files: TreeFiles, commit: string): Promise<boolean> {
  const { nestedRepositories, gitLookalikes } = await walkTree(files.path);
  const submodules = await occupiedGitlinks(files, commit);
  const places = [...nestedRepositories, ...submodules, ...gitLookalikes].filter((place) => place !== '');
  return (await moveAside(files, places)).length > 0;
}

async function takeAllOrMove(files: TreeFiles, index: string, from: string): Promise<string> {
  try {
    return await takeAll(files, index, from);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    // A file that git cannot read: everything that is not in the commit is moved aside, then it is kept from there.
    const others = (
      await onFiles(files, index, ['ls-files', '-z', '--others', '--modified', '--exclude-standard'])
    )
      .split('\0')
      .filter((place) => place !== '');
    await moveAside(files, others);
    return await takeAll(files, index, from);
  }
}

/**
 * Moves files or folders of a tree to the leftovers of its task.
 *
 * @returns the paths that were moved; what is not there is left out
 */
export async function moveAside(files: TreeFiles, places: readonly string[]): Promise<readonly string[]> {
  const { folders, clock } = files.repository.world;
  const folder = path.join(folders.leftovers(files.taskId), String(clock.now()));
  const moved: string[] = [];
  for (const place of new Set(places.map((each) => each.replace(/\/+$/, '')))) {
    const source = path.join(files.path, place);
    const target = path.join(folder, place);
    try {
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await rename(source, target);
      moved.push(place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') continue;
      if (code !== 'EXDEV' && code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
      await cp(source, target, { recursive: true, verbatimSymlinks: true, force: true });
      await rm(source, { recursive: true, force: true });
      moved.push(place);
    }
  }
  return moved;
}
