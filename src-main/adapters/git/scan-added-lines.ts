import type { HashText } from '../../core/ports/world.ts';
import type { CommitOutcome } from '../../core/ports/workspaces.ts';
import { scanText, valueAt } from '../../core/data-class/scan.ts';
import { onlyAddedLines } from '../../core/workspace/added-lines.ts';
import type { BlobChange } from './changed-files.ts';
import type { Repository } from './repository.ts';

type Hits = Extract<CommitOutcome, { readonly kind: 'data-class' }>['hits'];

interface Candidate {
  readonly rule: string;
  readonly place: string;
  readonly value: string;
}

const GROUP_BYTES = 32 * 1024 * 1024;
/** More than this many different values are not looked up one by one in the base commit; they stay hits. */
const MOST_LOOKED_UP = 500;
const SYMLINK = '120000';

/**
 * Looks for real personal data in the lines that these changes add (12-engine, Data class). A value that stands in
 * the base commit already, or whose hash a person accepted, is no hit. Values leave this function only as hashes.
 */
export async function scanAddedLines(
  repository: Repository,
  changes: readonly BlobChange[],
  baseCommit: string,
  acceptedHashes: readonly string[],
  hash: HashText,
): Promise<Hits> {
  const { settings } = repository.project;
  if (settings.dataClass === 'real') return [];
  const rules = { denyNames: settings.denyNames, patterns: settings.dataPatterns };
  const accepted = new Set(acceptedHashes);
  const candidates: Candidate[] = [];
  for (const group of inGroups(
    changes.filter((change) => change.newBlob !== null && change.mode !== SYMLINK),
  )) {
    const blobs = await readBlobs(
      repository,
      group.flatMap((change) => [change.newBlob, change.oldBlob].filter((blob) => blob !== null)),
    );
    for (const change of group) {
      const after = textOfBlob(blobs.get(change.newBlob ?? ''));
      if (after === null) continue;
      const before = textOfBlob(blobs.get(change.oldBlob ?? '')) ?? '';
      const added = onlyAddedLines(before, after);
      for (const hit of scanText(added, rules)) {
        const value = valueAt(added, hit);
        if (accepted.has(hash(value)) || before.includes(value)) continue;
        candidates.push({ rule: hit.rule, place: `${change.path}:${hit.line}:${hit.column}`, value });
      }
    }
  }
  const known = await valuesInCommit(repository, baseCommit, [
    ...new Set(candidates.map(({ value }) => value)),
  ]);
  return candidates
    .filter(({ value }) => !known.has(value))
    .map(({ rule, place, value }) => ({ rule, place, hash: hash(value) }));
}

function inGroups(changes: readonly BlobChange[]): readonly (readonly BlobChange[])[] {
  const groups: BlobChange[][] = [];
  let bytes = Infinity;
  for (const change of changes) {
    // The old blob is about as large as the new one.
    if (bytes + change.bytes * 2 > GROUP_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(change);
    bytes += change.bytes * 2;
  }
  return groups;
}

/** Reads `git cat-file --batch`: `<object> <type> <size>`, newline, the content, newline. */
async function readBlobs(
  repository: Repository,
  names: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return found;
  const { stdout } = await repository.content(['cat-file', '--batch'], { input: `${wanted.join('\n')}\n` });
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(0x0a, at);
    const [name = '', type = '', size = ''] = stdout.toString('latin1', at, end).split(' ');
    if (type === 'missing') {
      at = end + 1;
      continue;
    }
    const start = end + 1;
    if (type === 'blob') found.set(name, stdout.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return found;
}

/** Null for what is no text; attributes are not asked, since the agent writes them. */
function textOfBlob(blob: Buffer | undefined): string | null {
  if (blob === undefined) return null;
  if (blob[0] === 0xff && blob[1] === 0xfe) return new TextDecoder('utf-16le').decode(blob);
  if (blob[0] === 0xfe && blob[1] === 0xff) return new TextDecoder('utf-16be').decode(blob);
  // The same look at the first 8000 bytes by which git decides (xdiff-interface.c, buffer_is_binary).
  return blob.subarray(0, 8000).includes(0) ? null : blob.toString('utf8');
}

/** Which of the values stand in some file of the commit. They go to git on its input, never on a command line. */
async function valuesInCommit(
  repository: Repository,
  commit: string,
  values: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const value of values.slice(0, MOST_LOOKED_UP)) {
    if (value === '' || value.includes('\n')) continue;
    const { exitCode } = await repository.content(
      ['grep', '--quiet', '--no-textconv', '--text', '--fixed-strings', '-f', '-', commit],
      { input: `${value}\n`, answers: [0, 1] },
    );
    if (exitCode === 0) known.add(value);
  }
  return known;
}
