import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAppError } from '../../../src-shared/errors.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { JournalRow, TreeRecord } from '../../core/ports/stores.ts';
import { record, type GitWorld } from './git-world.ts';
import { openRowsOf, settleRow } from './journal.ts';
import { keptRef, recordKept } from './keep-state.ts';
import { mergeRef } from './laid-merge.ts';
import { finishTakingBack, showInTree } from './lay-merge.ts';
import { makeTree } from './make-tree.ts';
import { settleMerge } from './merge-work.ts';
import { finishRemoval } from './remove-tree.ts';
import { openRepository, type Repository } from './repository.ts';
import { examineTree } from './tree-identity.ts';
import { exists, isMissing } from './workbench.ts';

/**
 * Settles what a crash left open for one task, from what is in the repository. Called before every operation on
 * the task, so that none builds on a half-done one; `make-tree` and `remove-tree` rows belong to their operations.
 */
export async function settleTask(repository: Repository, taskId: TaskId): Promise<void> {
  for (const row of openRowsOf(repository.world, taskId)) await settleOne(repository, row);
}

async function settleOne(repository: Repository, row: JournalRow): Promise<void> {
  switch (row.intent) {
    case 'commit':
      return await settleCommit(repository, row);
    case 'keep':
      return await settleKeep(repository, row);
    case 'lay-merge':
    case 'take-merge-back':
      return await settleLayMerge(repository, row);
    case 'merge':
      return await settleMerge(repository, row);
    case 'restore': {
      const isThere = (await repository.resolve(row.data['ref'] ?? '')) === row.data['new'];
      return settleRow(repository.world, row.id, isThere ? 'done' : 'undone');
    }
    default:
      return;
  }
}

async function settleCommit(repository: Repository, row: JournalRow): Promise<void> {
  const { world, project } = repository;
  const { ref, old, run, base } = row.data;
  const commit = row.data['new'] ?? null;
  const tree = row.taskId === null ? null : world.stores.trees.get(row.taskId);
  const head = await repository.resolve(ref ?? '');
  const isDone =
    head !== null && commit !== null && (head === commit || (await repository.contains(head, commit)));
  if (!isDone || tree === null) return settleRow(world, row.id, 'undone');
  const changed = await repository.content(['diff-tree', '-r', '--name-only', '-z', old ?? commit, commit]);
  settleRow(world, row.id, 'done', () => {
    world.stores.trees.put({ ...tree, lastCommit: commit, baseCommit: base ?? tree.baseCommit });
    record(world, project, row.taskId, 'git.committed', {
      branch: tree.branch,
      commit,
      parent: old ?? null,
      run: run ?? null,
      files: changed.text.split('\0').length - 1,
    });
  });
}

async function settleKeep(repository: Repository, row: JournalRow): Promise<void> {
  const { reason, files } = row.data;
  const commit = row.data['new'] ?? null;
  const { taskId } = row;
  const isThere = taskId !== null && (await repository.resolve(keptRef(taskId))) === commit;
  settleRow(repository.world, row.id, isThere ? 'done' : 'undone', () => {
    if (isThere && commit !== null)
      recordKept(repository, { taskId }, commit, reason ?? '', Number(files ?? 0));
  });
}

/** Either it lies there whole, or the tree is as it was: decided by whether the side ref names it. */
async function settleLayMerge(repository: Repository, row: JournalRow): Promise<void> {
  const { world } = repository;
  const tree = row.taskId === null ? null : world.stores.trees.get(row.taskId);
  const commit = row.data['commit'] ?? null;
  const work = row.data['work'] ?? null;
  const isMeant =
    tree !== null && commit !== null && (await repository.resolve(mergeRef(tree.taskId))) === commit;
  if (!isMeant || tree.state !== 'active' || (await examineTree(repository, tree)) !== null) {
    return settleRow(world, row.id, 'undone');
  }
  // The tree held nothing but the work when it began, so a mixture of the two holds nothing else either.
  if (row.intent === 'take-merge-back') await finishTakingBack(repository, tree, commit, work ?? commit);
  else await showInTree(repository, tree, work ?? commit, commit);
  settleRow(world, row.id, 'done');
}

/**
 * See `Workspaces.recover`. One project that cannot be recovered (its disk is not there) does not stop the others;
 * its rows stay open for the next start.
 */
export async function recoverProjects(world: GitWorld, projects: readonly Project[]): Promise<void> {
  for (const project of projects) {
    await orLog(world, project, () => recoverProject(world, project));
  }
}

async function orLog(world: GitWorld, project: Project, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // What is open stays open: the operation on the task meets the same cause and says it where a person sees it.
    world.log.error('A repository could not be recovered.', {
      project: project.name,
      code: isAppError(error) ? error.code : 'internal',
      problem: error instanceof Error ? error.message : String(error),
    });
  }
}

async function recoverProject(world: GitWorld, project: Project): Promise<void> {
  const trees = world.stores.trees
    .list(['making', 'active', 'removing'])
    .filter((tree) => tree.projectId === project.id);
  const rows = world.stores.journal.open().filter((row) => row.projectId === project.id);
  await clearTemporary(world.folders.project(project));
  if (trees.length === 0 && rows.length === 0) return;
  const repository = await openRepository(world, project, null);
  await clearRefLocks(repository, rows);
  for (const row of rows) {
    await orLog(world, project, async () => settleOne(await openRepository(world, project, row.taskId), row));
  }
  for (const tree of trees) {
    await orLog(world, project, async () =>
      finishTree(await openRepository(world, project, tree.taskId), tree),
    );
  }
}

async function finishTree(repository: Repository, tree: TreeRecord): Promise<void> {
  if (tree.state === 'removing') await finishRemoval(repository, tree);
  if (tree.state === 'making') await makeTree(repository, tree);
}

/** Index copies of processes that are gone. */
async function clearTemporary(folder: string): Promise<void> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  for (const name of names) {
    if (!/\.tmp(?:\.lock)?$/.test(name)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/**
 * A git of ours that was killed in the middle leaves the lock of the ref that its row names. It is ours when it
 * holds the commit that we wanted to write, or, for refs that only we write, when it is still empty.
 */
async function clearRefLocks(repository: Repository, rows: readonly JournalRow[]): Promise<void> {
  const { world } = repository;
  for (const row of rows) {
    const ref = row.data['ref'] ?? null;
    const next = row.data['new'] ?? null;
    if (ref === null || next === null) continue;
    const lock = path.join(repository.gitDir, `${ref}.lock`);
    if (!(await exists(lock))) continue;
    const content = (await readFile(lock, 'utf8')).trim();
    const isOurs = content === next || (content === '' && /^refs\/(?:heads\/)?signalbox\//.test(ref));
    if (!isOurs) continue;
    await rm(lock, { force: true });
    world.log.warn('Removed a lock that a killed git of ours had left.', { ref });
  }
}
