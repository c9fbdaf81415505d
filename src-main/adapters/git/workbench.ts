import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { devNull } from 'node:os';
import { writeFileAtomic } from '../write-file.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import { fields, type Git } from './git-command.ts';

/**
 * A git directory of our own for one project, over the objects of the person's repository. Commands that look at
 * content (add, diff, merge-tree, read-tree) run in it, so that for them the repository's configuration does not
 * exist: no filter, merge driver, textconv, external diff, include or promisor of it can run. Only settings that
 * say what the file system can do are taken over, by name.
 */
export interface Workbench {
  readonly gitDir: string;
  readonly objects: string;
  /** Settings for the work tree: line endings and the person's exclude file, and LFS when it was allowed. */
  readonly config: readonly string[];
}

const TAKEN_OVER = new Set([
  'core.ignorecase',
  'core.filemode',
  'core.symlinks',
  'core.precomposeunicode',
  'core.sharedrepository',
  'core.bigfilethreshold',
  'core.compression',
  'core.loosecompression',
  'extensions.objectformat',
]);

/** The text of the workbench's configuration, by the state of the file that it was made from. */
export type ConfigMemory = Map<string, { readonly stamp: string; readonly text: string }>;

/** Makes or refreshes it; every step may be repeated, also by two at once. */
export async function openWorkbench(
  git: Git,
  project: Project,
  folder: string,
  memory: ConfigMemory,
): Promise<Workbench> {
  const gitDir = path.join(folder, 'bench');
  const common = project.facts.gitDir;
  await mkdir(path.join(gitDir, 'refs'), { recursive: true, mode: 0o700 });
  await mkdir(path.join(gitDir, 'info'), { recursive: true, mode: 0o700 });
  await keepFile(path.join(gitDir, 'config'), await rememberedConfig(git, project, folder, memory));
  await keepFile(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  for (const name of ['info/exclude', 'info/attributes', 'shallow']) {
    await keepFile(path.join(gitDir, name), await textOf(path.join(common, name)));
  }
  return { gitDir, objects: path.join(common, 'objects'), config: treeConfig(project) };
}

function treeConfig(project: Project): readonly string[] {
  const { autocrlf, eol, excludesFile, gitDir } = project.facts;
  return [
    `core.excludesFile=${excludesFile ?? devNull}`,
    ...(autocrlf === null ? [] : [`core.autocrlf=${autocrlf}`]),
    ...(eol === null ? [] : [`core.eol=${eol}`]),
    ...(project.settings.allowLfs
      ? [
          'filter.lfs.clean=git-lfs clean -- %f',
          'filter.lfs.smudge=git-lfs smudge -- %f',
          'filter.lfs.process=git-lfs filter-process',
          'filter.lfs.required=true',
          `lfs.storage=${path.join(gitDir, 'lfs')}`,
        ]
      : []),
  ];
}

async function rememberedConfig(
  git: Git,
  project: Project,
  folder: string,
  memory: ConfigMemory,
): Promise<string> {
  const { mtimeMs, ctimeMs, size, ino } = await stat(path.join(project.facts.gitDir, 'config'));
  const stamp = [mtimeMs, ctimeMs, size, ino].join(' ');
  const known = memory.get(folder);
  if (known?.stamp === stamp) return known.text;
  const text = await benchConfig(git, project, folder);
  memory.set(folder, { stamp, text });
  return text;
}

async function benchConfig(git: Git, project: Project, folder: string): Promise<string> {
  // `--file` without includes reads one file and nothing that it points to.
  const { text } = await git.run({
    gitDir: project.facts.gitDir,
    args: [
      'config',
      '--file',
      path.join(project.facts.gitDir, 'config'),
      '--no-includes',
      '--null',
      '--list',
    ],
    owner: `git-${path.basename(folder)}`,
  });
  const sections = new Map<string, string[]>([['core', ['bare = false']]]);
  let version = 0;
  for (const field of fields(text)) {
    const [key = '', ...rest] = field.split('\n');
    if (!TAKEN_OVER.has(key)) continue;
    const value = rest.join('\n');
    if (!/^[A-Za-z0-9]+$/.test(value)) continue;
    const [section = '', name = ''] = key.split('.');
    if (section === 'extensions') version = 1;
    sections.set(section, [...(sections.get(section) ?? []), `${name} = ${value}`]);
  }
  sections.get('core')?.unshift(`repositoryformatversion = ${version}`);
  return [...sections]
    .map(([name, lines]) => `[${name}]\n${lines.map((line) => `\t${line}\n`).join('')}`)
    .join('');
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

/** Written only when it differs, so that a running git never sees it change for nothing. An empty one may be absent. */
async function keepFile(file: string, text: string): Promise<void> {
  if ((await textOf(file)) === text) return;
  await writeFileAtomic(file, text);
}

/** Whether the error says that the file, or a folder on the way to it, is not there. */
export const isMissing = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
};

/** @returns false also when a part of the path is a file */
export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
