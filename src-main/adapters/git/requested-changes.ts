import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RequestedChanges } from '../../../src-shared/model/task.ts';
import type { Violation } from '../../core/ports/workspaces.ts';
import { isForbidden, staysInside } from '../../core/workspace/path-rules.ts';
import { linkOnTheWay } from './walk-tree.ts';
import { isMissing } from './workbench.ts';

/** What the agent asked for and the file tools cannot do, checked against the tree as it is. */
export async function checkRequested(
  tree: string,
  requested: RequestedChanges,
  forbiddenPaths: readonly string[],
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const places = [...requested.remove, ...requested.rename.flatMap(({ from, to }) => [from, to])];
  for (const place of new Set(places)) {
    if (!staysInside(trimmed(place))) {
      violations.push({ rule: 'outside-tree', place });
    } else if (isForbidden(trimmed(place), forbiddenPaths)) {
      violations.push({ rule: 'forbidden-path', place });
    } else {
      const link = await linkOnTheWay(tree, trimmed(place));
      if (link !== null) violations.push({ rule: 'link-leads-outside', place });
    }
  }
  return violations;
}

/**
 * Removes and renames. Each step is skipped when it has been done already, so that the whole may be repeated; what
 * cannot be done is a note, since the diff shows what came of it.
 *
 * @param requested without violations (`checkRequested`)
 * @returns notes for the item
 */
export async function applyRequested(tree: string, requested: RequestedChanges): Promise<readonly string[]> {
  const removed = requested.remove.map(trimmed);
  const renames = requested.rename.map(({ from, to }) => ({ from: trimmed(from), to: trimmed(to) }));
  const notes: string[] = [];
  for (const { from, to } of renames) {
    const note = await renameOne(tree, from, to, removed.includes(to));
    if (note !== null) notes.push(note);
  }
  for (const place of removed) {
    // "Remove b, rename a to b" is one replacement, done above: removing b here, or when the whole is repeated
    // after a crash, would lose a.
    if (renames.some(({ to }) => to === place)) continue;
    if (renames.some(({ to }) => to.startsWith(`${place}/`))) {
      notes.push(`Not removed, as something was renamed into it: ${place}`);
      continue;
    }
    // A link itself goes, never what it points to.
    await rm(path.join(tree, place), { recursive: true, force: true });
  }
  return notes;
}

async function renameOne(
  tree: string,
  from: string,
  to: string,
  mayReplace: boolean,
): Promise<string | null> {
  const [source, target] = [path.join(tree, from), path.join(tree, to)];
  if (from === to) return null;
  const [isThere, isTaken] = [await entryExists(source), await entryExists(target)];
  if (!isThere) return isTaken ? null : `Not renamed, as it is not there: ${from}`;
  if (to.startsWith(`${from}/`) || from.startsWith(`${to}/`))
    return `Not renamed, as one lies in the other: ${from}`;
  if (isTaken && !(await isSameEntry(source, target))) {
    if (!mayReplace) return `Not renamed, as ${to} is there already: ${from}`;
    await rm(target, { recursive: true, force: true });
  }
  try {
    await mkdir(path.dirname(target), { recursive: true });
    await rename(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') return `Not renamed, as a part of ${to} is a file: ${from}`;
    throw error;
  }
  return null;
}

async function entryExists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** A rename that only changes case, where the file system does not tell the two names apart. */
async function isSameEntry(a: string, b: string): Promise<boolean> {
  const [first, second] = [await lstat(a), await lstat(b)];
  return a.toLowerCase() === b.toLowerCase() && first.ino === second.ino && first.dev === second.dev;
}

/** A folder may be named with a slash at its end. */
const trimmed = (place: string): string => place.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
