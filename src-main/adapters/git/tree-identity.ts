import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { PrepareOutcome } from '../../core/ports/workspaces.ts';
import type { Repository } from './repository.ts';
import { exists, isMissing } from './workbench.ts';

type Unusable = Extract<PrepareOutcome, { readonly kind: 'unusable' }>;

/** Where git keeps what it knows of this tree. The name is the task's id, which is also the folder's. */
export const adminFolder = (repository: Repository, tree: TreeRecord): string =>
  path.join(repository.gitDir, 'worktrees', path.basename(tree.path));

/** A path as git writes it into its own files: with slashes, on Windows too. */
export const asGitWrites = (place: string): string =>
  path.sep === '/' ? place : place.replaceAll(path.sep, '/');
export const pointerText = (admin: string): string => `gitdir: ${asGitWrites(admin)}\n`;
/** What git's folder about a tree says where the tree is. */
export const backPointerText = (tree: string): string => `${asGitWrites(path.join(tree, '.git'))}\n`;
export const MARK_FILE = 'signalbox-mark';

const unusable = (problem: Unusable['problem'], message: string): Unusable => ({
  kind: 'unusable',
  problem,
  message,
});

/**
 * Proves that a tree is the one we made: in its place, not behind a link, with our mark in git's folder about it,
 * with an untouched pointer, on its branch.
 *
 * @returns what is wrong, or null
 */
export async function examineTree(repository: Repository, tree: TreeRecord): Promise<Unusable | null> {
  const admin = adminFolder(repository, tree);
  const place = await examinePlace(tree, admin);
  if (place !== null) return place;
  if ((await textOf(path.join(tree.path, '.git'))) !== pointerText(admin)) {
    return unusable('pointer-altered', `The file .git in ${tree.path} is not as Signalbox made it.`);
  }
  if (!(await exists(admin))) {
    return unusable('gone', `Git no longer knows the worktree ${tree.path} (was it pruned?).`);
  }
  if ((await textOf(path.join(admin, MARK_FILE))) !== tree.mark) {
    return unusable('not-ours', `The worktree ${tree.path} does not carry Signalbox's mark.`);
  }
  const [gitdir, commondir] = [
    await textOf(path.join(admin, 'gitdir')),
    await textOf(path.join(admin, 'commondir')),
  ];
  if (gitdir !== backPointerText(tree.path)) {
    return unusable('moved', `The worktree ${tree.path} was moved.`);
  }
  if (commondir !== '../..\n') {
    return unusable('pointer-altered', `Git's folder about ${tree.path} is not as Signalbox made it.`);
  }
  const head = await headOf(repository, admin);
  if (head !== `refs/heads/${tree.branch}`) {
    return unusable('other-branch', `The worktree ${tree.path} is no longer on the branch ${tree.branch}.`);
  }
  return null;
}

async function examinePlace(tree: TreeRecord, admin: string): Promise<Unusable | null> {
  try {
    const found = await lstat(tree.path);
    if (!found.isDirectory()) return unusable('not-ours', `${tree.path} is not a folder of ours.`);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const gitdir = await textOf(path.join(admin, 'gitdir'));
    const elsewhere = gitdir !== null && gitdir !== backPointerText(tree.path);
    return elsewhere
      ? unusable('moved', `The worktree ${tree.path} was moved to ${path.dirname(gitdir.trim())}.`)
      : unusable('gone', `The worktree ${tree.path} is gone.`);
  }
  if ((await realpath(tree.path)) !== tree.path) {
    return unusable('moved', `A part of the path ${tree.path} is now a link.`);
  }
  return null;
}

/** Full name of the ref that is checked out in a worktree; null when HEAD is detached or unreadable. */
export async function headOf(repository: Repository, admin: string): Promise<string | null> {
  const { exitCode, text } = await repository.refs(['symbolic-ref', '--quiet', 'HEAD'], {
    gitDir: admin,
    answers: [0, 1, 128],
  });
  return exitCode === 0 ? text.trim() : null;
}

/** Content of a regular file, null for anything else: to open a pipe in its place would wait for ever. */
export async function textOf(file: string): Promise<string | null> {
  try {
    return (await lstat(file)).isFile() ? await readFile(file, 'utf8') : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
