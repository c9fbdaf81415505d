import path from 'node:path';
import type { RunId } from '../../../src-shared/ids.ts';
import type { ProjectSettings } from '../../../src-shared/model/project.ts';
import type { RequestedChanges } from '../../../src-shared/model/task.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { CommitOutcome, Violation, WorkspaceOf } from '../../core/ports/workspaces.ts';
import { commitSubject } from '../../core/workspace/commit-subject.ts';
import { validateChanges } from '../../core/workspace/validate-changes.ts';
import { changesBetween, markHardLinks, toChangedFile, type BlobChange } from './changed-files.ts';
import { unavailableFilters } from './filter-attributes.ts';
import { GitFailure } from './git-command.ts';
import { record } from './git-world.ts';
import { openRow, settleRow } from './journal.ts';
import { laidMerge, mergeRef } from './laid-merge.ts';
import { unresolvedFiles } from './lay-conflict.ts';
import { waitForLockFile } from './locks.ts';
import { filesOf } from './make-tree.ts';
import type { Repository } from './repository.ts';
import { applyRequested, checkRequested } from './requested-changes.ts';
import { scanAddedLines } from './scan-added-lines.ts';
import { findingsOfTree, touchedBareLayouts } from './tree-findings.ts';
import { adminFolder, examineTree } from './tree-identity.ts';
import { showIndex, takeAll, withIndex } from './tree-index.ts';

/** Problems of a tree that are a safety stop once an agent worked in it. */
const SAFETY_PROBLEMS: Readonly<Record<string, Violation['rule']>> = {
  'pointer-altered': 'pointer-altered',
  'other-branch': 'other-branch',
};

const lockedBy = (lock: string): CommitOutcome => ({
  kind: 'locked',
  message: `Another program holds ${lock}.`,
});

/** What was copied from the person's checkout never gets into a commit, also when a task takes it out of `.gitignore`. */
const withShared = (settings: ProjectSettings): ProjectSettings => ({
  ...settings,
  forbiddenPaths: [...settings.forbiddenPaths, ...settings.share],
});

/** See `Workspaces.commit`. Runs in the tree's turn; journal rows of the task are settled. */
export async function commitWork(
  repository: Repository,
  tree: TreeRecord,
  of: WorkspaceOf,
  run: RunId,
  requested: RequestedChanges,
  acceptedHashes: readonly string[],
): Promise<CommitOutcome> {
  const { world } = repository;
  const settings = withShared(of.project.settings);
  const problem = await examineTree(repository, tree);
  if (problem !== null) {
    const rule = SAFETY_PROBLEMS[problem.problem];
    if (rule === undefined) return { kind: 'unusable', message: problem.message };
    return { kind: 'violations', violations: [{ rule, place: problem.message }] };
  }
  const admin = adminFolder(repository, tree);
  const lock = path.join(admin, 'index.lock');
  if (!(await waitForLockFile(repository, lock))) return lockedBy(lock);

  const ref = `refs/heads/${tree.branch}`;
  const head = await repository.resolve(ref);
  if (head === null) return { kind: 'unusable', message: `The branch ${tree.branch} was removed.` };
  if (head !== tree.lastCommit && !(await repository.contains(head, tree.lastCommit))) {
    return { kind: 'unusable', message: `The branch ${tree.branch} was moved by somebody else.` };
  }

  const asked = await checkRequested(tree.path, requested, settings.forbiddenPaths);
  if (asked.length > 0) return { kind: 'violations', violations: asked };
  const files = filesOf(repository, tree);
  const notes = [...(await applyRequested(tree.path, requested))];
  if (head !== tree.lastCommit)
    notes.push(`Somebody else committed on ${tree.branch}; it is part of the work.`);
  world.step('commit:applied');
  const found = await findingsOfTree(files, tree.baseCommit, head);
  // Nothing of such a tree is handed to git at all.
  const atOnce = validateChanges([], { ...found, filtered: [] }, settings);
  if (atOnce.length > 0) return { kind: 'violations', violations: atOnce };

  const laid = await laidMerge(repository, of.taskId);
  const parents = laid === null ? [head] : [head, laid.base];
  return await withIndex(files, true, async (index) => {
    let now: string;
    try {
      now = await takeAll(files, index, head);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return { kind: 'unusable', message: `The files cannot be taken into git: ${error.message}` };
    }
    if (laid?.isConflict === true) {
      const unresolved = await unresolvedFiles(repository, laid, now);
      if (unresolved.length > 0) return { kind: 'unresolved', paths: unresolved };
    }
    const from = laid?.commit ?? tree.lastCommit;
    const changes = await markHardLinks(files, await changesBetween(repository, from, now));
    const isAsInHead = laid === null && now === (await repository.treeOf(head));
    if (isAsInHead && head === tree.lastCommit) {
      await showIndex(admin, index);
      return await madeBefore(repository, tree, head, notes);
    }
    const findings = {
      ...found,
      nestedRepositories: touchedBareLayouts(found.bareLayouts, changes),
      filtered: await unavailableFilters(files, index, from, changes),
    };
    const violations = validateChanges(changes, findings, settings);
    if (violations.length > 0) return { kind: 'violations', violations };
    const hits = await scanAddedLines(repository, changes, tree.baseCommit, acceptedHashes, world.hash);
    if (hits.length > 0) return { kind: 'data-class', hits };

    // What somebody else committed here and passed the rules is taken as it is.
    const commit = isAsInHead ? head : await repository.commitTree(now, parents, messageOf(of, run));
    const settled = await advanceBranch(repository, tree, {
      ...{ ref, old: head, commit, run, changes },
      base: laid?.base ?? tree.baseCommit,
    });
    if (settled !== 'done') return settled;
    // Laid work is part of the commit now; a ref that a crash leaves here is dropped by `laidMerge`.
    if (laid !== null) await repository.exclusively(() => repository.dropRef(mergeRef(tree.taskId)));
    await showIndex(admin, index);
    const changed = changes.map(toChangedFile);
    return {
      kind: 'committed',
      commit,
      files: changed,
      notes,
      ...(laid === null ? {} : { base: laid.base }),
    };
  });
}

/** The files are those of the branch: either nothing was ever done, or it was committed by an earlier call. */
async function madeBefore(
  repository: Repository,
  tree: TreeRecord,
  head: string,
  notes: readonly string[],
): Promise<CommitOutcome> {
  if (head === tree.baseCommit) return { kind: 'nothing' };
  const [parent = tree.baseCommit] = await repository.parentsOf(head);
  const changes = await changesBetween(repository, parent, head);
  return { kind: 'committed', commit: head, files: changes.map(toChangedFile), notes };
}

interface Advance {
  readonly ref: string;
  readonly old: string;
  readonly commit: string;
  readonly run: RunId;
  /** Of the base branch, what the commit contains. */
  readonly base: string;
  readonly changes: readonly BlobChange[];
}

async function advanceBranch(
  repository: Repository,
  tree: TreeRecord,
  { ref, old, commit, run, base, changes }: Advance,
): Promise<'done' | CommitOutcome> {
  const { world, project } = repository;
  return await repository.exclusively(async () => {
    const row = openRow(world, project, tree.taskId, 'commit', { ref, old, new: commit, run, base });
    world.step('commit:journaled');
    const updated = await repository.updateRef(ref, commit, old, `work of task ${tree.taskId}`);
    world.step('commit:updated');
    if (updated !== 'done') {
      settleRow(world, row, 'undone');
      return updated === 'moved'
        ? { kind: 'unusable', message: `The branch ${tree.branch} was moved by somebody else.` }
        : lockedBy(updated.lockedBy);
    }
    settleRow(world, row, 'done', () => {
      world.stores.trees.put({ ...tree, lastCommit: commit, baseCommit: base });
      record(world, project, tree.taskId, 'git.committed', {
        branch: tree.branch,
        commit,
        parent: old,
        run,
        files: changes.length,
      });
    });
    return 'done';
  });
}

/** The title is the person's; nothing that an agent wrote goes into a commit in the person's name. */
function messageOf(of: WorkspaceOf, run: RunId): string {
  return `${commitSubject(of)}\n\nMade by an agent for task ${of.taskNumber} of Signalbox.\n\nSignalbox-Task: ${of.taskNumber}\nSignalbox-Run: ${run}\n`;
}
