import { copyFile, mkdtemp, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAppError } from '../../../src-shared/errors.ts';
import type { ProjectId } from '../../../src-shared/ids.ts';
import { ProjectSettings, type Project } from '../../../src-shared/model/project.ts';
import { epochMs, seconds } from '../../../src-shared/time.ts';
import type { RepositoryLook } from '../../core/ports/machine.ts';
import { TELLING_FILES } from '../../core/projects/suggest-commands.ts';
import { lackOf } from './explain-failure.ts';
import { fields, type GitAnswer } from './git-command.ts';
import { inspectRepository, type Inspected, type Inspector } from './inspect-repository.ts';
import { isMissing, openWorkbench } from './workbench.ts';

const MOST_BRANCHES = 50;
/** A package.json with more than this is not one that a person wrote. */
const LONGEST_TEXT = 256 * 1024;
/** Somebody waits for the answer; a checkout that takes longer is shown without its state. */
const PATIENCE = seconds(10);
const MOST_OUTPUT = 16 * 1024 * 1024;

/** Looks at a repository before it becomes a project: `project add` would find the same. @throws AppError `project-*` */
export async function lookAtRepository(inspector: Inspector, folder: string): Promise<RepositoryLook> {
  const found = await inspectRepository(inspector, folder, null);
  const { root, gitDir, notices } = found.facts;
  const run = (...args: readonly string[]): Promise<GitAnswer> =>
    inspector.git.run({ gitDir, args, owner: 'git-inspect', timeout: PATIENCE });
  const branches = await run(
    'for-each-ref',
    '--format=%(refname:short)',
    '--sort=-committerdate',
    `--count=${MOST_BRANCHES}`,
    'refs/heads/',
  );
  const commits = await run('rev-list', '--count', `refs/heads/${found.baseBranch}`);
  const entries = (await readdir(root, { withFileTypes: true })).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
  return {
    root,
    name: found.name,
    baseBranch: found.baseBranch,
    branches: branches.text.split('\n').filter((name) => name !== ''),
    commits: Number(commits.text.trim()),
    changedFiles: await changedFiles(inspector, found),
    notices,
    entries,
    texts: await textsOf(root, entries),
  };
}

async function textsOf(root: string, entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const name of TELLING_FILES.filter((each) => entries.includes(each))) {
    const text = await beginningOf(path.join(root, name));
    if (text !== null) texts.set(name, text);
  }
  return texts;
}

/** Null when it cannot be read. */
async function beginningOf(file: string): Promise<string | null> {
  try {
    const handle = await open(file, 'r');
    try {
      // A pipe or a device of that name would never end.
      if (!(await handle.stat()).isFile()) return null;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_TEXT), 0, LONGEST_TEXT, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

/** Only what a workbench reads of a project. */
const asProject = (found: Inspected): Project => ({
  id: 'prj_inspected' as ProjectId,
  name: found.name,
  path: found.facts.root,
  baseBranch: found.baseBranch,
  slots: 0,
  isEnabled: false,
  disabledReason: null,
  isPaused: false,
  settings: ProjectSettings.parse({}),
  facts: found.facts,
  createdAt: epochMs(0),
  removedAt: null,
});

/**
 * With its time: git reads a file again that was changed in the second in which the index was written, and would take
 * it for unchanged by its length beside an index that looks newer. A repository without an index has nothing to copy.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/**
 * Paths that differ between commit, index and files. In a workbench of its own that is thrown away, over a copy of the
 * index, so that no filter of the repository runs and nothing in it is written.
 */
async function changedFiles(inspector: Inspector, found: Inspected): Promise<number | null> {
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-inspect-'));
    try {
      return await changedFilesFrom(folder, inspector, found);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    // The rest of the look needs no room.
    if (isAppError(error) || lackOf(error) !== null) return null;
    throw error;
  }
}

async function changedFilesFrom(folder: string, inspector: Inspector, found: Inspected): Promise<number> {
  const { root, gitDir } = found.facts;
  const index = path.join(folder, 'index');
  await copyIndex(path.join(gitDir, 'index'), index);
  const head = await inspector.git.run({
    gitDir,
    args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'],
    owner: 'git-inspect',
  });
  const bench = await openWorkbench(inspector.git, asProject(found), folder, new Map());
  const paths = async (
    answers: readonly number[],
    ...args: readonly string[]
  ): Promise<readonly string[]> => {
    const { text } = await inspector.git.run({
      ...bench,
      workTree: root,
      index,
      args,
      answers,
      owner: 'git-inspect',
      timeout: PATIENCE,
      maxBytes: MOST_OUTPUT,
    });
    return fields(text);
  };
  await paths([0, 1], 'update-index', '-q', '--refresh');
  const changed = new Set([
    ...(await paths([0], 'diff-index', '--cached', '--name-only', '-z', head.text.trim(), '--')),
    ...(await paths([0], 'diff-files', '--name-only', '--ignore-submodules=all', '-z', '--')),
    ...(await paths([0], 'ls-files', '--others', '--exclude-standard', '--directory', '-z')),
  ]);
  return changed.size;
}
