import type { InboxStand } from './inbox-stand.ts';

/** A machine on which everything is found, as the doctor and the configuration tell it. */
export function fineMachine({ machine }: InboxStand): void {
  machine.doctor = () =>
    Promise.resolve([
      { name: 'Node', status: 'ok', found: 'v24.21.0' },
      { name: 'Claude Code', status: 'ok', found: '2.1.332 at /home/asha/.local/bin/claude' },
      { name: 'login', status: 'ok', found: 'logged in (subscription)' },
      { name: 'git', status: 'ok', found: '2.47.1' },
      {
        name: 'disk',
        status: 'warning',
        found: '1.2 GB free',
        fix: 'Make room on the disk with the data folder.',
      },
    ]);
  machine.config = () =>
    Promise.resolve({
      file: '/config/config.toml',
      values: [
        { name: 'maxProcesses', value: 6, default: 4, source: 'config', line: 14 },
        { name: 'undoSeconds', value: 5, default: 5, source: 'default', line: null },
        { name: 'claude', value: null, default: null, source: 'default', line: null },
      ],
    });
}

export const REPOSITORY = '/home/asha/invoice-service';

/** Two folders at home, one of them a repository with what a project needs. */
export function foldersAtHome({ machine, world }: InboxStand): void {
  const home = '/home/asha';
  const folder = (name: string, isRepository: boolean) => ({ name, path: `${home}/${name}`, isRepository });
  machine.folders = (path) =>
    Promise.resolve({
      path: path ?? home,
      parent: path === null || path === home ? '/home' : home,
      home,
      isRepository: path === REPOSITORY,
      folders:
        path === null || path === home ? [folder('invoice-service', true), folder('notes', false)] : [],
      isCut: false,
    });
  const real = machine.repository;
  machine.repository = (path) =>
    path === REPOSITORY
      ? Promise.resolve({
          root: path,
          name: 'invoice-service',
          baseBranch: 'main',
          branches: ['main', 'release'],
          commits: 12,
          changedFiles: 0,
          notices: ['Commits are signed here; those of agents are not.'],
          entries: ['package.json', 'package-lock.json', 'src/'],
          texts: new Map([['package.json', JSON.stringify({ scripts: { test: 'vitest run' } })]]),
        })
      : real(path);
  Object.assign(world.workspaces, {
    inspectRepository: (path: string, base: string | null) =>
      Promise.resolve({
        facts: {
          root: path,
          gitDir: `${path}/.git`,
          author: null,
          autocrlf: null,
          eol: null,
          excludesFile: null,
          notices: [],
        },
        baseBranch: base ?? 'main',
        name: 'invoice-service',
        setupInputs: [],
        sandboxRead: [],
      }),
  });
}
