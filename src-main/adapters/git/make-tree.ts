import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../write-file.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { JournalId } from '../../../src-shared/ids.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { PrepareOutcome, WorkspaceOf } from '../../core/ports/workspaces.ts';
import { branchName } from '../../core/workspace/branch-name.ts';
import { record } from './git-world.ts';
import { openRow, openRowsOf, settleRow } from './journal.ts';
import { patiently, type Locked } from './locks.ts';
import { NO_COMMIT, type Repository } from './repository.ts';
import {
  adminFolder,
  backPointerText,
  examineTree,
  MARK_FILE,
  pointerText,
  textOf,
} from './tree-identity.ts';
import { keptIndex, onFiles, showIndex, withIndex, type TreeFiles } from './tree-index.ts';
import { removeFolder } from './remove-folder.ts';
import { isMissing } from './workbench.ts';

/** The CLI cuts the name it gives a working folder at 200 characters (12-engine, Ids). */
const LONGEST_PATH = 190;

export const filesOf = (repository: Repository, tree: TreeRecord): TreeFiles => ({
  repository,
  taskId: tree.taskId,
  path: tree.path,
});

const lockedOutcome = (locked: Locked): Extract<PrepareOutcome, { kind: 'locked' }> => ({
  kind: 'locked',
  message: `Another program holds ${locked.lockedBy}.`,
});

export const readyOutcome = (tree: TreeRecord, isNew: boolean): PrepareOutcome => ({
  kind: 'ready',
  tree: { path: tree.path, branch: tree.branch, baseCommit: tree.baseCommit },
  isNew,
  needsSetup: false,
});

/** Decides on the names and writes them down, before anything exists. */
export async function planTree(repository: Repository, of: WorkspaceOf): Promise<TreeRecord> {
  const { world, project } = repository;
  const folder = world.folders.tree(project, of.taskId);
  if (folder.length > LONGEST_PATH) {
    throw new AppError(
      'data-folder-unusable',
      'The path of the data folder is too long for worktrees in it.',
      {
        hint: 'Set SIGNALBOX_HOME to a shorter path.',
        data: { length: folder.length, most: LONGEST_PATH },
      },
    );
  }
  const baseCommit = await repository.baseHead();
  const tree: TreeRecord = {
    taskId: of.taskId,
    projectId: project.id,
    path: folder,
    branch: await freeBranch(repository, of),
    baseCommit,
    mark: world.ids.deliveryId(),
    lastCommit: baseCommit,
    setupHash: null,
    state: 'making',
    createdAt: world.clock.now(),
  };
  world.stores.transaction(() => world.stores.trees.put(tree));
  return tree;
}

/** Another data folder may have used the same small number in this repository. */
async function freeBranch(repository: Repository, of: WorkspaceOf): Promise<string> {
  const taken = await repository.refsBelow('refs/heads/signalbox/');
  for (let attempt = 1; ; attempt += 1) {
    const name = branchName(of.taskNumber, of.title, attempt);
    if (!taken.has(`refs/heads/${name}`)) return name;
  }
}

/**
 * Makes the tree of a record in state `making`, from whatever an earlier try left. Nothing of value can be in such
 * a tree: no agent runs before it is `active`.
 */
export async function makeTree(repository: Repository, tree: TreeRecord): Promise<PrepareOutcome> {
  const { world, project } = repository;
  const { taskId } = tree;
  const row = makingRow(repository, tree);
  const made = await repository.exclusively(async (): Promise<Locked | 'done'> => {
    await clearHalfMade(repository, tree);
    await makeParents(world.folders.trees, tree.path);
    world.step('make-tree:branch');
    const branch = await ensureBranch(repository, tree);
    if (branch !== 'done') return branch;
    world.step('make-tree:add');
    const added = await patiently(repository, () =>
      repository.refs(['worktree', 'add', '--no-checkout', '--quiet', tree.path, tree.branch]),
    );
    if ('lockedBy' in added) return added;
    world.step('make-tree:mark');
    await proveAdmin(repository, tree);
    await writeFileAtomic(path.join(adminFolder(repository, tree), MARK_FILE), tree.mark);
    return 'done';
  });
  if (made !== 'done') return lockedOutcome(made);
  world.step('make-tree:files');
  const files = filesOf(repository, tree);
  await rm(keptIndex(files), { force: true });
  await withIndex(files, true, async (index) => {
    await onFiles(files, index, ['read-tree', '--reset', '-u', tree.lastCommit]);
    await showIndex(adminFolder(repository, tree), index);
  });
  world.step('make-tree:settle');
  const active: TreeRecord = { ...tree, state: 'active' };
  settleRow(world, row, 'done', () => {
    world.stores.trees.put(active);
    record(world, project, taskId, 'tree.made', { branch: tree.branch, baseCommit: tree.baseCommit });
  });
  return readyOutcome(active, true);
}

function makingRow(repository: Repository, tree: TreeRecord): JournalId {
  const { world, project } = repository;
  const open = openRowsOf(world, tree.taskId).find((row) => row.intent === 'make-tree');
  return (
    open?.id ??
    openRow(world, project, tree.taskId, 'make-tree', {
      path: tree.path,
      branch: tree.branch,
      new: tree.lastCommit,
    })
  );
}

/** @throws AppError 'git-ref-moved' when the branch has commits that we did not make */
async function ensureBranch(repository: Repository, tree: TreeRecord): Promise<Locked | 'done'> {
  const ref = `refs/heads/${tree.branch}`;
  const head = await repository.resolve(ref);
  if (head === tree.lastCommit) return 'done';
  if (head === null) {
    const made = await repository.updateRef(ref, tree.lastCommit, NO_COMMIT, 'start a task');
    if (made !== 'moved') return made;
  }
  throw new AppError('git-ref-moved', `The branch ${tree.branch} has work that Signalbox did not make.`, {
    hint: `Look at it with git log ${tree.branch}, rename or remove it, then retry the task.`,
  });
}

/** Removes the remains of a tree that was never finished. */
async function clearHalfMade(repository: Repository, tree: TreeRecord): Promise<void> {
  const admin = adminFolder(repository, tree);
  // Only a folder that points into our own place is ours; git made it for this very path.
  if ((await textOf(path.join(admin, 'gitdir'))) === backPointerText(tree.path)) {
    await rm(admin, { recursive: true, force: true });
  } else if (await isEmptyFolder(admin)) {
    await rm(admin, { recursive: true, force: true });
  }
  await removeFolder(repository.world.folders.trees, tree.path);
}

/** A git that was killed early leaves its folder with nothing in it but a lock. */
async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every((name) => name === 'locked');
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Each folder above a tree must be a real one, so that a tree never lies anywhere else than its path says. */
async function makeParents(trees: string, tree: string): Promise<void> {
  const parent = path.dirname(tree);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const folder of [trees, parent]) {
    const found = await lstat(folder);
    if (!found.isDirectory() || (await realpath(folder)) !== folder) {
      throw new AppError('tree-not-ours', `${folder} is not a real folder of ours.`, {
        hint: 'Remove the link; worktrees are only made inside the data folder.',
      });
    }
  }
}

async function proveAdmin(repository: Repository, tree: TreeRecord): Promise<void> {
  const admin = adminFolder(repository, tree);
  const pointer = await textOf(path.join(tree.path, '.git'));
  if (pointer === pointerText(admin)) return;
  throw new AppError('git-failed', 'git made the worktree under another name than asked for.', {
    hint: 'Run git worktree prune in the repository, then retry.',
  });
}

/**
 * Makes the tree at first; afterwards proves that it is as we left it.
 */
export async function prepareTree(repository: Repository, of: WorkspaceOf): Promise<PrepareOutcome> {
  const { world } = repository;
  const known = world.stores.trees.get(of.taskId);
  if (known === null || known.state === 'removed')
    return makeTree(repository, await planTree(repository, of));
  if (known.state === 'making') return makeTree(repository, known);
  if (known.state === 'removing') {
    return { kind: 'unusable', problem: 'gone', message: 'The worktree of this task is being removed.' };
  }
  const problem = await examineTree(repository, known);
  if (problem !== null) return problem;
  if ((await repository.resolve(`refs/heads/${known.branch}`)) === null) {
    return { kind: 'unusable', problem: 'gone', message: `The branch ${known.branch} was removed.` };
  }
  return readyOutcome(known, false);
}
