import { parseDiff, type ChangeData, type FileData, type HunkData } from 'react-diff-view';

/** Lines that are drawn without being asked for; more would hold up the window (DESIGN 4). */
export const MOST_CHANGED_LINES = 2000;
/** With the unchanged ones around them. */
const MOST_ROWS = 6000;

export interface DiffFileData {
  readonly file: FileData;
  /** Where the file is now; for a deleted one where it was. */
  readonly path: string;
  /** Its path before, when that was another. */
  readonly oldPath: string | null;
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  readonly mode: FileHead['mode'];
  /** Whether it is drawn at once. */
  readonly isSmall: boolean;
  /** Changes with the content: a mark on it is worth nothing after that. */
  readonly stamp: string;
}

/** FNV-1a, 32 bits: tells one content from another, against no attacker. */
function stampOf(file: FileData, mode: FileHead['mode']): string {
  let hash = 0x811c9dc5;
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  };
  add(`${file.oldRevision} ${file.newRevision} ${mode?.before} ${mode?.after}`);
  for (const hunk of file.hunks) for (const change of hunk.changes) add(`${change.type}${change.content}\n`);
  return (hash >>> 0).toString(36);
}

const HUNK_HEAD = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** What the lines before a file's hunks say and the parser does not: it goes by the paths, which files without lines have none of. */
interface FileHead {
  /** Git shows no lines of it. */
  readonly isBinary: boolean;
  readonly type: 'add' | 'delete' | null;
  /** Before and after, when it has changed, such as `100644` and `100755`. */
  readonly mode: { readonly before: string; readonly after: string } | null;
}
const NO_HEAD: FileHead = { isBinary: false, type: null, mode: null };

function readHead(head: FileHead, line: string): FileHead {
  if (line.startsWith('Binary files ') || line === 'GIT binary patch') return { ...head, isBinary: true };
  if (line.startsWith('new file mode ')) return { ...head, type: 'add' };
  if (line.startsWith('deleted file mode ')) return { ...head, type: 'delete' };
  const [, which, mode = ''] = /^(old|new) mode (\d+)$/.exec(line) ?? [];
  if (which === undefined) return head;
  const known = head.mode ?? { before: '', after: '' };
  return { ...head, mode: which === 'old' ? { ...known, before: mode } : { ...known, after: mode } };
}

interface Counted {
  readonly changed: number;
  /** Of every file, in order. */
  readonly heads: readonly FileHead[];
}

/** What a diff holds, counted by what its hunks say of themselves; null for a hunk that breaks off. */
function counted(diff: string): Counted | null {
  const heads: FileHead[] = [];
  let [changed, before, after] = [0, 0, 0];
  for (const line of diff.split('\n')) {
    if (before === 0 && after === 0) {
      if (line.startsWith('diff --git ')) heads.push(NO_HEAD);
      const own = heads.pop();
      if (own !== undefined) heads.push(readHead(own, line));
      const head = HUNK_HEAD.exec(line);
      if (head !== null) [before, after] = [Number(head[1] ?? 1), Number(head[2] ?? 1)];
      continue;
    }
    if (line.startsWith('+')) [after, changed] = [after - 1, changed + 1];
    else if (line.startsWith('-')) [before, changed] = [before - 1, changed + 1];
    else if (!line.startsWith('\\')) [before, after] = [before - 1, after - 1];
    if (before < 0 || after < 0) return null;
  }
  return before === 0 && after === 0 ? { changed, heads } : null;
}

const NOWHERE = '/dev/null';
const countOf = (file: FileData, type: ChangeData['type']): number =>
  file.hunks.reduce((sum, hunk) => sum + hunk.changes.filter((change) => change.type === type).length, 0);

/**
 * The files of a diff as git prints it.
 *
 * @returns null when it could not be read whole: what is approved must not be less than what is there
 */
export function filesOf(diff: string): readonly DiffFileData[] | null {
  if (diff.trim() === '') return [];
  let parsed: FileData[];
  try {
    parsed = parseDiff(diff);
  } catch {
    return null;
  }
  const expected = counted(diff);
  if (expected === null || expected.heads.length !== parsed.length) return null;
  let [changed, rows] = [0, 0];
  const files = parsed.map((read, index) => {
    const head = expected.heads[index] ?? NO_HEAD;
    const file = head.type === null ? read : { ...read, type: head.type };
    const [added, removed] = [countOf(file, 'insert'), countOf(file, 'delete')];
    changed += added + removed;
    rows += file.hunks.reduce((sum, hunk) => sum + hunk.changes.length, 0);
    const isGone = file.newPath === NOWHERE || file.newPath === '';
    const path = isGone ? file.oldPath : file.newPath;
    const isElsewhere =
      !isGone && file.oldPath !== file.newPath && file.oldPath !== NOWHERE && file.oldPath !== '';
    return {
      file,
      path,
      oldPath: isElsewhere ? file.oldPath : null,
      added,
      removed,
      isBinary: head.isBinary,
      mode: head.mode,
      isSmall: changed <= MOST_CHANGED_LINES && rows <= MOST_ROWS,
      stamp: stampOf(file, head.mode),
    };
  });
  return changed === expected.changed ? files : null;
}

/** Number that a line has in its file; for a deleted one in the file before. */
export const lineOf = (change: ChangeData): number =>
  change.type === 'normal' ? change.newLineNumber : change.lineNumber;

/** The lines that were changed, with what stands beside each other: deletions and the insertions that follow them. */
export function pairsOf(hunk: HunkData): readonly (readonly [ChangeData, ChangeData])[] {
  const pairs: [ChangeData, ChangeData][] = [];
  let deleted: ChangeData[] = [];
  let inserted: ChangeData[] = [];
  const settle = (): void => {
    // Of blocks of different length nobody knows which line became which; the first ones are the likely ones, and
    // lines that have little in common get no marks.
    for (const [index, change] of deleted.entries()) {
      const other = inserted[index];
      if (other !== undefined) pairs.push([change, other]);
    }
    [deleted, inserted] = [[], []];
  };
  for (const change of hunk.changes) {
    if (change.type === 'delete') {
      if (inserted.length > 0) settle();
      deleted.push(change);
    } else if (change.type === 'insert') inserted.push(change);
    else settle();
  }
  settle();
  return pairs;
}
