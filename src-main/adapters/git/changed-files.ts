import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { ChangedFile } from '../../core/ports/workspaces.ts';
import type { ChangedEntry } from '../../core/workspace/validate-changes.ts';
import { fields } from './git-command.ts';
import type { Repository } from './repository.ts';
import type { TreeFiles } from './tree-index.ts';
import { isMissing } from './workbench.ts';

/** A changed path with the blobs before and after it; null where there is none. */
export interface BlobChange extends ChangedEntry {
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
}

const GITLINK = '160000';
const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  C: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type-changed',
};

type RawChange = Omit<BlobChange, 'bytes' | 'isLinkedElsewhere'>;

/**
 * Reads `git diff-tree --raw -z`: `:<mode> <mode> <object> <object> <letter><score>`, then one path, or two for a
 * rename or copy (git-diff-tree(1), Raw output format).
 */
export function parseRawDiff(text: string): readonly RawChange[] {
  const parts = fields(text);
  const changes: RawChange[] = [];
  for (let at = 0; at < parts.length;) {
    const head = parts[at] ?? '';
    const [, mode = '', oldObject = '', newObject = '', letter = ''] = head.split(' ');
    const status = STATUS[letter[0] ?? ''];
    if (!head.startsWith(':') || status === undefined)
      throw new Error(`Unreadable raw diff: ${head.slice(0, 80)}`);
    const hasTwo = letter.startsWith('R') || letter.startsWith('C');
    const first = parts[at + 1] ?? '';
    changes.push({
      path: hasTwo ? (parts[at + 2] ?? '') : first,
      from: letter.startsWith('R') ? first : null,
      status,
      mode,
      oldBlob: isObject(oldObject) ? oldObject : null,
      newBlob: isObject(newObject) && mode !== GITLINK ? newObject : null,
    });
    at += hasTwo ? 3 : 2;
  }
  return changes;
}

const isObject = (name: string): boolean => !/^0*$/.test(name);

/** What differs between two trees or commits. Sizes are of the new blobs. */
export async function changesBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly BlobChange[]> {
  const { text } = await repository.content([
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--ignore-submodules=none',
    from,
    to,
  ]);
  const raw = parseRawDiff(text);
  const sizes = await sizesOf(
    repository,
    raw.flatMap((change) => change.newBlob ?? []),
  );
  return raw.map((change) => ({
    ...change,
    bytes: change.newBlob === null ? 0 : (sizes.get(change.newBlob) ?? 0),
    isLinkedElsewhere: false,
  }));
}

async function sizesOf(
  repository: Repository,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (blobs.length === 0) return new Map();
  const { text } = await repository.content(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: `${blobs.join('\n')}\n`,
  });
  return new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [name = '', size = ''] = line.split(' ');
        return [name, Number(size)] as const;
      }),
  );
}

/**
 * Marks changed files that have another name outside the set of changed files: what is committed of them would be
 * the content of a file that is not the tree's.
 */
export async function markHardLinks(
  files: TreeFiles,
  changes: readonly BlobChange[],
): Promise<readonly BlobChange[]> {
  const inodes = new Map<string, { readonly links: number; readonly paths: string[] }>();
  for (const change of changes) {
    if (change.newBlob === null) continue;
    try {
      const found = await lstat(path.join(files.path, change.path));
      if (!found.isFile() || found.nlink < 2) continue;
      const key = `${found.dev}:${found.ino}`;
      const known = inodes.get(key) ?? { links: found.nlink, paths: [] };
      known.paths.push(change.path);
      inodes.set(key, known);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  const elsewhere = new Set(
    [...inodes.values()].filter((each) => each.links > each.paths.length).flatMap((e) => e.paths),
  );
  if (elsewhere.size === 0) return changes;
  return changes.map((change) =>
    elsewhere.has(change.path) ? { ...change, isLinkedElsewhere: true } : change,
  );
}

export const toChangedFile = ({ path: place, status, bytes }: BlobChange): ChangedFile => ({
  path: place,
  status,
  bytes,
});
