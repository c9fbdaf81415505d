import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Project } from '../../../src-shared/model/project.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import type { GitWorld } from './git-world.ts';
import { Repository } from './repository.ts';
import { copyIndex, indexIn } from './tree-index.ts';
import { openWorkbench } from './workbench.ts';

/**
 * Looks at a project, or at the tree of one task, from a folder of its own in the temp folder, thrown away afterwards:
 * index, workbench and the objects that git makes of changed files lie there. For where the data folder or the
 * repository takes nothing.
 */
export async function lookElsewhere<T>(
  world: GitWorld,
  project: Project,
  taskId: TaskId | null,
  look: (repository: Repository) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-look-'));
  try {
    const bench = await openWorkbench(world.git, project, folder, new Map());
    const objects = path.join(folder, 'objects');
    await mkdir(path.join(objects, 'info'), { recursive: true, mode: 0o700 });
    // In a file, as the variable for it splits at colons.
    await writeFile(path.join(objects, 'info', 'alternates'), `${bench.objects}\n`);
    // Without what it knows of unchanged files, each of them would be read and written here.
    if (taskId !== null) {
      await copyIndex(indexIn(world.folders.project(project), taskId), indexIn(folder, taskId));
    }
    const folders = { ...world.folders, project: () => folder };
    return await look(new Repository({ ...world, folders }, project, taskId, { ...bench, objects }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
