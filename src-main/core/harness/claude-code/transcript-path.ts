/** The CLI cuts a folder name here and appends a hash of its own (PROTOCOL.md, 8, Storage). */
const LONGEST_NAME = 200;

/**
 * Folder below `projects` in which the CLI keeps the sessions of a working folder.
 *
 * @param cwd absolute, links resolved, as the process sees it
 * @returns `isWhole: false` for a long path: then the folder's name begins with `name` and goes on with a hash
 */
export function transcriptFolder(cwd: string): { readonly name: string; readonly isWhole: boolean } {
  const name = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
  return name.length <= LONGEST_NAME
    ? { name, isWhole: true }
    : { name: name.slice(0, LONGEST_NAME), isWhole: false };
}
