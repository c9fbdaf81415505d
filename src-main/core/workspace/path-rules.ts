/** Code points that HFS+ leaves out when it compares names, so `.g\u200cit` is `.git` there (git, utf8.c, next_hfs_char). */
const HFS_IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * The name under which any file system that Signalbox runs on could find this path segment: case folded,
 * Unicode composed, without what HFS+ ignores, without an NTFS stream and without the dots and spaces that Windows
 * drops at the end; the short name `git~1` is `.git`.
 */
export function foldSegment(segment: string): string {
  const folded = segment
    .replace(HFS_IGNORED, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  return /^git~[1-9]$/.test(folded) ? '.git' : folded;
}

/** Segments of a path from git or from an agent, folded; a backslash separates as a slash does. */
export const foldedSegments = (path: string): readonly string[] => path.split(/[/\\]/).map(foldSegment);

/**
 * Whether a path that an agent named stays below the tree by its words alone: relative, no `.`, `..` or empty part,
 * no drive, no control character. What links make of it is for the file system to say.
 */
export function staysInside(path: string): boolean {
  if (path === '' || /^[/\\]/.test(path) || /^[A-Za-z]:/.test(path)) return false;
  if (/[\u0000-\u001f\u007f]/.test(path)) return false;
  return path.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Files by which a project could change how the hub or the agent behaves (10-relay, Validation before commit). */
const ALWAYS_FORBIDDEN = new Set(['.git', '.claude', '.signalbox']);

/**
 * Whether a change of this path is a safety stop.
 *
 * @param path relative to the tree, `/` between segments
 * @param forbiddenPaths of the project: a path means itself and everything below it; `*` stands for part of a
 *   name, `**` for any folders, `?` for one character
 */
export function isForbidden(path: string, forbiddenPaths: readonly string[]): boolean {
  const segments = foldedSegments(path);
  if (segments.some((segment) => ALWAYS_FORBIDDEN.has(segment))) return true;
  const folded = segments.join('/');
  return forbiddenPaths.some((pattern) => matchesPattern(folded, pattern));
}

function matchesPattern(folded: string, pattern: string): boolean {
  const parts = pattern
    .replace(/^\.?\//, '')
    .split(/[/\\]/)
    .filter((part) => part !== '');
  if (parts.length === 0) return false;
  const source = parts
    .map((part, index) => {
      const isLast = index === parts.length - 1;
      if (part === '**') return isLast ? '.+' : '(?:[^/]+/)*';
      const name = part
        .normalize('NFC')
        .toLowerCase()
        .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
        .replace(/\*+/g, '[^/]*')
        .replace(/\?/g, '[^/]');
      return isLast ? name : `${name}/`;
    })
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`, 'su').test(folded);
}
