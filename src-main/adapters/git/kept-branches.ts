import { isAppError } from '../../../src-shared/errors.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { TreeRecord } from '../../core/ports/stores.ts';
import type { KeptState } from '../../core/ports/workspaces.ts';
import { changesBetween } from './changed-files.ts';
import { lackOf } from './explain-failure.ts';
import type { GitWorld } from './git-world.ts';
import { stateOf } from './keep-state.ts';
import { lookElsewhere } from './look-elsewhere.ts';
import { baseRef, openRepository, type Repository } from './repository.ts';

/** Everything that is kept of ended tasks, oldest first: dirty trees on their side refs, committed work on branches. */
export async function keptStates(world: GitWorld): Promise<readonly KeptState[]> {
  const aside = world.stores.kept.list().map((kept) => stateOf(world, kept));
  const branches = await keptBranches(world, new Set(aside.map(({ taskId }) => taskId)));
  return [...aside, ...branches].toSorted((one, other) => one.at - other.at);
}

/**
 * Committed work of tasks that were given up, cancelled or rejected, on the branches that it stands on. What was
 * kept of a tree has the commits of its branch in it, and is named once.
 */
async function keptBranches(world: GitWorld, isNamed: ReadonlySet<TaskId>): Promise<readonly KeptState[]> {
  const { stores } = world;
  const wanted = new Map<Project, TreeRecord[]>();
  const projects = new Map(stores.projects.list({ withRemoved: true }).map((each) => [each.id, each]));
  for (const tree of stores.trees.list(['making', 'active', 'removing', 'removed'])) {
    const task = stores.tasks.get(tree.taskId);
    const project = projects.get(tree.projectId);
    const isOver = task?.state === 'failed' || task?.state === 'cancelled';
    if (!isOver || project === undefined || isNamed.has(tree.taskId)) continue;
    wanted.set(project, [...(wanted.get(project) ?? []), tree]);
  }
  const found: KeptState[] = [];
  for (const [project, trees] of wanted) found.push(...(await branchesIn(world, project, trees)));
  return found;
}

/** None where the repository is gone: its branches are gone with it. */
async function branchesIn(
  world: GitWorld,
  project: Project,
  trees: readonly TreeRecord[],
): Promise<readonly KeptState[]> {
  const look = (repository: Repository): Promise<readonly KeptState[]> => standing(repository, trees);
  try {
    return await look(await openRepository(world, project, null));
  } catch (error) {
    if (isAppError(error, 'project-folder-missing')) return [];
    if (lackOf(error) === null) throw error;
    return await lookElsewhere(world, project, null, look);
  }
}

async function standing(repository: Repository, trees: readonly TreeRecord[]): Promise<readonly KeptState[]> {
  const { world, project } = repository;
  const base = await repository.resolve(baseRef(project));
  const heads = await repository.refsBelow(
    'refs/heads/signalbox/',
    base === null ? [] : [`--no-merged=${base}`],
  );
  const found: KeptState[] = [];
  for (const tree of trees) {
    const ref = `refs/heads/${tree.branch}`;
    const commit = heads.get(ref);
    const task = world.stores.tasks.get(tree.taskId);
    if (commit === undefined || commit === tree.baseCommit || task === null) continue;
    const hasBoth = await repository.hasCommit(tree.baseCommit);
    found.push({
      ref,
      taskId: tree.taskId,
      project: project.name,
      commit,
      reason: `task ${task.state}, its commits stand on their branch`,
      at: task.updatedAt,
      files: hasBoth ? (await changesBetween(repository, tree.baseCommit, commit)).length : 0,
    });
  }
  return found;
}
