import { copyFile, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { TaskId } from '../../../src-shared/ids.ts';
import { fields, GitFailure, type GitCall } from './git-command.ts';
import type { Repository } from './repository.ts';
import { isMissing } from './workbench.ts';

/** A tree of ours as the content commands see it. */
export interface TreeFiles {
  readonly repository: Repository;
  readonly taskId: TaskId;
  /** Absolute path of the work tree. */
  readonly path: string;
}

let made = 0;

/**
 * Works on a private copy of the tree's index. The copy takes the kept one's place only when the work succeeded,
 * so that a killed git leaves nothing but a file that `recover` clears away; git's own lock is never in anyone's way.
 *
 * @param keep false for a look that must not change what is kept
 */
export async function withIndex<T>(
  files: TreeFiles,
  keep: boolean,
  work: (index: string) => Promise<T>,
): Promise<T> {
  const kept = keptIndex(files);
  made += 1;
  const copy = `${kept}.${process.pid}-${made}.tmp`;
  await mkdir(path.dirname(kept), { recursive: true, mode: 0o700 });
  await copyIndex(kept, copy);
  try {
    const result = await work(copy);
    if (keep) await rename(copy, kept);
    return result;
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}

/** @param folder our side of the project */
export const indexIn = (folder: string, taskId: TaskId): string => path.join(folder, `${taskId}.index`);

export const keptIndex = (files: TreeFiles): string =>
  indexIn(files.repository.world.folders.project(files.repository.project), files.taskId);

/**
 * Copies an index with its time. Git takes entries for changed that are not older than the index (racy-git), so
 * a copy must not look newer than what it was made from.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atimeMs, mtimeMs } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atimeMs / 1000, Math.floor(mtimeMs - 1) / 1000);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Runs git on the tree's files with an index. */
export const onFiles = (
  files: TreeFiles,
  index: string,
  args: readonly string[],
  options: Pick<GitCall, 'input' | 'answers' | 'env'> = {},
): Promise<string> =>
  files.repository.content(args, { ...options, workTree: files.path, index }).then((answer) => answer.text);

/** Fills the index with a commit or tree and keeps what it knows of unchanged files. */
export async function startIndex(files: TreeFiles, index: string, treeish: string): Promise<void> {
  try {
    await onFiles(files, index, ['read-tree', '--reset', '-i', treeish]);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    // A damaged index costs only what it remembered; a second failure is about the commit.
    await rm(index, { force: true });
    await onFiles(files, index, ['read-tree', '--reset', '-i', treeish]);
  }
}

/**
 * Takes everything in the tree that is not ignored into the index.
 *
 * @returns the tree object
 */
export async function takeAll(files: TreeFiles, index: string, from: string): Promise<string> {
  await startIndex(files, index, from);
  await onFiles(files, index, ['add', '--all', '--', '.']);
  return (await onFiles(files, index, ['write-tree'])).trim();
}

/**
 * Makes the tree's files exactly those of a commit; ignored files stay. Whatever was there and is not ignored is
 * expected to be in git already.
 */
export async function layOut(files: TreeFiles, index: string, from: string, treeish: string): Promise<void> {
  await takeAll(files, index, from);
  await onFiles(files, index, ['read-tree', '--reset', '-u', treeish]);
}

/**
 * Puts our index where git looks in this tree, so that `git status` in it tells the truth. By rename, so no lock
 * of git's is needed and none can be left behind.
 */
export async function showIndex(admin: string, index: string): Promise<void> {
  const draft = path.join(admin, 'index.signalbox-draft');
  await copyIndex(index, draft);
  await rename(draft, path.join(admin, 'index'));
}

/** Which of these paths are ignored and not tracked. */
export async function ignoredAmong(
  files: TreeFiles,
  index: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  // This command knows no literal pathspecs; behind `./` no name can be taken for a pattern.
  const text = await onFiles(files, index, ['check-ignore', '-z', '--stdin'], {
    input: paths.map((place) => `./${place}\0`).join(''),
    answers: [0, 1],
    env: { GIT_LITERAL_PATHSPECS: '0' },
  });
  return new Set(fields(text).map((place) => place.slice(2)));
}
