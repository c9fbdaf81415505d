import type { TreeRecord } from '../../core/ports/stores.ts';
import type { LaidConflict, WorkspaceOf } from '../../core/ports/workspaces.ts';
import { conflictHunks } from '../../core/workspace/conflict-hunks.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { fields } from './git-command.ts';
import { conflictRef, laidMerge } from './laid-merge.ts';
import { computeMerge, layMerge, mergeCommit } from './lay-merge.ts';
import { NO_COMMIT, type Repository } from './repository.ts';

/** A file above this is not read for a prompt. */
const LONGEST_FILE_BYTES = 1024 * 1024;

/** Labels of git-merge-tree(1) are the names it was given: here the commits. Nobody writes such a line by chance. */
const markOfBase = (base: string): string => `<<<<<<< ${base}`;
const markOfWork = (work: string): string => `>>>>>>> ${work}`;

/** See `Workspaces.layConflict`. What is committed over it has the base as its second parent. */
export async function layConflict(
  repository: Repository,
  tree: TreeRecord,
  of: WorkspaceOf,
  work: string,
): Promise<LaidConflict | null> {
  const laid = await laidMerge(repository, tree.taskId);
  const isThere = laid !== null && laid.isConflict && laid.work === work;
  const base = isThere ? laid.base : await repository.baseHead();
  const merged = await computeMerge(repository, base, work);
  if (merged.kind === 'clean') return null;
  if (!isThere) {
    const title = `Conflict of task ${of.taskNumber} with the base`;
    const commit = await mergeCommit(repository, merged, base, work, title);
    // Before the merge's own ref: whoever finds that one is never to take marks for a result.
    await markAsConflict(repository, tree, commit);
    await layMerge(repository, tree, commit, work);
  }
  return {
    base,
    paths: merged.paths,
    messages: await messagesOf(repository, base, work),
    ...conflictHunks(
      await textsOf(repository, merged.tree, merged.paths),
      markOfBase(base),
      markOfWork(work),
    ),
  };
}

async function markAsConflict(repository: Repository, tree: TreeRecord, commit: string): Promise<void> {
  const ref = conflictRef(tree.taskId);
  await repository.exclusively(async () => {
    const old = (await repository.resolve(ref)) ?? NO_COMMIT;
    const updated = await repository.updateRef(ref, commit, old, 'conflict with the present base');
    if (updated !== 'done') throw new AppError('git-locked', `The ref ${ref} is locked.`);
  });
}

/** What git says of each conflict: not every kind leaves marks in a file. */
async function messagesOf(repository: Repository, base: string, work: string): Promise<readonly string[]> {
  const { text } = await repository.content(['merge-tree', '--write-tree', '--name-only', base, work], {
    answers: [0, 1],
  });
  return text.split('\n').filter((line) => line.startsWith('CONFLICT '));
}

async function textsOf(
  repository: Repository,
  tree: string,
  paths: readonly string[],
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const texts: { path: string; text: string }[] = [];
  for (const path of paths) {
    const spec = `${tree}:${path}`;
    const size = await repository.content(['cat-file', '-s', spec], { answers: [0, 128] });
    if (size.exitCode !== 0 || Number(size.text) > LONGEST_FILE_BYTES) continue;
    const blob = await repository.content(['cat-file', 'blob', spec], { answers: [0, 128] });
    if (blob.exitCode === 0) texts.push({ path, text: blob.text });
  }
  return texts;
}

/** Files of a tree object in which a mark of the laid conflict still stands. */
export async function unresolvedFiles(
  repository: Repository,
  laid: { readonly base: string; readonly work: string },
  tree: string,
): Promise<readonly string[]> {
  const marks = ['-e', markOfBase(laid.base), '-e', markOfWork(laid.work)];
  const { text } = await repository.content(
    ['grep', '--name-only', '-z', '--text', '--fixed-strings', ...marks, tree],
    { answers: [0, 1] },
  );
  return fields(text).map((found) => found.slice(tree.length + 1));
}
