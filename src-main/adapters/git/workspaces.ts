import { mkdirSync, realpathSync } from 'node:fs';
import { AppError } from '../../../src-shared/errors.ts';
import type { HubId, TaskId } from '../../../src-shared/ids.ts';
import type { Stores, TreeRecord } from '../../core/ports/stores.ts';
import type { Clock, HashText, Ids, Log } from '../../core/ports/world.ts';
import type { PrepareOutcome, WorkspaceOf, Workspaces } from '../../core/ports/workspaces.ts';
import type { Spawner } from '../process/spawner.ts';
import { abandonTree } from './abandon-tree.ts';
import { commitWork } from './commit-work.ts';
import { explained } from './explain-failure.ts';
import { createGit } from './git-command.ts';
import { foldersBelow, type GitWorld } from './git-world.ts';
import { inspectRepository } from './inspect-repository.ts';
import { keepState } from './keep-state.ts';
import { keptStates } from './kept-branches.ts';
import { computeMerge, layMerge, mergeCommit, restoreFiles, takeMergeBack } from './lay-merge.ts';
import { laidMerge } from './laid-merge.ts';
import { layConflict } from './lay-conflict.ts';
import { filesOf, makeTree, prepareTree } from './make-tree.ts';
import { mergeTitle, mergeWork } from './merge-work.ts';
import { recoverProjects, settleTask } from './recover.ts';
import { removeFolder } from './remove-folder.ts';
import { removeTree } from './remove-tree.ts';
import { openRepository, type Repository } from './repository.ts';
import { restoreKept } from './restore-kept.ts';
import { setupHash } from './setup-state.ts';
import { sharePaths } from './share-paths.ts';
import { acceptLinksOfSetup, noteLinksBeforeSetup } from './tree-findings.ts';
import { examineTree } from './tree-identity.ts';
import { createTurns } from './turns.ts';
import { diffOf } from './work-diff.ts';

export interface WorkspacesOptions {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: HashText;
  readonly log: Log;
  readonly spawner: Pick<Spawner, 'run'>;
  /** Exists already. */
  readonly dataFolder: string;
  /** Owner of what git is started; the store's own unless given. */
  readonly hub?: HubId;
  /** The person's, where their git configuration and tools lie. */
  readonly homeFolder: string;
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  /** Called between two atomic steps; a test ends the process there. */
  readonly step?: (name: string) => void;
}

/** Worktrees, commits and merges with real git, behind the `Workspaces` port. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { stores, clock, ids, hash, log, homeFolder, inheritedEnv } = options;
  const hub = options.hub ?? stores.hubId;
  mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
  const git = createGit({ spawner: options.spawner, hub, inheritedEnv });
  const world: GitWorld = {
    stores,
    clock,
    ids,
    hash,
    log,
    git,
    hub,
    homeFolder,
    inheritedEnv,
    // A tree's path must be the real one: git and the CLI write it down.
    folders: foldersBelow(realpathSync(options.dataFolder)),
    turns: createTurns(clock),
    benchConfigs: new Map(),
    step: options.step ?? (() => undefined),
  };

  /** In the task's turn, with whatever a crash left settled first. */
  const inTree = async <T>(of: WorkspaceOf, work: (repository: Repository) => Promise<T>): Promise<T> => {
    const repository = await openRepository(world, of.project, of.taskId);
    return await world.turns.take(
      `tree:${of.taskId}`,
      of.taskId,
      (holder, duration) => repository.recordWait('tree', holder, duration),
      async () => {
        try {
          await settleTask(repository, of.taskId);
          return await work(repository);
        } catch (error) {
          throw explained(error, 'retry the task');
        }
      },
    );
  };

  const activeTree = (taskId: TaskId): TreeRecord => {
    const tree = stores.trees.get(taskId);
    if (tree !== null && tree.state === 'active') return tree;
    throw new AppError('task-tree-missing', 'The task has no worktree.', {
      hint: 'signalbox task retry makes a new one.',
    });
  };

  /** With what the project shares, and the word whether its set-up command has to run. */
  const withFiles = async (
    repository: Repository,
    of: WorkspaceOf,
    outcome: PrepareOutcome,
  ): Promise<PrepareOutcome> => {
    if (outcome.kind !== 'ready') return outcome;
    const tree = activeTree(of.taskId);
    const problems = await sharePaths(filesOf(repository, tree));
    if (problems.length > 0) return { kind: 'not-shared', problems };
    const wanted = await setupHash(world, of.project, tree.path);
    const needsSetup = wanted !== null && wanted !== tree.setupHash;
    if (needsSetup) await noteLinksBeforeSetup(filesOf(repository, tree));
    return { ...outcome, needsSetup };
  };

  return {
    inspectRepository: (folder, base) => inspectRepository({ git, homeFolder, inheritedEnv }, folder, base),

    prepare: (of) =>
      inTree(of, async (repository) => await withFiles(repository, of, await prepareTree(repository, of))),

    setupDone: (of) =>
      inTree(of, async (repository) => {
        const tree = activeTree(of.taskId);
        const now = await setupHash(world, of.project, tree.path);
        await acceptLinksOfSetup(filesOf(repository, tree));
        stores.transaction(() => stores.trees.put({ ...tree, setupHash: now }));
      }),

    commit: (of, run, requested, acceptedHashes) =>
      inTree(of, async (repository) => {
        const tree = stores.trees.get(of.taskId);
        if (tree === null || tree.state !== 'active') {
          return { kind: 'unusable', message: 'The task has no worktree.' };
        }
        return await commitWork(repository, tree, of, run, requested, acceptedHashes);
      }),

    restoreAfterTests: (of, commit) =>
      inTree(of, async (repository) => {
        const tree = activeTree(of.taskId);
        const laid = await laidMerge(repository, of.taskId);
        // Back to the work means back from a merge that was laid over it for a retest.
        if (laid !== null && laid.work === commit) {
          const found = await restoreFiles(repository, tree, laid.commit);
          await takeMergeBack(repository, tree);
          return found;
        }
        return await restoreFiles(repository, tree, commit);
      }),

    baseHead: async (project) => (await openRepository(world, project, null)).baseHead(),

    mergePreview: (of, commit) =>
      inTree(of, async (repository) => {
        const tree = activeTree(of.taskId);
        const base = await repository.baseHead();
        if (await repository.contains(commit, base)) {
          await takeMergeBack(repository, tree);
          return { kind: 'clean', commit, base };
        }
        const laid = await laidMerge(repository, of.taskId);
        if (laid !== null && !laid.isConflict && laid.base === base && laid.work === commit) {
          return { kind: 'clean', commit: laid.commit, base };
        }
        const merged = await computeMerge(repository, base, commit);
        if (merged.kind === 'conflict') return { kind: 'conflict', paths: merged.paths };
        const preview = await mergeCommit(repository, merged, base, commit, mergeTitle(of));
        await layMerge(repository, tree, preview, commit);
        return { kind: 'clean', commit: preview, base };
      }),

    layConflict: (of, commit) =>
      inTree(of, (repository) => layConflict(repository, activeTree(of.taskId), of, commit)),

    merge: (of, commit, testedBase) =>
      inTree(of, (repository) => mergeWork(repository, stores.trees.get(of.taskId), of, commit, testedBase)),

    diff: (of) => diffOf(world, of, stores.trees.get(of.taskId)),

    remove: (of, reason) =>
      inTree(of, async (repository) => {
        const tree = stores.trees.get(of.taskId);
        return { kept: tree === null ? null : await removeTree(repository, tree, reason) };
      }),

    abandon: async ({ taskId, project }) => {
      const tree = stores.trees.get(taskId);
      if (tree === null || tree.state === 'removed') return { leftIn: null };
      return { leftIn: await abandonTree(world, project, tree) };
    },

    recreate: (of) =>
      inTree(of, async (repository) => {
        const tree = stores.trees.get(of.taskId);
        if (tree === null || tree.state === 'removed') {
          return await withFiles(repository, of, await prepareTree(repository, of));
        }
        if (tree.state === 'active') {
          if ((await examineTree(repository, tree)) === null)
            return await withFiles(repository, of, await prepareTree(repository, of));
          await keepState(repository, tree, 'the worktree was made anew');
          await removeFolder(world.folders.trees, tree.path);
        }
        const head = await repository.resolve(`refs/heads/${tree.branch}`);
        const last =
          head !== null && (await repository.contains(head, tree.lastCommit)) ? head : tree.lastCommit;
        const again: TreeRecord = { ...tree, state: 'making', lastCommit: last, setupHash: null };
        stores.transaction(() => stores.trees.put(again));
        return await withFiles(repository, of, await makeTree(repository, again));
      }),

    kept: () => keptStates(world),

    restore: (of) => inTree(of, (repository) => restoreKept(repository, of)),

    recover: (projects) => recoverProjects(world, projects),
  };
}
