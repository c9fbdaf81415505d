import path from 'node:path';
import type { Identity } from '../../../src-shared/model/project.ts';
import { fields, type Git } from './git-command.ts';
import { exists } from './workbench.ts';

/** What the person's own configuration says, read once at `project add`. */
export interface PersonsConfig {
  readonly author: Identity | null;
  readonly autocrlf: string | null;
  readonly eol: string | null;
  readonly excludesFile: string | null;
  /** Every value by its lower-case key; the last one of a key counts. */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Reads system, global and repository configuration as the person's own git would. Listing settings runs none of
 * them.
 */
export async function readPersonsConfig(
  {
    git,
    homeFolder,
    inheritedEnv,
  }: {
    readonly git: Git;
    readonly homeFolder: string;
    readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  },
  gitDir: string,
): Promise<PersonsConfig> {
  const xdg = inheritedEnv['XDG_CONFIG_HOME'];
  const configHome = xdg === undefined || xdg === '' ? path.join(homeFolder, '.config') : xdg;
  const own = path.join(homeFolder, '.gitconfig');
  const globals = [path.join(configHome, 'git', 'config'), own];
  const values = new Map<string, string>();
  const read = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> => {
    const answer = await git.run({
      gitDir,
      args: ['config', '--null', '--list', ...args],
      env: { HOME: homeFolder, XDG_CONFIG_HOME: configHome, ...env },
      answers: [0, 1, 128],
      owner: 'git-inspect',
    });
    if (answer.exitCode !== 0) return;
    for (const field of fields(answer.text)) {
      const cut = field.indexOf('\n');
      values.set(cut === -1 ? field : field.slice(0, cut), cut === -1 ? 'true' : field.slice(cut + 1));
    }
  };
  await read(['--system', '--includes'], { GIT_CONFIG_NOSYSTEM: '0' });
  for (const file of globals) if (await exists(file)) await read(['--file', file, '--includes']);
  await read(['--local', '--includes']);
  const name = values.get('user.name')?.trim() ?? '';
  const email = values.get('user.email')?.trim() ?? '';
  return {
    author: name === '' || email === '' ? null : { name, email },
    autocrlf: oneOf(values.get('core.autocrlf'), ['true', 'false', 'input']),
    eol: oneOf(values.get('core.eol'), ['lf', 'crlf', 'native']),
    excludesFile: await excludesFile(values.get('core.excludesfile'), homeFolder, configHome),
    values,
  };
}

const oneOf = (value: string | undefined, allowed: readonly string[]): string | null =>
  value !== undefined && allowed.includes(value.toLowerCase()) ? value.toLowerCase() : null;

/** Absolute; git's default place counts when the person names none (gitignore(5)). */
async function excludesFile(
  named: string | undefined,
  homeFolder: string,
  configHome: string,
): Promise<string | null> {
  const file = named ?? path.join(configHome, 'git', 'ignore');
  const full = file.startsWith('~/') ? path.join(homeFolder, file.slice(2)) : file;
  return path.isAbsolute(full) && (await exists(full)) ? full : null;
}
