import { lstat, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fields, GitFailure } from './git-command.ts';
import { dropIndexLock, isOurLock, takeIndexLock, waitForLockFile } from './locks.ts';
import { filesInTheWay } from './in-the-way.ts';
import { baseRef, type Repository } from './repository.ts';
import { textOf } from './tree-identity.ts';
import { copyIndex } from './tree-index.ts';
import { exists, isMissing } from './workbench.ts';

/** A place where the person has the base branch checked out. */
export interface BaseCheckout {
  readonly path: string;
  /** Git directory of this checkout: the repository's own, or the one below `worktrees`. */
  readonly gitDir: string;
}

/** Operations that a person is in the middle of; their files lie in the checkout's git directory. */
const UNFINISHED = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
];

/** More of them help nobody who has to tidy up. */
const NAMED_FILES = 20;

/** Every checkout of the base branch whose folder is there. */
export async function baseCheckouts(repository: Repository): Promise<readonly BaseCheckout[]> {
  const { text } = await repository.refs(['worktree', 'list', '--porcelain', '-z']);
  const found: BaseCheckout[] = [];
  // Records end with an empty field; the first one is the main checkout.
  for (const [at, entry] of text.split('\0\0').entries()) {
    const lines = entry.split('\0');
    if (!lines.includes(`branch ${baseRef(repository.project)}`)) continue;
    const named = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? '';
    const folder = at === 0 ? repository.project.facts.root : named;
    const gitDir = at === 0 ? repository.gitDir : await adminOf(repository, folder);
    if (gitDir !== null && (await exists(folder))) found.push({ path: folder, gitDir });
  }
  return found;
}

async function adminOf(repository: Repository, folder: string): Promise<string | null> {
  const all = path.join(repository.gitDir, 'worktrees');
  for (const name of await readdir(all)) {
    const gitdir = (await textOf(path.join(all, name, 'gitdir')))?.trim();
    if (gitdir !== undefined && path.resolve(gitdir) === path.join(folder, '.git'))
      return path.join(all, name);
  }
  return null;
}

const indexOf = (checkout: BaseCheckout): string => path.join(checkout.gitDir, 'index');
const workIndexOf = (checkout: BaseCheckout): string => path.join(checkout.gitDir, 'index.signalbox');

/** What our lock of a checkout says; its content proves whose it is. */
export const lockProof = (hub: string, journal: string): string => `signalbox ${hub} ${journal}\n`;

/** Takes git's lock of a checkout's index, after waiting for whoever holds it. @returns the lock's path if held */
export async function lockCheckout(
  repository: Repository,
  checkout: BaseCheckout,
  proof: string,
): Promise<string | null> {
  const index = indexOf(checkout);
  if (await isOurLock(index, proof)) return null;
  for (let tries = 0; tries < 3; tries += 1) {
    if (!(await waitForLockFile(repository, `${index}.lock`))) return `${index}.lock`;
    if (await takeIndexLock(index, proof)) return null;
  }
  return `${index}.lock`;
}

export const isLockedByUs = (checkout: BaseCheckout, proof: string): Promise<boolean> =>
  isOurLock(indexOf(checkout), proof);

export async function unlockCheckout(checkout: BaseCheckout, proof: string): Promise<void> {
  await rm(workIndexOf(checkout), { force: true });
  await rm(`${workIndexOf(checkout)}.lock`, { force: true });
  await dropIndexLock(indexOf(checkout), proof);
}

/**
 * What a checkout has that is not in the commit: staged, unstaged, untracked and not ignored (12-engine, Git). The
 * list is bounded and ends with how many are left out; it is empty for an operation that a person has begun. Works on
 * a copy of the index, while our lock is held.
 *
 * @returns null for a clean checkout
 */
export async function uncommitted(
  repository: Repository,
  checkout: BaseCheckout,
  commit: string,
): Promise<readonly string[] | null> {
  for (const name of UNFINISHED) if (await exists(path.join(checkout.gitDir, name))) return [];
  await copyForWork(repository, checkout);
  const run = (args: readonly string[], answers: readonly number[]) =>
    repository.content(args, { workTree: checkout.path, index: workIndexOf(checkout), answers });
  await run(['update-index', '-q', '--refresh'], [0, 1]);
  const looks = [
    ['diff-index', '--cached', '--name-only', '-z', '--no-ext-diff', commit, '--'],
    ['diff-files', '--name-only', '-z', '--no-ext-diff', '--ignore-submodules=all', '--'],
    ['ls-files', '-z', '--others', '--exclude-standard'],
  ];
  const found = new Set<string>();
  for (const look of looks) for (const name of fields((await run(look, [0])).text)) found.add(name);
  if (found.size === 0) return null;
  const named = [...found].slice(0, NAMED_FILES);
  const leftOut = found.size - named.length;
  return leftOut === 0 ? named : [...named, `… and ${leftOut} more`];
}

/**
 * What of the person's would be lost when the checkout is brought from one commit to another. Works on the copy of
 * the index that `uncommitted` made, while our lock is held.
 */
export const wouldBeLost = (
  repository: Repository,
  checkout: BaseCheckout,
  from: string,
  to: string,
): Promise<readonly string[]> => filesInTheWay(repository, checkout.path, workIndexOf(checkout), from, to);

async function copyForWork(repository: Repository, checkout: BaseCheckout): Promise<void> {
  const copy = workIndexOf(checkout);
  await rm(copy, { force: true });
  await copyIndex(indexOf(checkout), copy);
  // A split index needs its other half, which git finds beside the repository only; written once it is whole.
  const hasHalf = (await readdir(checkout.gitDir)).some((name) => name.startsWith('sharedindex.'));
  if (!hasHalf) return;
  await repository.refs(['update-index', '--no-split-index', '--force-write-index'], {
    gitDir: checkout.gitDir,
    index: copy,
  });
}

/**
 * Brings a checkout from one commit to another: files and index, under our lock. A file that somebody
 * changed meanwhile stops it with nothing overwritten.
 *
 * @param isAgain after a crash: files that already are as in the new commit are taken as done
 * @returns false when it was stopped
 */
export async function bringAlong(
  repository: Repository,
  checkout: BaseCheckout,
  from: string,
  to: string,
  isAgain: boolean,
): Promise<boolean> {
  await copyForWork(repository, checkout);
  const index = workIndexOf(checkout);
  try {
    if (isAgain) await takeDoneFiles(repository, checkout, index, from, to);
    // Looked at again: the branch has moved, and a file may have come since.
    if ((await filesInTheWay(repository, checkout.path, index, from, to)).length > 0) return false;
    await repository.content(['read-tree', '-m', '-u', from, to], { workTree: checkout.path, index });
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
  await rename(index, indexOf(checkout));
  return true;
}

/** Tells the index about files that an earlier, killed try has already written. */
async function takeDoneFiles(
  repository: Repository,
  checkout: BaseCheckout,
  index: string,
  from: string,
  to: string,
): Promise<void> {
  const options = { workTree: checkout.path, index };
  const { text } = await repository.content([
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    '--no-ext-diff',
    from,
    to,
  ]);
  const parts = fields(text);
  const wanted: { readonly place: string; readonly mode: string; readonly blob: string }[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , blob = ''] = (parts[at] ?? '').split(' ');
    const place = parts[at + 1] ?? '';
    // `--stdin-paths` has one path a line; a name with a line break is left to git's own check.
    if (/^100/.test(mode) && !place.includes('\n') && (await isFile(path.join(checkout.path, place)))) {
      wanted.push({ place, mode, blob });
    }
  }
  if (wanted.length === 0) return;
  const hashed = await repository.content(['hash-object', '--stdin-paths'], {
    ...options,
    input: wanted.map(({ place }) => `${place}\n`).join(''),
  });
  const blobs = hashed.text.split('\n');
  const lines = wanted
    .filter(({ blob }, at) => blobs[at] === blob)
    .map(({ place, mode, blob }) => `${mode} ${blob}\t${place}\0`);
  if (lines.length === 0) return;
  await repository.content(['update-index', '-z', '--index-info'], { ...options, input: lines.join('') });
  await repository.content(['update-index', '-q', '--refresh'], { ...options, answers: [0, 1] });
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
