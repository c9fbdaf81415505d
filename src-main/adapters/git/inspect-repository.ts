import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';
import type { RepositoryFacts } from '../../../src-shared/model/project.ts';
import { lockfilesAmong } from '../../core/workspace/setup-inputs.ts';
import { readPersonsConfig } from './persons-config.ts';
import type { Git } from './git-command.ts';
import { findInterpreters } from './find-interpreters.ts';
import { noticesOf } from './repository-notices.ts';
import { textOf } from './tree-identity.ts';
import { exists, isMissing } from './workbench.ts';

export interface Inspected {
  readonly facts: RepositoryFacts;
  readonly baseBranch: string;
  readonly name: string;
  readonly setupInputs: readonly string[];
  readonly sandboxRead: readonly string[];
}

export interface Inspector {
  readonly git: Git;
  readonly homeFolder: string;
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
}

/**
 * Tool folders below HOME that test runs may read (12-engine, Test runs). Only the parts that hold tools and
 * packages: the same tools keep credentials beside them.
 */
const TOOL_FOLDERS = [
  '.nvm',
  '.pyenv',
  '.cargo/bin',
  '.cargo/registry',
  '.cargo/git',
  '.rustup',
  'go',
  '.m2/repository',
  '.m2/wrapper',
  '.gradle/caches',
  '.gradle/wrapper',
];

/**
 * Looks at a folder that is to become a project. Found by reading, not by git's own search, so that no setting of
 * the repository and no question of ownership plays a part.
 *
 * @throws AppError `project-*`
 */
export async function inspectRepository(
  inspector: Inspector,
  folder: string,
  base: string | null,
): Promise<Inspected> {
  const { git } = inspector;
  const { root, gitDir } = await findRepository(folder);
  const run = (args: readonly string[], answers: readonly number[] = [0]) =>
    git.run({ gitDir, args, answers, owner: 'git-inspect' });
  if ((await run(['config', '--type=bool', '--get', 'core.bare'], [0, 1])).text.trim() === 'true') {
    throw isBare(root);
  }
  const baseBranch = base ?? (await currentBranch(run));
  const head = await run(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${baseBranch}^{commit}`],
    [0, 1, 128],
  );
  if (head.exitCode !== 0) await explainMissing(run, baseBranch);
  const commit = head.text.trim();
  const config = await readPersonsConfig(inspector, gitDir);
  const interpreters = await findInterpreters(root, inspector.homeFolder);
  return {
    facts: {
      root,
      gitDir,
      author: config.author,
      autocrlf: config.autocrlf,
      eol: config.eol,
      excludesFile: config.excludesFile,
      notices: await noticesOf(git, gitDir, root, commit, config),
      ...(interpreters.length === 0 ? {} : { interpreters }),
    },
    baseBranch,
    name: path.basename(root),
    setupInputs: lockfilesAmong(await readdir(root)),
    sandboxRead: await toolFolders(inspector.homeFolder),
  };
}

type Run = (
  args: readonly string[],
  answers?: readonly number[],
) => Promise<{ exitCode: number; text: string }>;

async function currentBranch(run: Run): Promise<string> {
  const { exitCode, text } = await run(['symbolic-ref', '--quiet', '--short', 'HEAD'], [0, 1, 128]);
  if (exitCode === 0) return text.trim();
  throw new AppError('project-branch-missing', 'The repository has no branch checked out.', {
    hint: 'Name the branch that finished work is merged into: --base <branch>.',
  });
}

async function explainMissing(run: Run, branch: string): Promise<never> {
  const branches = (
    await run(['for-each-ref', '--format=%(refname:short)', '--count=20', 'refs/heads/'])
  ).text
    .split('\n')
    .filter((name) => name !== '');
  if (branches.length === 0) {
    throw new AppError('project-has-no-commit', 'The repository has no commit yet.', {
      hint: 'Make a first commit: git commit --allow-empty -m "Start".',
    });
  }
  throw new AppError('project-branch-missing', `The repository has no branch ${branch}.`, {
    hint: `--base with one of: ${branches.join(', ')}`,
  });
}

/** The main checkout that a folder belongs to. */
async function findRepository(folder: string): Promise<{ readonly root: string; readonly gitDir: string }> {
  const start = await realFolder(folder);
  for (let at = start; ; at = path.dirname(at)) {
    const entry = path.join(at, '.git');
    const found = await stat(entry).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (found?.isDirectory() && (await looksLikeGitDir(entry)))
      return { root: at, gitDir: await realpath(entry) };
    if (found?.isFile()) return { root: at, gitDir: await followPointer(at, entry) };
    if (await looksLikeGitDir(at)) throw isBare(at);
    if (path.dirname(at) === at) break;
  }
  throw new AppError('project-not-a-repository', `${start} is not in a git repository.`, {
    hint: 'Run git init there and make a first commit, or name another folder.',
  });
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AppError('project-not-a-repository', `${folder} does not exist.`, {
      hint: 'Check the path.',
      cause: error,
    });
  }
  throw new AppError('project-not-a-repository', `${folder} is not a folder.`, {
    hint: 'Name the folder of a git repository.',
  });
}

const looksLikeGitDir = async (folder: string): Promise<boolean> =>
  (await exists(path.join(folder, 'HEAD'))) &&
  (await exists(path.join(folder, 'objects'))) &&
  (await exists(path.join(folder, 'refs')));

const isBare = (root: string): AppError =>
  new AppError('project-is-bare', `${root} is a bare repository.`, {
    hint: 'Name a checkout of it: git clone makes one.',
  });

/** A `.git` file belongs to a linked worktree, or to a checkout whose git directory lies elsewhere. */
async function followPointer(root: string, entry: string): Promise<string> {
  const target = /^gitdir: (.+)\n?$/.exec((await textOf(entry)) ?? '')?.[1];
  const gitDir = target === undefined ? null : path.resolve(root, target);
  if (gitDir === null || !(await exists(gitDir))) {
    throw new AppError('project-not-a-repository', `The file ${entry} points to no repository.`, {
      hint: 'git worktree repair may put it right.',
    });
  }
  const common = await textOf(path.join(gitDir, 'commondir'));
  if (common !== null) {
    const main = path.resolve(gitDir, common.trim());
    throw new AppError('project-is-worktree', `${root} is a linked worktree.`, {
      hint: `Add the main checkout instead: ${path.dirname(main)}`,
    });
  }
  return await realpath(gitDir);
}

async function toolFolders(home: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of TOOL_FOLDERS) {
    if (await exists(path.join(home, folder))) found.push(path.join(home, folder));
  }
  return found;
}
