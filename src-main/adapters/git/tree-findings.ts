import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../write-file.ts';
import type { TreeFindings } from '../../core/workspace/validate-changes.ts';
import type { BlobChange } from './changed-files.ts';
import { fields } from './git-command.ts';
import { ignoredAmong, keptIndex, withIndex, type TreeFiles } from './tree-index.ts';
import { walkTree } from './walk-tree.ts';
import { isMissing } from './workbench.ts';

/** Link → target as written. */
type Links = Readonly<Record<string, string>>;

interface KnownLinks {
  /** Made by the set-up command, in ignored places (a Python venv links to the interpreter). */
  readonly accepted: Links;
  /** There before the set-up command ran, so not its work. */
  readonly before: Links;
}

const memoryOf = (files: TreeFiles): string => keptIndex(files).replace(/\.index$/, '.links.json');

async function knownLinks(files: TreeFiles): Promise<KnownLinks> {
  try {
    return JSON.parse(await readFile(memoryOf(files), 'utf8')) as KnownLinks;
  } catch (error) {
    // Unreadable means forgotten: then such links are reported, which is the safe side.
    if (isMissing(error) || error instanceof SyntaxError) return { accepted: {}, before: {} };
    throw error;
  }
}

async function remember(files: TreeFiles, known: KnownLinks): Promise<void> {
  await mkdir(path.dirname(memoryOf(files)), { recursive: true, mode: 0o700 });
  await writeFileAtomic(memoryOf(files), JSON.stringify(known));
}

/** Before the set-up command: what leads outside now is not its work. */
export async function noteLinksBeforeSetup(files: TreeFiles): Promise<void> {
  const { outwardLinks } = await walkTree(files.path);
  const { accepted } = await knownLinks(files);
  await remember(files, { accepted, before: Object.fromEntries(outwardLinks) });
}

/** After it: ignored links that it made are no findings as long as their targets stay. */
export async function acceptLinksOfSetup(files: TreeFiles): Promise<void> {
  const { outwardLinks } = await walkTree(files.path);
  const known = await knownLinks(files);
  const made = [...outwardLinks].filter(([link, target]) => known.before[link] !== target);
  const ignored = await withIndex(files, false, (index) =>
    ignoredAmong(
      files,
      index,
      made.map(([link]) => link),
    ),
  );
  const accepted = Object.fromEntries(made.filter(([link]) => ignored.has(link)));
  await remember(files, { accepted: { ...known.accepted, ...accepted }, before: {} });
}

/** Links that come with what the person shares: theirs as well, as long as their targets stay. */
export async function acceptLinks(files: TreeFiles, links: Links): Promise<void> {
  if (Object.keys(links).length === 0) return;
  const known = await knownLinks(files);
  await remember(files, { ...known, accepted: { ...known.accepted, ...links } });
}

/** Links that the person's own commit has with the same target: they were there before any agent. */
async function linksInCommit(
  files: TreeFiles,
  commit: string,
  links: ReadonlyMap<string, string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [link, target] of links) {
    const text = await files.repository.content(['ls-tree', '-z', commit, '--', link]);
    const [mode = '', , blob = ''] = (fields(text.text)[0] ?? '').split(/[ \t]/);
    if (mode !== '120000') continue;
    const content = await files.repository.content(['cat-file', 'blob', blob]);
    if (content.text === target) found.add(link);
  }
  return found;
}

/**
 * Folders of submodules with something in them. They are empty in our trees, and git looks into none that is not a
 * repository: what is written there it neither takes nor tells of.
 */
export async function occupiedGitlinks(files: TreeFiles, commit: string): Promise<readonly string[]> {
  const { text } = await files.repository.content(['ls-tree', '-r', '-z', commit]);
  const occupied: string[] = [];
  for (const line of fields(text)) {
    if (!line.startsWith('160000 ')) continue;
    const place = line.slice(line.indexOf('\t') + 1);
    if (!(await isEmptyFolder(path.join(files.path, place)))) occupied.push(place);
  }
  return occupied;
}

async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    // A file in its place is a change that git sees.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return true;
    throw error;
  }
}

/** What the names and links of the whole tree say, before anything of it is taken into git. */
export async function findingsOfTree(
  files: TreeFiles,
  baseCommit: string,
  head: string,
): Promise<Omit<TreeFindings, 'filtered'> & { readonly bareLayouts: readonly string[] }> {
  const walked = await walkTree(files.path);
  const { accepted } = await knownLinks(files);
  const news = new Map([...walked.outwardLinks].filter(([link, target]) => accepted[link] !== target));
  const ofBase = await linksInCommit(files, baseCommit, news);
  const nested = [...walked.nestedRepositories, ...(await occupiedGitlinks(files, head))];
  const ignored =
    nested.length === 0
      ? new Set<string>()
      : await withIndex(files, false, (index) => ignoredAmong(files, index, nested));
  return {
    outwardLinks: [...news.keys()].filter((link) => !ofBase.has(link)),
    nestedRepositories: nested.filter((folder) => !ignored.has(folder)),
    gitLookalikes: walked.gitLookalikes,
    bareLayouts: walked.bareLayouts,
  };
}

/** Bare layouts that these changes touch; one that the project already has, such as a fixture, may stay. */
export function touchedBareLayouts(
  bareLayouts: readonly string[],
  changes: readonly BlobChange[],
): readonly string[] {
  return bareLayouts.filter((folder) => changes.some((change) => change.path.startsWith(`${folder}/`)));
}
