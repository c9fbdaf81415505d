import type { RunId, TaskId, TaskNumber } from '../../../src-shared/ids.ts';
import type { Project, RepositoryFacts } from '../../../src-shared/model/project.ts';
import type { RequestedChanges } from '../../../src-shared/model/task.ts';
import type { EpochMs } from '../../../src-shared/time.ts';

/** What names a task's place in a repository. */
export interface WorkspaceOf {
  readonly taskId: TaskId;
  readonly taskNumber: TaskNumber;
  readonly title: string;
  readonly project: Project;
}

export interface WorkTree {
  readonly path: string;
  readonly branch: string;
  /** Commit of the base branch from which the branch was made. */
  readonly baseCommit: string;
}

export type PrepareOutcome =
  | { readonly kind: 'ready'; readonly tree: WorkTree; readonly isNew: boolean; readonly needsSetup: boolean }
  /** A tree that has vanished, moved or changed its branch: a review item, never a reason to run elsewhere. */
  | {
      readonly kind: 'unusable';
      readonly problem: 'gone' | 'moved' | 'other-branch' | 'pointer-altered' | 'not-ours';
      readonly message: string;
    }
  | { readonly kind: 'locked'; readonly message: string }
  /** Paths that the project shares and that cannot be copied: a sentence for each. The tree itself is in order. */
  | { readonly kind: 'not-shared'; readonly problems: readonly string[] };

export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  readonly bytes: number;
}

export interface Violation {
  readonly rule:
    | 'outside-tree'
    | 'link-leads-outside'
    | 'forbidden-path'
    | 'pointer-altered'
    | 'too-many-files'
    | 'file-too-large'
    | 'filter-attribute'
    | 'nested-repository'
    | 'other-branch';
  /** Where, never what: no file content. */
  readonly place: string;
}

export type CommitOutcome =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'committed';
      readonly commit: string;
      readonly files: readonly ChangedFile[];
      readonly notes: readonly string[];
      /** Commit of the base branch that was merged with it; absent when none was. */
      readonly base?: string;
    }
  /** Marks of a conflict that was laid into the tree still stand in these files; nothing was committed. */
  | { readonly kind: 'unresolved'; readonly paths: readonly string[] }
  | { readonly kind: 'violations'; readonly violations: readonly Violation[] }
  | {
      readonly kind: 'data-class';
      readonly hits: readonly { readonly rule: string; readonly place: string; readonly hash: string }[];
    }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'locked'; readonly message: string };

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly commit: string; readonly baseBefore: string }
  /** The project leaves work on its branch, or there was nothing to merge. */
  | { readonly kind: 'left-on-branch' }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** `--merge ff` and base has moved on. */
  | { readonly kind: 'not-fast-forward' }
  /** Its first uncommitted files, with a last line for those left out; none where git is in the middle of a step. */
  | { readonly kind: 'base-dirty'; readonly checkout: string; readonly paths: readonly string[] }
  /** Files that git does not know lie where the merge adds some, ignored ones included; nothing was touched. */
  | { readonly kind: 'base-occupied'; readonly checkout: string; readonly paths: readonly string[] }
  | { readonly kind: 'locked'; readonly message: string };

/** A merge with the base that lies in the task's tree with git's conflict marks, for the agent to resolve. */
export interface LaidConflict {
  /** Commit of the base branch. */
  readonly base: string;
  readonly paths: readonly string[];
  /** What git says of each conflict, in its own words; they name paths. */
  readonly messages: readonly string[];
  /** The marked places, as many as fit; the files have all of them. */
  readonly hunks: readonly string[];
  readonly leftOut: number;
}

export interface KeptState {
  readonly ref: string;
  readonly taskId: TaskId;
  readonly project: string;
  readonly commit: string;
  readonly reason: string;
  readonly at: EpochMs;
  readonly files: number;
}

/**
 * Everything that touches a repository. Each change is a journal row committed before it runs and settled after,
 * so that every method may be called again after a crash and converges (12-engine, Git).
 */
export interface Workspaces {
  /** @throws AppError `project-*` with what is wrong and what to do */
  inspectRepository(
    path: string,
    base: string | null,
  ): Promise<{
    readonly facts: RepositoryFacts;
    readonly baseBranch: string;
    readonly name: string;
    readonly setupInputs: readonly string[];
    readonly sandboxRead: readonly string[];
  }>;
  /** Makes the marked tree and its branch at first, else proves that they are as we left them. */
  prepare(of: WorkspaceOf): Promise<PrepareOutcome>;
  /** Remembers that the set-up command ran for the present content of its inputs. */
  setupDone(of: WorkspaceOf): Promise<void>;
  /** Removes and renames what the agent asked for, validates, scans, commits. Idempotent for the same content. */
  commit(
    of: WorkspaceOf,
    run: RunId,
    requested: RequestedChanges,
    acceptedHashes: readonly string[],
  ): Promise<CommitOutcome>;
  /** Puts tracked files back to the commit after a test run. @returns paths that tests had changed */
  restoreAfterTests(
    of: WorkspaceOf,
    commit: string,
  ): Promise<{ readonly restored: readonly string[]; readonly moved: readonly string[] }>;
  /** Head of the base branch now. */
  baseHead(project: Project): Promise<string>;
  /** Lays the work merged with the present base into the tree for a retest, without moving a branch of the person's. */
  mergePreview(
    of: WorkspaceOf,
    commit: string,
  ): Promise<
    | { readonly kind: 'clean'; readonly commit: string; readonly base: string }
    | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  >;
  /**
   * Merges the present base into the tree with its conflicts marked; the next commit there is the merge of both. What
   * lies there already for this commit stays as it is.
   *
   * @returns null when there is no conflict (any more): then nothing is laid
   */
  layConflict(of: WorkspaceOf, commit: string): Promise<LaidConflict | null>;
  /** Merges exactly this commit into base; asks only whether base contains it, so it may be repeated. */
  merge(
    of: WorkspaceOf,
    commit: string,
    testedBase: string,
  ): Promise<MergeOutcome | { readonly kind: 'base-moved'; readonly base: string }>;
  diff(of: WorkspaceOf): Promise<string>;
  /** Keeps a dirty tree on a side ref, then removes it by tombstone. Never touches a tree that is not ours. */
  remove(of: WorkspaceOf, reason: string): Promise<{ readonly kept: KeptState | null }>;
  /**
   * For the tree of a repository that is gone, which git can keep nothing of any more: its files are moved to the
   * leftovers folder as they are.
   *
   * @returns where they are now; null when there are none
   */
  abandon(of: WorkspaceOf): Promise<{ readonly leftIn: string | null }>;
  /** Recreates a vanished tree from its last commit. */
  recreate(of: WorkspaceOf): Promise<PrepareOutcome>;
  /** What is left of ended tasks: on side refs, and on the branches of those that were not done. Oldest first. */
  kept(): Promise<readonly KeptState[]>;
  /**
   * Puts what was kept onto a new branch of the repository; committed work is named by the branch that it stands on.
   *
   * @throws AppError 'not-found' with where the work is
   */
  restore(of: WorkspaceOf): Promise<{ readonly branch: string; readonly commit: string }>;
  /** Settles journal rows and finishes deletions that a crash left; runs before anything else at start. */
  recover(projects: readonly Project[]): Promise<void>;
}
