import path from 'node:path';
import type { HubId, TaskId } from '../../../src-shared/ids.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Clock, HashText, Ids, Log } from '../../core/ports/world.ts';
import type { LedgerData } from '../../../src-shared/model/ledger-entry.ts';
import type { LedgerKind } from '../../../src-shared/model/ledger-kinds.ts';
import type { Git } from './git-command.ts';
import type { Turns } from './turns.ts';
import type { ConfigMemory } from './workbench.ts';

/** What every part of this folder works with. */
export interface GitWorld {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: HashText;
  readonly log: Log;
  readonly git: Git;
  readonly hub: HubId;
  readonly homeFolder: string;
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  readonly folders: Folders;
  readonly turns: Turns;
  readonly benchConfigs: ConfigMemory;
  /** Called between two steps, each of which is atomic by itself. Tests end the process there. */
  readonly step: (name: string) => void;
}

/** Places below the data folder; its own path has its links resolved. */
export interface Folders {
  readonly trees: string;
  /** Our side of a project: the workbench and the index of each tree. */
  project(project: Project): string;
  tree(project: Project, taskId: TaskId): string;
  /** Where things go that must leave a tree and that git cannot keep. */
  leftovers(taskId: TaskId): string;
}

export function foldersBelow(dataFolder: string): Folders {
  const trees = path.join(dataFolder, 'trees');
  return {
    trees,
    project: (project) => path.join(dataFolder, 'git', project.id),
    tree: (project, taskId) => path.join(trees, project.id, taskId),
    leftovers: (taskId) => path.join(dataFolder, 'leftovers', taskId),
  };
}

/** A ledger entry about a task's repository, in the caller's transaction. */
export function record(
  world: GitWorld,
  project: Project,
  taskId: TaskId | null,
  kind: LedgerKind,
  data: LedgerData,
): void {
  world.stores.ledger.append({ kind, projectId: project.id, project: project.name, taskId, data });
}
