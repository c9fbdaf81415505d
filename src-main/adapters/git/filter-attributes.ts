import path from 'node:path';
import { fields } from './git-command.ts';
import type { BlobChange } from './changed-files.ts';
import { onFiles, startIndex, withIndex, type TreeFiles } from './tree-index.ts';

/**
 * Paths whose attributes name a filter that does not exist here: changed files, and, when attributes changed, every
 * file whose filter is another one than before. Their raw content must not be committed (12-engine, Git).
 *
 * @param index holds the tree as it is now
 */
export async function unavailableFilters(
  files: TreeFiles,
  index: string,
  parent: string,
  changes: readonly BlobChange[],
): Promise<readonly string[]> {
  const allowed = files.repository.project.settings.allowLfs ? 'lfs' : null;
  const isUnavailable = (filter: string | undefined): boolean => filter !== undefined && filter !== allowed;
  const changed = changes.filter((change) => change.newBlob !== null).map((change) => change.path);
  const found = [...(await filtersOf(files, index, changed, false))]
    .filter(([, filter]) => isUnavailable(filter))
    .map(([place]) => place);
  if (!changes.some((change) => path.posix.basename(change.path).toLowerCase() === '.gitattributes'))
    return found;

  const all = fields(await onFiles(files, index, ['ls-files', '-z']));
  const now = await filtersOf(files, index, all, false);
  const before = await withIndex(files, false, async (old) => {
    await startIndex(files, old, parent);
    return await filtersOf(files, old, all, true);
  });
  const turned = [...now].filter(([place, filter]) => isUnavailable(filter) && before.get(place) !== filter);
  return [...new Set([...found, ...turned.map(([place]) => place)])];
}

/** Path → filter for the paths whose attributes name one. */
async function filtersOf(
  files: TreeFiles,
  index: string,
  paths: readonly string[],
  fromIndex: boolean,
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const text = await onFiles(
    files,
    index,
    ['check-attr', ...(fromIndex ? ['--cached'] : []), '-z', '--stdin', 'filter'],
    {
      input: `${paths.join('\0')}\0`,
    },
  );
  const parts = fields(text);
  const found = new Map<string, string>();
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [place = '', , value = ''] = parts.slice(at, at + 3);
    if (!['unspecified', 'unset', 'set', ''].includes(value)) found.set(place, value);
  }
  return found;
}
