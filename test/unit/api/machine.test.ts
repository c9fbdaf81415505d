import { describe, expect, test } from 'vitest';
import { wireErrorOf } from '../../../src-main/api/errors.ts';
import type { RepositoryLook } from '../../../src-main/core/ports/machine.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { ApiWorld } from '../../support/api-world.ts';

const look = (given: Partial<RepositoryLook> = {}): RepositoryLook => ({
  root: '/code/invoice',
  name: 'invoice',
  baseBranch: 'main',
  branches: ['main', 'next'],
  commits: 12,
  changedFiles: 0,
  notices: [],
  entries: [],
  texts: new Map(),
  ...given,
});

describe('a folder that may become a project', () => {
  test('is shown with its branches, its state and what it suggests', async () => {
    using world = new ApiWorld();
    world.machine.repository = () =>
      Promise.resolve(
        look({
          changedFiles: 2,
          entries: ['package.json', 'package-lock.json', 'src/'],
          texts: new Map([['package.json', '{"scripts":{"test":"vitest run"}}']]),
        }),
      );
    expect(await world.call.project.inspect({ path: '/code/invoice/src' })).toEqual({
      path: '/code/invoice/src',
      problem: null,
      repository: {
        root: '/code/invoice',
        name: 'invoice',
        baseBranch: 'main',
        branches: ['main', 'next'],
        commits: 12,
        isClean: false,
        changedFiles: 2,
        notices: [],
        registeredAs: null,
      },
      testCommands: [{ command: ['npm', 'test'], source: 'package.json' }],
      setupCommands: [{ command: ['npm', 'ci'], source: 'package-lock.json' }],
    });
  });

  test('names the project that has it already', async () => {
    using world = new ApiWorld();
    const project = world.services.addProject({ name: 'known' });
    world.machine.repository = () => Promise.resolve(look({ root: project.facts.root, changedFiles: null }));
    const { repository } = await world.call.project.inspect({ path: project.path });
    expect([repository?.registeredAs, repository?.isClean]).toEqual(['known', null]);
  });

  test('that cannot become one says what to do about it, and is no error', async () => {
    using world = new ApiWorld();
    world.machine.repository = () =>
      Promise.reject(
        new AppError('project-has-no-commit', 'The repository has no commit yet.', { hint: 'git commit' }),
      );
    expect((await world.call.project.inspect({ path: '/code/new' })).problem).toEqual({
      code: 'project-has-no-commit',
      message: 'The repository has no commit yet.',
      fix: 'git commit',
    });
  });
});

test('what doctor finds is not well as soon as one thing is a problem', async () => {
  using world = new ApiWorld();
  const check = { name: 'git', status: 'ok', found: '2.49' } as const;
  world.machine.doctor = () => Promise.resolve([check]);
  expect((await world.call.hub.doctor()).ok).toBe(true);
  world.machine.doctor = () => Promise.resolve([check, { ...check, status: 'warning' }]);
  expect((await world.call.hub.doctor()).ok).toBe(true);
  world.machine.doctor = () => Promise.resolve([check, { ...check, status: 'problem' }]);
  expect((await world.call.hub.doctor()).ok).toBe(false);
});

test('an agent is told nothing of what lies on the machine', async () => {
  using world = new ApiWorld({ isAgent: true });
  const refused = async (call: Promise<unknown>): Promise<string> => {
    try {
      await call;
      return 'answered';
    } catch (error) {
      return wireErrorOf(error).code;
    }
  };
  expect(
    await Promise.all([
      refused(world.call.files.folders({})),
      refused(world.call.project.inspect({ path: '/' })),
      refused(world.call.hub.doctor()),
    ]),
  ).toEqual(['agent-may-not-decide', 'agent-may-not-decide', 'agent-may-not-decide']);
});
