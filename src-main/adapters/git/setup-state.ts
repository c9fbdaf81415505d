import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Project } from '../../../src-shared/model/project.ts';
import { lockfilesAmong } from '../../core/workspace/setup-inputs.ts';
import { staysInside } from '../../core/workspace/path-rules.ts';
import type { GitWorld } from './git-world.ts';
import { linkOnTheWay } from './walk-tree.ts';
import { isMissing } from './workbench.ts';

/**
 * Hash over the set-up command and the content of its inputs in a tree: when it differs from the remembered one,
 * the command has to run. Null when the project has no set-up command.
 */
export async function setupHash(world: GitWorld, project: Project, tree: string): Promise<string | null> {
  const { setupCommand, setupInputs } = project.settings;
  if (setupCommand === undefined) return null;
  const names = setupInputs ?? lockfilesAmong(await readdir(tree));
  const contents: [string, string | null][] = [];
  for (const name of names) contents.push([name, await hashOfFile(world, tree, name)]);
  return world.hash(JSON.stringify([setupCommand, contents]));
}

/** Links are not followed: an agent could point one anywhere. */
async function hashOfFile(world: GitWorld, tree: string, name: string): Promise<string | null> {
  const file = path.join(tree, name);
  if (!staysInside(name) || (await linkOnTheWay(tree, name)) !== null) return null;
  try {
    if (!(await lstat(file)).isFile()) return null;
    return world.hash(await readFile(file, 'latin1'));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
