/** Lines of one file in a unified diff. */
export interface FileStat {
  /** As git prints it behind `b/`, or `a/` for a file that was removed; quoted names are left quoted. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Counts a unified diff as `git diff --numstat` would: per file, added and removed lines. Lines of content are told
 * from headers by the lengths that each hunk announces, whatever they begin with.
 */
export function diffStat(diff: string): readonly FileStat[] {
  const files: { path: string; added: number; removed: number }[] = [];
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of diff.split('\n')) {
    const file = files.at(-1);
    if (file !== undefined && (oldLeft > 0 || newLeft > 0)) {
      if (line.startsWith('+')) {
        file.added += 1;
        newLeft -= 1;
      } else if (line.startsWith('-')) {
        file.removed += 1;
        oldLeft -= 1;
      } else if (!line.startsWith('\\')) {
        oldLeft -= 1;
        newLeft -= 1;
      }
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[2] ?? 1);
    } else if (line.startsWith('diff --git ')) {
      files.push({ path: pathOfHeader(line), added: 0, removed: 0 });
    } else if (file !== undefined && (line.startsWith('+++ b/') || line.startsWith('rename to '))) {
      file.path = line.slice(line.startsWith('+') ? 6 : 10);
    }
  }
  return files;
}

/** `diff --git a/x b/x`: both names are the same unless the file was renamed, which a line of its own says. */
function pathOfHeader(line: string): string {
  const names = line.slice('diff --git '.length);
  const half = names.slice(0, (names.length - 1) / 2);
  return half.startsWith('a/') ? half.slice(2) : names;
}
