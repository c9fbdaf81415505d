import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createGit } from '../../../src-main/adapters/git/git-command.ts';
import { createMachine } from '../../../src-main/adapters/machine/machine.ts';
import { createProcessTable } from '../../../src-main/adapters/process/process-table.ts';
import { createSpawner } from '../../../src-main/adapters/process/spawn-owned.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import type { Machine } from '../../../src-main/core/ports/machine.ts';
import { makeWorkspaceWorld, put, type WorkspaceWorld } from '../../support/workspace-world.ts';
import { waitUntil } from '../../support/wait-until.ts';

function machineOf(world: WorkspaceWorld, env: Readonly<Record<string, string>> = {}): Machine {
  const { hubId } = world.stores;
  const table = createProcessTable({ clock: systemClock });
  const spawner = createSpawner({ hub: hubId, table, guardian: null, clock: systemClock });
  const inherited = { PATH: process.env['PATH'], ...env };
  const data = world.folder.join('data');
  return createMachine({
    places: { dataFolder: data, configFolder: data, killFile: path.join(data, 'KILL') },
    git: createGit({ spawner, hub: hubId, inheritedEnv: inherited }),
    env: inherited,
    homeFolder: world.home,
    doctor: () => Promise.resolve([]),
  });
}

const leftovers = (): readonly string[] =>
  readdirSync(os.tmpdir()).filter((name) => name.startsWith('signalbox-inspect-'));

test('a repository is seen with its branches, commits and what is not committed, and nothing in it changes', async () => {
  await using world = await makeWorkspaceWorld({
    files: { '.gitignore': 'ignored/\n', 'package.json': '{"scripts":{"test":"x"}}\n' },
  });
  const { repository } = world;
  const machine = machineOf(world);
  const before = await machine.repository(repository.path);
  expect([before.root, before.baseBranch, before.branches, before.changedFiles]).toEqual([
    repository.path,
    'main',
    ['main'],
    0,
  ]);
  expect(before.commits).toBeGreaterThan(0);
  expect(before.entries).toContain('package.json');
  expect(before.texts.get('package.json')).toContain('"test"');

  await repository.git('branch', 'next');
  put(repository.path, 'package.json', '{"name":"changed"}\n');
  put(repository.path, 'new.txt', 'x');
  put(repository.path, 'staged.txt', 'x');
  put(repository.path, 'ignored/big.bin', 'x');
  await repository.git('add', 'staged.txt');
  const index = readFileSync(path.join(repository.path, '.git', 'index'));
  const known = leftovers();

  const after = await machine.repository(repository.path);

  expect([[...after.branches].sort(), after.changedFiles]).toEqual([['main', 'next'], 3]);
  expect(readFileSync(path.join(repository.path, '.git', 'index'))).toEqual(index);
  expect(leftovers().filter((name) => !known.includes(name))).toEqual([]);
});

afterEach(() => vi.unstubAllEnvs());

test('without a temp folder a repository is seen all the same, only not whether it is clean', async () => {
  await using world = await makeWorkspaceWorld();
  vi.stubEnv('TMPDIR', world.folder.join('no-such-folder'));
  const look = await machineOf(world).repository(world.repository.path);
  expect([look.root, look.branches, look.changedFiles]).toEqual([world.repository.path, ['main'], null]);
});

test('a filter of the repository is not run to see whether it is clean', async () => {
  await using world = await makeWorkspaceWorld({
    files: { '.gitattributes': '*.txt filter=mine\n', 'a.txt': 'a\n' },
  });
  const { repository } = world;
  const proof = world.folder.join('ran');
  await repository.git('config', 'filter.mine.clean', `sh -c 'touch ${proof}; cat'`);
  // As long as before, and seen in a later second than it was written: only reading it tells.
  put(repository.path, 'a.txt', 'b\n');
  const writtenIn = Math.floor(Date.now() / 1000);
  await waitUntil('the second is over', () => Promise.resolve(Math.floor(Date.now() / 1000) > writtenIn));
  expect((await machineOf(world).repository(repository.path)).changedFiles).toBe(1);
  expect(readdirSync(world.folder.path)).not.toContain('ran');
});

test('folders are listed for choosing: no files, nothing hidden, repositories marked, links followed', async () => {
  await using world = await makeWorkspaceWorld();
  const machine = machineOf(world);
  const { home, repository } = world;
  for (const name of ['b', 'a', '.hidden']) mkdirSync(path.join(home, name));
  mkdirSync(path.join(home, 'b', '.git'));
  writeFileSync(path.join(home, 'file.txt'), 'secret');
  symlinkSync(repository.path, path.join(home, 'linked'));
  symlinkSync(path.join(home, 'nowhere'), path.join(home, 'broken'));

  expect(await machine.folders(null)).toEqual({
    path: home,
    parent: path.dirname(home),
    home,
    isRepository: false,
    folders: [
      { name: 'a', path: path.join(home, 'a'), isRepository: false },
      { name: 'b', path: path.join(home, 'b'), isRepository: true },
      { name: 'linked', path: path.join(home, 'linked'), isRepository: true },
    ],
    isCut: false,
  });
  expect((await machine.folders('/')).parent).toBeNull();
});

test('a folder with very many folders is listed in part', async () => {
  await using world = await makeWorkspaceWorld();
  for (let each = 0; each < 501; each += 1)
    mkdirSync(path.join(world.home, `f${String(each).padStart(3, '0')}`));
  const list = await machineOf(world).folders(null);
  expect([list.folders.length, list.isCut, list.folders[0]?.name]).toEqual([500, true, 'f000']);
});

test('what is no folder is refused with its reason', async () => {
  await using world = await makeWorkspaceWorld();
  const machine = machineOf(world);
  writeFileSync(path.join(world.home, 'file.txt'), 'x');
  const refusal = async (folder: string): Promise<string> => {
    try {
      await machine.folders(folder);
      return 'listed';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect([
    await refusal('relative'),
    await refusal(path.join(world.home, 'nowhere')),
    await refusal(path.join(world.home, 'file.txt')),
  ]).toEqual(['usage', 'file-unreadable', 'file-unreadable']);
});

test('each value of the configuration has its file and line, and the environment goes before the file', async () => {
  await using world = await makeWorkspaceWorld();
  const file = world.folder.join('data', 'config.toml');
  writeFileSync(file, '# mine\n\nmax_processes = 8\nclaude = "/opt/claude"\n');
  const value = (name: string, rest: object) => ({ name, default: null, line: null, ...rest });
  expect(await machineOf(world).config()).toEqual({
    file,
    values: [
      value('maxProcesses', { value: 8, default: 4, source: 'config', line: 3 }),
      value('undoSeconds', { value: 5, default: 5, source: 'default' }),
      value('claude', { value: '/opt/claude', source: 'config', line: 4 }),
    ],
  });
  const { values } = await machineOf(world, { SIGNALBOX_CLAUDE: 'mine' }).config();
  expect(values.at(-1)).toEqual(value('claude', { value: 'mine', source: 'environment' }));
});
