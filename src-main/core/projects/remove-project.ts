import { counted } from '../../../src-shared/counted.ts';
import { AppError, isAppError } from '../../../src-shared/errors.ts';
import type { ProjectId } from '../../../src-shared/ids.ts';
import type { LedgerData } from '../../../src-shared/model/ledger-entry.ts';
import type { LedgerKind } from '../../../src-shared/model/ledger-kinds.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import { isEnded, type Task } from '../../../src-shared/model/task.ts';
import { spikeOf } from '../limits/caps.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { WorkspaceOf } from '../ports/workspaces.ts';
import { discardUnused, markUnused } from '../retention/discard-artifacts.ts';
import type { Actor, ProjectService } from '../services.ts';

export interface ProjectRemoval {
  readonly remove: ProjectService['remove'];
  /** Trees of the project's tasks that still stand. */
  treesOf(project: Project): readonly { readonly task: Task; readonly isEnded: boolean }[];
}

/**
 * Takes a project out of use. Order: trees of its (ended) tasks first, then in one transaction the mark that
 * hides it, the texts if asked, and the ledger entry; whoever is cut off before that repeats the command and it
 * goes on where it was.
 *
 * @param existing throws 'not-found'
 * @param record writes a ledger entry in the caller's transaction
 */
export function createProjectRemoval(
  deps: Pick<CoreDeps, 'stores' | 'clock' | 'log' | 'workspaces' | 'artifacts' | 'feed' | 'isHub'>,
  existing: (id: ProjectId) => Project,
  record: (kind: LedgerKind, project: Project, actor: Actor, data: LedgerData) => void,
): ProjectRemoval {
  const { stores, clock } = deps;

  const treesOf: ProjectRemoval['treesOf'] = (project) =>
    stores.trees.list(['making', 'active', 'removing']).flatMap((tree) => {
      const task = tree.projectId === project.id ? stores.tasks.get(tree.taskId) : null;
      return task === null ? [] : [{ task, isEnded: isEnded(task.state) }];
    });

  const requireRemovable = (project: Project): void => {
    const open = stores.tasks.list({ projectId: project.id }).filter((task) => !isEnded(task.state));
    if (open.length > 0) {
      throw new AppError(
        'project-has-open-tasks',
        `${counted(open.length, 'of its tasks has', 'of its tasks have')} not ended.`,
        { hint: `Finish or cancel first: ${open.map((task) => task.number).join(', ')}.` },
      );
    }
    if (spikeOf(project, stores.spikes.current()) !== null) {
      throw new AppError('spike-running', 'A spike runs over this project.', {
        hint: 'End it first: signalbox spike stop',
      });
    }
  };

  /** In the caller's transaction. */
  const purge = (project: Project): void => {
    markUnused(stores, stores.texts.purge(project.id).unusedHashes);
  };

  /** @returns where its files are when the repository, which would keep them, is gone */
  const removeTree = async (of: WorkspaceOf): Promise<string | null> => {
    try {
      await deps.workspaces.remove(of, 'project-removed');
      return null;
    } catch (error) {
      if (!isAppError(error, 'project-folder-missing')) throw error;
      return (await deps.workspaces.abandon(of)).leftIn;
    }
  };

  return {
    treesOf,
    async remove(id, options, actor) {
      const project = existing(id);
      requireRemovable(project);
      const trees = treesOf(project);
      if (trees.length > 0 && !deps.isHub) {
        throw new AppError('hub-not-running', 'The project still has work trees, which only a hub removes.', {
          hint: 'Start the hub in another terminal (signalbox hub), then repeat this.',
        });
      }
      const leftIn: string[] = [];
      for (const { task } of trees) {
        const left = await removeTree({
          taskId: task.id,
          taskNumber: task.number,
          title: task.title,
          project,
        });
        if (left !== null) leftIn.push(left);
      }
      stores.transaction(() => {
        // Somebody may have added a task while trees were being removed.
        const now = existing(id);
        requireRemovable(now);
        stores.projects.update({ ...now, isEnabled: false, removedAt: clock.now() });
        if (options.purge) purge(now);
        record('project.removed', now, actor, { trees: trees.length, isPurged: options.purge });
      });
      if (options.purge) await discardUnused(deps);
      deps.feed.projectChanged(id);
      return { leftIn };
    },
  };
}
