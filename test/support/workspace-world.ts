import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWorkspaces, type WorkspacesOptions } from '../../src-main/adapters/git/workspaces.ts';
import { createProcessTable } from '../../src-main/adapters/process/process-table.ts';
import { createSpawner } from '../../src-main/adapters/process/spawn-owned.ts';
import { createRandomIds } from '../../src-main/adapters/random-ids.ts';
import { sha256 } from '../../src-main/adapters/sha256.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import type { Stores } from '../../src-main/core/ports/stores.ts';
import type { Clock, Log } from '../../src-main/core/ports/world.ts';
import type {
  CommitOutcome,
  WorkspaceOf,
  Workspaces,
  WorkTree,
} from '../../src-main/core/ports/workspaces.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import type { RunId, TaskNumber } from '../../src-shared/ids.ts';
import { ProjectSettings, type Project, type ProjectSettingsInput } from '../../src-shared/model/project.ts';
import { NO_CHANGES, type RequestedChanges } from '../../src-shared/model/task.ts';
import { makeRepository, type SampleRepository } from './sample-repositories.ts';
import { makeTempFolder, type TempFolder } from './temp-folder.ts';

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A repository of a person, a data folder with a real store, and the real workspaces over both. */
export interface WorkspaceWorld extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly repository: SampleRepository;
  readonly stores: Stores;
  readonly home: string;
  readonly clock: Clock;
  project: Project;
  workspaces: Workspaces;
  /** A hub that starts anew over the same store and data folder. */
  restart(options?: Partial<WorkspacesOptions>): Workspaces;
  changeSettings(settings: ProjectSettingsInput): void;
  newTask(title?: string): WorkspaceOf;
  /** @throws when the tree cannot be made */
  prepared(of: WorkspaceOf): Promise<WorkTree>;
  commit(of: WorkspaceOf, requested?: Partial<RequestedChanges>): Promise<CommitOutcome>;
  /** @throws when it is not committed. @returns the commit */
  committed(of: WorkspaceOf): Promise<string>;
  /** A program that leaves a mark when it is run. @returns a command line for a git setting */
  trap(name: string): { readonly command: string; readonly hasSprung: () => boolean };
  ledger(kind: string): readonly Readonly<Record<string, unknown>>[];
}

export interface WorkspaceWorldOptions {
  readonly settings?: ProjectSettingsInput;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<WorkspacesOptions>;
  /** Before the repository is inspected. */
  readonly arrange?: (repository: SampleRepository) => Promise<void>;
}

export async function makeWorkspaceWorld(given: WorkspaceWorldOptions = {}): Promise<WorkspaceWorld> {
  const folder = makeTempFolder('workspaces');
  const home = folder.join('home');
  const root = folder.join('repository');
  for (const each of [home, root]) mkdirSync(each);
  const repository = await makeRepository(root, 'javascript', given.files ?? {});
  await given.arrange?.(repository);
  const clock = given.options?.clock ?? systemClock;
  const ids = createRandomIds(clock);
  const data = folder.join('data');
  const stores = openStore({ folder: data, clock, ids });
  const table = createProcessTable({ clock: systemClock });
  const spawner = createSpawner({ hub: stores.hubId, table, guardian: null, clock: systemClock });
  const restart = (more: Partial<WorkspacesOptions> = {}): Workspaces => {
    world.workspaces = createWorkspaces({
      stores,
      clock,
      ids,
      hash: sha256,
      log: SILENT,
      spawner,
      dataFolder: data,
      homeFolder: home,
      inheritedEnv: { PATH: process.env['PATH'] },
      ...given.options,
      ...more,
    });
    return world.workspaces;
  };
  const world: WorkspaceWorld = {
    folder,
    repository,
    stores,
    home,
    clock,
    // Both are set below, before the world is handed out.
    project: undefined as unknown as Project,
    workspaces: undefined as unknown as Workspaces,
    restart,
    changeSettings(settings) {
      world.project = {
        ...world.project,
        settings: ProjectSettings.parse({ ...world.project.settings, ...settings }),
      };
      stores.projects.update(world.project);
    },
    newTask(title = 'Round the total') {
      const task = stores.transaction(() =>
        stores.tasks.insert({
          id: ids.next('task'),
          projectId: world.project.id,
          title,
          description: '',
          state: 'running',
          position: 1,
          runId: null,
          endedReason: null,
          createdAt: clock.now(),
          updatedAt: clock.now(),
          readyAt: null,
        }),
      );
      const taskNumber: TaskNumber = task.number;
      return {
        taskId: task.id,
        taskNumber,
        title,
        get project() {
          return world.project;
        },
      };
    },
    async prepared(of) {
      const outcome = await world.workspaces.prepare(of);
      if (outcome.kind !== 'ready') throw new Error(`not ready: ${JSON.stringify(outcome)}`);
      return outcome.tree;
    },
    commit: (of, requested = {}) =>
      world.workspaces.commit(of, `run_${of.taskId}` as RunId, { ...NO_CHANGES, ...requested }, []),
    async committed(of) {
      const outcome = await world.commit(of);
      if (outcome.kind !== 'committed') throw new Error(`not committed: ${JSON.stringify(outcome)}`);
      return outcome.commit;
    },
    trap(name) {
      const mark = folder.join(`sprung-${name}`);
      const program = folder.join(`trap-${name}.sh`);
      writeFileSync(program, `#!/bin/sh\necho sprung >> '${mark}'\ncat\n`);
      chmodSync(program, 0o755);
      return { command: program, hasSprung: () => existsSync(mark) };
    },
    ledger: (kind) => stores.ledger.page({ kind }).map((entry) => entry.data),
    [Symbol.asyncDispose]: () => {
      (stores as unknown as { dispose(): void }).dispose();
      folder.dispose();
      return Promise.resolve();
    },
  };
  restart();
  const found = await world.workspaces.inspectRepository(root, null);
  world.project = {
    id: ids.next('project'),
    name: found.name,
    path: root,
    baseBranch: found.baseBranch,
    slots: 1,
    isEnabled: true,
    disabledReason: null,
    isPaused: false,
    settings: ProjectSettings.parse(given.settings ?? {}),
    facts: found.facts,
    createdAt: clock.now(),
    removedAt: null,
  };
  stores.transaction(() => stores.projects.insert(world.project));
  return world;
}

/** Writes a file below a folder, with the folders on the way. */
export function put(folder: string, file: string, content: string): void {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
}

export const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');
