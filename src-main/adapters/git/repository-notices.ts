import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Git } from './git-command.ts';
import type { PersonsConfig } from './persons-config.ts';
import { isMissing } from './workbench.ts';
import { isBelow } from './walk-tree.ts';

/** Sentences for the person about what of their repository does not happen here (12-engine, Git). */
export async function noticesOf(
  git: Git,
  gitDir: string,
  root: string,
  commit: string,
  config: PersonsConfig,
): Promise<readonly string[]> {
  const show = async (file: string): Promise<string> => {
    const { exitCode, text } = await git.run({
      gitDir,
      args: ['cat-file', 'blob', `${commit}:${file}`],
      answers: [0, 128],
      owner: 'git-inspect',
    });
    return exitCode === 0 ? text : '';
  };
  const notices: string[] = [];
  const attributes = await show('.gitattributes');
  const filters = new Set([...attributes.matchAll(/(?:^|\s)filter=(\S+)/gm)].map((match) => match[1] ?? ''));
  if (filters.has('lfs')) {
    notices.push(
      'This repository uses Git LFS. Agents see pointer files, and a changed LFS file stops the task, unless the project allows LFS (allow_lfs).',
    );
    filters.delete('lfs');
  }
  if (filters.size > 0) {
    notices.push(
      `Files have the filters ${[...filters].toSorted().join(', ')}. Signalbox runs no filter: a change of such a file stops the task.`,
    );
  }
  const hooks = await hooksOf(config.values.get('core.hookspath'), gitDir, root);
  if (hooks.length > 0) {
    notices.push(
      `The hooks ${hooks.join(', ')} do not run for commits of Signalbox. What they check can be the test command.`,
    );
  }
  if (config.values.get('commit.gpgsign')?.toLowerCase() === 'true') {
    notices.push('You sign your commits; commits that Signalbox makes are not signed.');
  }
  if ((await show('.gitmodules')) !== '') {
    notices.push(
      'The repository has submodules. They stay empty in worktrees, and changing them stops the task.',
    );
  }
  if (
    [...config.values.keys()].some(
      (key) => /^remote\..*\.promisor$/.test(key) || key === 'extensions.partialclone',
    )
  ) {
    notices.push('This is a partial clone. Signalbox fetches nothing; a missing object makes its task fail.');
  }
  const links = await outwardLinks(git, gitDir, commit);
  if (links.length > 0) {
    notices.push(
      `Links in the repository lead outside: ${links.join(', ')}. They stay as they are; a new or changed one stops the task.`,
    );
  }
  if (config.author === null) {
    notices.push('Git has no user.name and user.email here; commits name Signalbox as their author.');
  }
  return notices;
}

async function hooksOf(
  hooksPath: string | undefined,
  gitDir: string,
  root: string,
): Promise<readonly string[]> {
  const folder = hooksPath === undefined ? path.join(gitDir, 'hooks') : path.resolve(root, hooksPath);
  try {
    const names = await readdir(folder);
    return names.filter((name) => /^[a-z-]+$/.test(name)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const MOST_LINKS = 5;

/** Committed links whose words lead out of the tree; at most five are named. */
async function outwardLinks(git: Git, gitDir: string, commit: string): Promise<readonly string[]> {
  const run = (args: readonly string[]) => git.run({ gitDir, args, owner: 'git-inspect' });
  const found: string[] = [];
  for (const line of (await run(['ls-tree', '-r', '-z', commit])).text.split('\0')) {
    const [head = '', place = ''] = line.split('\t');
    const [mode, , blob = ''] = head.split(' ');
    if (mode !== '120000') continue;
    const target = (await run(['cat-file', 'blob', blob])).text;
    const top = path.resolve('/tree');
    if (path.isAbsolute(target) || !isBelow(top, path.resolve(top, path.dirname(place), target)))
      found.push(place);
    if (found.length === MOST_LINKS) break;
  }
  return found;
}
