import { counted } from '../../../src-shared/counted.ts';
import type { ProjectSettings } from '../../../src-shared/model/project.ts';
import type { ChangedFile, Violation } from '../ports/workspaces.ts';
import { foldedSegments, isForbidden } from './path-rules.ts';

/** One path that differs between the last commit and the tree, as git and the file system tell it. */
export interface ChangedEntry {
  readonly path: string;
  /** Where a renamed file was before; null for every other status. */
  readonly from: string | null;
  readonly status: ChangedFile['status'];
  /** Octal mode after the change as git prints it; `000000` for a deleted path. */
  readonly mode: string;
  /** Size of the new content; 0 for a deleted path. */
  readonly bytes: number;
  /** Whether the file is also reachable by a name outside the tree (a hard link). */
  readonly isLinkedElsewhere: boolean;
}

/** What a walk over the whole tree found, ignored files included; paths relative to it. */
export interface TreeFindings {
  /** Symbolic links whose target lies outside, dangling ones included. */
  readonly outwardLinks: readonly string[];
  /** Folders that git would take for a repository of its own: with `.git` inside, or laid out like a bare one. */
  readonly nestedRepositories: readonly string[];
  /** Names that some file system takes for `.git`, and pipes or devices under names that git opens. */
  readonly gitLookalikes: readonly string[];
  /** Paths whose attributes name a filter that does not exist here. */
  readonly filtered: readonly string[];
}

export type ChangeLimits = Pick<ProjectSettings, 'forbiddenPaths' | 'maxChangedFiles' | 'maxFileBytes'>;

const GITLINK = '160000';
/** A name that is no text cannot be shown to a person, nor compared with a rule. */
const isReadable = (path: string): boolean => !path.includes('\ufffd');
const isGitmodules = (path: string): boolean => foldedSegments(path).at(-1) === '.gitmodules';

/**
 * The safety rules before a commit (10-relay, Flow; 12-engine, Git). An empty answer lets it through; anything else
 * is a safety stop. Places are paths, never content. Each place appears once per rule.
 */
export function validateChanges(
  changes: readonly ChangedEntry[],
  findings: TreeFindings,
  limits: ChangeLimits,
): readonly Violation[] {
  const found = new Map<string, Violation>();
  const report = (rule: Violation['rule'], place: string): void => {
    found.set(`${rule}\0${place}`, { rule, place });
  };
  for (const link of findings.outwardLinks) report('link-leads-outside', link);
  for (const folder of findings.nestedRepositories) report('nested-repository', folder);
  for (const name of findings.gitLookalikes) report('forbidden-path', name);
  for (const path of findings.filtered) report('filter-attribute', path);
  for (const change of changes) {
    for (const path of change.from === null ? [change.path] : [change.from, change.path]) {
      if (isForbidden(path, limits.forbiddenPaths) || !isReadable(path)) report('forbidden-path', path);
      if (isGitmodules(path)) report('nested-repository', path);
    }
    if (change.mode === GITLINK) report('nested-repository', change.path);
    if (change.isLinkedElsewhere) report('link-leads-outside', change.path);
    if (change.bytes > limits.maxFileBytes) report('file-too-large', change.path);
  }
  if (changes.length > limits.maxChangedFiles) {
    report('too-many-files', `${counted(changes.length, 'changed file')}, at most ${limits.maxChangedFiles}`);
  }
  return [...found.values()];
}
