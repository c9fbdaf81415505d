import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { parseRawDiff } from './changed-files.ts';
import { fields } from './git-command.ts';
import type { Repository } from './repository.ts';
import { isMissing } from './workbench.ts';

type Kind = 'none' | 'folder' | 'other';

/**
 * Files of a checkout that git does not know and that bringing it to another commit would overwrite or remove: git
 * itself takes ignored ones for expendable (git-read-tree(1)), and they are nowhere else.
 *
 * @param checkout its folder
 * @param index of the checkout, of what it has out now
 * @returns paths below the checkout
 */
export async function filesInTheWay(
  repository: Repository,
  checkout: string,
  index: string,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const run = async (args: readonly string[]): Promise<string> =>
    (await repository.content(args, { workTree: checkout, index })).text;
  const raw = await run(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', from, to]);
  const added = parseRawDiff(raw).flatMap((change) => (change.status === 'added' ? [change.path] : []));
  if (added.length === 0) return [];
  const tracked = new Set(fields(await run(['ls-files', '-z'])));
  const kinds = new Map<string, Kind>();
  const kindOf = async (place: string): Promise<Kind> => {
    const known = kinds.get(place) ?? (await look(path.join(checkout, place)));
    kinds.set(place, known);
    return known;
  };

  const found = new Set<string>();
  for (const place of added) {
    if (tracked.has(place)) continue;
    const above = await firstFileAbove(place, kindOf);
    if (above !== null) {
      if (!tracked.has(above)) found.add(above);
      continue;
    }
    const kind = await kindOf(place);
    if (kind === 'other') found.add(place);
    // A folder goes for a file of its name, with everything in it; ignored files are among these as well.
    if (kind === 'folder') {
      for (const inside of fields(await run(['ls-files', '-z', '--others', '--', place]))) found.add(inside);
    }
  }
  return [...found].toSorted();
}

/** A file or link that stands where a folder of the path is to be. */
async function firstFileAbove(
  place: string,
  kindOf: (place: string) => Promise<Kind>,
): Promise<string | null> {
  const parts = place.split('/');
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join('/');
    const kind = await kindOf(above);
    if (kind === 'other') return above;
    if (kind === 'none') return null;
  }
  return null;
}

async function look(file: string): Promise<Kind> {
  try {
    return (await lstat(file)).isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isMissing(error)) return 'none';
    throw error;
  }
}
