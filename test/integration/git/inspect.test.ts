import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gitEnvironment } from '../../support/sample-repositories.ts';
import { makeWorkspaceWorld, put } from '../../support/workspace-world.ts';

const git = (...args: readonly string[]) => execFileSync('git', args, { env: gitEnvironment() });

test('what cannot be a project is refused with its own code and a hint', async () => {
  await using world = await makeWorkspaceWorld();
  const { folder, workspaces, repository } = world;
  const refusal = async (place: string, base: string | null = null) => {
    try {
      await workspaces.inspectRepository(place, base);
      return 'accepted';
    } catch (error) {
      const { code, hint } = error as { code: string; hint?: string };
      expect(hint, code).toMatch(/\S/);
      return code;
    }
  };
  for (const name of ['plain', 'empty', 'bare']) mkdirSync(folder.join(name));
  put(folder.path, 'file.txt', 'x');
  git('init', '--quiet', '--initial-branch=main', folder.join('empty'));
  git('init', '--quiet', '--bare', folder.join('bare'));
  await repository.git('worktree', 'add', '--quiet', '-b', 'other', folder.join('linked'));
  expect({
    missing: await refusal(folder.join('nowhere')),
    file: await refusal(folder.join('file.txt')),
    plain: await refusal(folder.join('plain')),
    empty: await refusal(folder.join('empty')),
    bare: await refusal(folder.join('bare')),
    bareInside: await refusal(folder.join('bare', 'refs')),
    linked: await refusal(folder.join('linked')),
    noSuchBase: await refusal(repository.path, 'nope'),
    option: await refusal(repository.path, '--all'),
    good: await refusal(repository.path, 'other'),
  }).toEqual({
    missing: 'project-not-a-repository',
    file: 'project-not-a-repository',
    plain: 'project-not-a-repository',
    empty: 'project-has-no-commit',
    bare: 'project-is-bare',
    bareInside: 'project-is-bare',
    linked: 'project-is-worktree',
    noSuchBase: 'project-branch-missing',
    option: 'project-branch-missing',
    good: 'accepted',
  });
  await repository.git('switch', '--quiet', '--detach');
  expect(await refusal(repository.path)).toBe('project-branch-missing');
});

test('the facts are read once from the person: identity, line endings, ignored files, and what does not happen here', async () => {
  await using world = await makeWorkspaceWorld({
    files: {
      'package-lock.json': '{}\n',
      'uv.lock': '\n',
      'deep/yarn.lock': '\n',
      '.gitattributes': '*.bin filter=lfs\n*.x filter=own text\n',
      '.gitmodules': '[submodule "s"]\n\tpath = s\n\turl = ../s\n',
    },
  });
  const { repository, home } = world;
  await repository.git('config', '--unset', 'user.name');
  await repository.git('config', '--unset', 'user.email');
  put(
    home,
    '.gitconfig',
    '[include]\n\tpath = more\n[core]\n\tautocrlf = input\n\texcludesFile = ~/ignored\n',
  );
  put(home, 'more', '[user]\n\tname = Asha Rao\n\temail = asha@example.com\n[commit]\n\tgpgSign = true\n');
  put(home, 'ignored', '*.tmp\n');
  put(home, '.cargo/credentials.toml', 'x');
  for (const tools of ['.cargo/bin', '.nvm', 'go']) mkdirSync(path.join(home, tools), { recursive: true });
  put(repository.path, '.git/hooks/pre-commit', '#!/bin/sh\n');
  chmodSync(path.join(repository.path, '.git/hooks/pre-commit'), 0o755);
  symlinkSync(repository.path, world.folder.join('by-link'));

  const found = await world.workspaces.inspectRepository(
    path.join(world.folder.join('by-link'), 'deep'),
    null,
  );
  expect(found).toEqual({
    name: 'repository',
    baseBranch: 'main',
    setupInputs: ['package-lock.json', 'uv.lock'],
    sandboxRead: ['.nvm', '.cargo/bin', 'go'].map((tools) => path.join(home, tools)),
    facts: {
      root: realpathSync(repository.path),
      gitDir: path.join(realpathSync(repository.path), '.git'),
      author: { name: 'Asha Rao', email: 'asha@example.com' },
      autocrlf: 'input',
      eol: null,
      excludesFile: path.join(home, 'ignored'),
      notices: [
        expect.stringContaining('Git LFS'),
        expect.stringContaining('filters own'),
        expect.stringContaining('hooks pre-commit'),
        expect.stringContaining('not signed'),
        expect.stringContaining('submodules'),
      ] as unknown,
    },
  });

  world.project = { ...world.project, facts: found.facts };
  world.changeSettings({ allowLfs: false });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'junk.tmp', 'ignored by the person\n');
  put(tree.path, 'windows.txt', 'a\r\nb\r\n');
  await world.committed(of);
  expect(await repository.git('diff', '--name-only', 'main', tree.branch)).toBe('windows.txt');
  expect(execFileSync('git', ['-C', repository.path, 'show', `${tree.branch}:windows.txt`]).toString()).toBe(
    'a\nb\n',
  );
});

test('an interpreter of a Python environment that lies in a home is found by its link alone', async () => {
  await using world = await makeWorkspaceWorld();
  const { repository, home, folder } = world;
  const environment = (name: string, interpreter: string): void => {
    put(repository.path, `${name}/pyvenv.cfg`, 'version = 3.12.1\n');
    mkdirSync(path.join(repository.path, name, 'bin'));
    symlinkSync(interpreter, path.join(repository.path, name, 'bin/python'));
  };
  put(home, '.local/share/uv/python/cpython-3.12/bin/python3.12', '');
  put(folder.path, 'elsewhere/python3', '');
  environment('.venv', path.join(home, '.local/share/uv/python/cpython-3.12/bin/python3.12'));
  environment('venv', folder.join('elsewhere/python3'));
  environment('env', path.join(home, 'gone'));
  const { facts } = await world.workspaces.inspectRepository(repository.path, null);
  expect(facts.interpreters).toEqual([
    {
      environment: '.venv',
      needs: path.join(home, '.local/share/uv'),
      asRead: '~/.local/share/uv',
    },
  ]);
});
