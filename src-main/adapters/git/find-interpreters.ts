import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FarInterpreter } from '../../../src-shared/model/project.ts';
import { accountHome } from '../test-runner/account-home.ts';
import { suggestRead } from '../test-runner/executable.ts';
import { isBelow } from './walk-tree.ts';
import { exists } from './workbench.ts';

/** Where a Python environment of a checkout usually lies. */
const ENVIRONMENTS = ['.venv', 'venv', 'env'];

/**
 * Interpreters of the Python environments in a checkout that lie in a home, which test runs do not see. No command of
 * the repository is asked: the environment's link says it.
 *
 * @param home the person's
 */
export async function findInterpreters(root: string, home: string): Promise<readonly FarInterpreter[]> {
  const personsHome = await realOf(home);
  const own = accountHome();
  const homes = [personsHome, own === null ? null : await realOf(own)].filter((each) => each !== null);
  const found: FarInterpreter[] = [];
  for (const environment of ENVIRONMENTS) {
    if (!(await exists(path.join(root, environment, 'pyvenv.cfg')))) continue;
    const interpreter = await realOf(path.join(root, environment, 'bin', 'python'));
    if (interpreter === null || isBelow(root, interpreter)) continue;
    const around = homes.find((each) => isBelow(each, interpreter));
    if (around === undefined || around === path.sep) continue;
    const needs = suggestRead(interpreter, around);
    const below = path.relative(around, needs);
    // Below HOME as it is named, since that is how the folders of tools are listed.
    found.push(
      around === personsHome
        ? { environment, needs: path.join(home, below), asRead: `~/${below}` }
        : { environment, needs, asRead: needs },
    );
  }
  return found;
}

/** @returns null for what is not there, leads in a circle or may not be looked at */
const realOf = (place: string): Promise<string | null> => realpath(place).catch(() => null);
