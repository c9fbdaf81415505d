import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { DEFAULT_AGENT } from '../../../../src-shared/model/agent.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import { interpreterNotice } from '../../../../src-main/core/projects/project-figures.ts';
import { createProjectService } from '../../../../src-main/core/projects/project-service.ts';
import type { HubStatus, ProjectService } from '../../../../src-main/core/services.ts';
import { makeProject, makeSpike } from '../../../support/core-builders.ts';
import { PERSON, ServiceWorld } from '../../../support/service-world.ts';

const QUIET: HubStatus = { killed: null, isPaused: false, holds: [], processes: 0 };

function setUp(isHub = true): { world: ServiceWorld; projects: ProjectService } {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  world.addRepository('/repositories/h1-a');
  return { world, projects: createProjectService(world.deps(isHub), { status: () => QUIET }) };
}
const add = { path: '/repositories/h1-a', settings: {} };

test('a project is named after its folder, has one slot and what the repository needs', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  expect({
    ...project,
    settings: { inputs: project.settings.setupInputs, read: project.settings.sandboxRead },
  }).toMatchObject({
    name: 'h1-a',
    slots: 1,
    baseBranch: 'main',
    isEnabled: true,
    settings: { inputs: ['package-lock.json'], read: ['/home/asha/.nvm'] },
  });
  expect(world.stores.projects.byName('h1-a')).toEqual(project);
  const [entry] = world.ledger();
  expect(entry?.kind).toBe('project.added');
  expect(entry?.data).toEqual({
    by: 'asha',
    via: 'cli',
    path: '/repositories/h1-a',
    baseBranch: 'main',
    slots: 1,
    dataClass: 'synthetic',
    testCommand: null,
    setupInputs: ['package-lock.json'],
    sandboxRead: ['/home/asha/.nvm'],
  });
});

test('a repository is registered once, and a name is given once', async () => {
  const { world, projects } = setUp();
  await projects.add(add, PERSON);
  world.addRepository('/other/h1-a');
  await expect(projects.add(add, PERSON)).rejects.toMatchObject({ code: 'project-already-registered' });
  await expect(projects.add({ path: '/other/h1-a', settings: {} }, PERSON)).rejects.toMatchObject({
    code: 'project-name-taken',
  });
  await expect(
    projects.add({ path: '/other/h1-a', name: 'second', settings: {} }, PERSON),
  ).resolves.toMatchObject({ name: 'second' });
});

test.each([
  ['nine slots', { slots: 9 }],
  ['half a slot', { slots: 0.5 }],
  ['a name that begins like an option', { name: '-x' }],
  ['a name that turns the text around', { name: 'a\u202Eb' }],
  ['a name with an escape sequence', { name: '\u001B[31mred' }],
  ['a name that ends with a line feed', { name: 'shop\n' }],
  ['a name that leads out', { name: '../x' }],
  ['a name with a folder in it', { name: 'a/b' }],
  ['a name with a folder of Windows in it', { name: String.raw`a\b` }],
  ['a name that is a folder', { name: '..' }],
  ['a name that is blank', { name: '  ' }],
  ['a model that is an option', { settings: { model: '--dangerous' } }],
  ['a model with an escape sequence', { settings: { model: 'son\u001B[2Jnet' } }],
  ['a shared path that leads out', { settings: { share: ['../secrets'] } }],
  ['an absolute forbidden path', { settings: { forbiddenPaths: ['/etc'] } }],
  ['a pattern that is none', { settings: { dataPatterns: { folio: '(' } } }],
  ['an account that is an option', { settings: { runTestsAs: '-u root' } }],
  ['a shell command in two words', { settings: { shell: true, testCommand: ['npm', 'test'] } }],
  ['a negative budget', { settings: { budgetUsd: -1 } }],
])('%s is refused as wrong use, and nothing is stored', async (_what, given) => {
  const { world, projects } = setUp();
  await expect(projects.add({ ...add, ...given }, PERSON)).rejects.toMatchObject({ code: 'usage' });
  expect(world.stores.projects.list()).toEqual([]);
});

test('the name of a folder that is no name is refused with what to do', async () => {
  const { world, projects } = setUp();
  world.addRepository('/work/a\u001B[2Jb');
  await expect(projects.add({ path: '/work/a\u001B[2Jb', settings: {} }, PERSON)).rejects.toMatchObject({
    code: 'usage',
    message: 'A project name "a\u241B[2Jb" has characters that cannot be seen.',
    hint: 'Give another one: --name NAME at project add, name=NAME at project set.',
  });
});

test('real data is an opt-in of its own in the ledger, given and taken back', async () => {
  const { world, projects } = setUp();
  const project = await projects.add({ ...add, settings: { dataClass: 'real' } }, PERSON);
  await projects.change(project.id, { settings: { dataClass: 'synthetic' } }, PERSON);
  expect(world.ledger('policy.data_class').map((entry) => entry.data)).toEqual([
    { by: 'asha', via: 'cli', old: null, new: 'real' },
    { by: 'asha', via: 'cli', old: 'real', new: 'synthetic' },
  ]);
});

test('consent to tests without a sandbox is an entry of its own', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  await projects.change(project.id, { settings: { allowUnconfinedTests: true } }, PERSON);
  expect(world.ledger('policy.unconfined_tests').map((entry) => entry.data)).toEqual([
    { by: 'asha', via: 'cli', old: false, new: true },
  ]);
});

test('an agent whose tests need an account takes no project without a usable one', async () => {
  const { world, projects } = setUp();
  world.stores.agents.put({ ...DEFAULT_AGENT, testsUnderAccount: true });
  world.unusableAccounts.set('shared', 'The account shared cannot be reaped.');
  await expect(projects.add(add, PERSON)).rejects.toMatchObject({ code: 'account-unusable' });
  await expect(projects.add({ ...add, settings: { runTestsAs: 'shared' } }, PERSON)).rejects.toThrow(
    'runTestsAs: The account shared cannot be reaped.',
  );
  await expect(
    projects.add({ ...add, settings: { runTestsAs: 'signalbox-tests' } }, PERSON),
  ).resolves.toMatchObject({ name: 'h1-a' });
});

test('a project without the account that its agent wants can still be renamed and set', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  world.stores.agents.put({ ...DEFAULT_AGENT, testsUnderAccount: true });
  const renamed = await projects.change(project.id, { name: 'renamed' }, PERSON);
  expect(renamed).toMatchObject({ name: 'renamed' });
  await projects.change(project.id, { settings: { model: 'opus' } }, PERSON);
  await expect(projects.change(project.id, { settings: { agent: 'other' } }, PERSON)).rejects.toBeDefined();
});

test('an account that cannot be used is refused when it is named, also while the switch of the agent is off', async () => {
  const { world, projects } = setUp();
  world.unusableAccounts.set('ghost', 'There is no account "ghost" on this machine.');
  const refused = { code: 'account-unusable', message: /^runTestsAs: There is no account "ghost"/ };
  const given = { settings: { runTestsAs: 'ghost' } };
  await expect(projects.add({ ...add, ...given }, PERSON)).rejects.toMatchObject({ code: refused.code });
  const project = await projects.add(add, PERSON);
  await expect(projects.change(project.id, given, PERSON)).rejects.toThrow(refused.message);
  await projects.change(project.id, { settings: { runTestsAs: 'tests' } }, PERSON);
  // Gone since: other settings can still be changed.
  world.unusableAccounts.set('tests', 'There is no account "tests" on this machine.');
  await expect(projects.change(project.id, { settings: { model: 'opus' } }, PERSON)).resolves.toMatchObject({
    settings: { model: 'opus', runTestsAs: 'tests' },
  });
});

test('a project says so while its account for tests is not used', async () => {
  const { world, projects } = setUp();
  const project = await projects.add({ ...add, settings: { runTestsAs: 'tests' } }, PERSON);
  expect(projects.figures(project.id).notices).toEqual([
    expect.stringMatching(/^Tests do not run as tests: testsUnderAccount of the agent claude is off/),
  ]);
  world.stores.agents.put({ ...DEFAULT_AGENT, testsUnderAccount: true });
  expect(projects.figures(project.id).notices).toEqual([]);
});

test('a project says so while the interpreter of an environment lies where test runs do not look', () => {
  const facts = {
    ...makeProject().facts,
    interpreters: [
      { environment: '.venv', needs: '/home/asha/.pyenv', asRead: '~/.pyenv' },
      { environment: 'env', needs: '/root/.local/share/uv', asRead: '/root/.local/share/uv' },
    ],
  };
  const told = (...sandboxRead: string[]) =>
    interpreterNotice(makeProject({ name: 'shop', facts, settings: { sandboxRead } }));
  expect(told('~/.tool')).toBe(
    'The interpreter of .venv, env lies in ~/.pyenv, /root/.local/share/uv, which test runs do not see. ' +
      `Let them read it: signalbox project set shop sandboxRead='["~/.tool","~/.pyenv","/root/.local/share/uv"]'`,
  );
  expect(told('/home/asha/.pyenv')).toMatch(/^The interpreter of env lies in/);
  expect(told('~/.pyenv', '/root/.local')).toBeNull();
  expect(interpreterNotice(makeProject())).toBeNull();
});

test('an unknown agent is named with those that are known', async () => {
  const { projects } = setUp();
  await expect(projects.add({ ...add, settings: { agent: 'codex' } }, PERSON)).rejects.toMatchObject({
    code: 'not-found',
    hint: 'Known: claude.',
  });
});

test('a change tells old and new value of every field in one entry, money in micro-dollars', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  const changed = await projects.change(
    project.id,
    { name: 'h1', slots: 3, settings: { perCallUsd: 0.25, model: 'opus', testCommand: ['npm', 'test'] } },
    PERSON,
  );
  expect(world.stores.projects.get(project.id)).toEqual(changed);
  expect(world.ledger('project.changed')).toEqual([
    {
      kind: 'project.changed',
      data: {
        by: 'asha',
        via: 'cli',
        changes: {
          name: { old: 'h1-a', new: 'h1' },
          slots: { old: 1, new: 3 },
          perCallMicroUsd: { old: null, new: 250_000 },
          model: { old: null, new: 'opus' },
          testCommand: { old: null, new: ['npm', 'test'] },
        },
      },
    },
  ]);
});

test('a change leaves alone what it does not name, and clearing goes back to the default', async () => {
  const { projects } = setUp();
  const project = await projects.add({ ...add, settings: { stallMinutes: 9, callsPerDay: 4 } }, PERSON);
  const named = await projects.change(project.id, { settings: { merge: 'ff' } }, PERSON);
  expect(named.settings).toEqual({ ...project.settings, merge: 'ff' });
  const cleared = await projects.change(
    project.id,
    { clear: ['stallMinutes', 'callsPerDay', 'merge', 'sandboxRead'] },
    PERSON,
  );
  expect(cleared.settings).toMatchObject({
    stallMinutes: 5,
    merge: 'merge',
    sandboxRead: ['/home/asha/.nvm'],
  });
  expect(cleared.settings).not.toHaveProperty('callsPerDay');
  await expect(projects.change(project.id, { clear: ['stalMinutes'] }, PERSON)).rejects.toMatchObject({
    code: 'usage',
  });
});

test('a change that changes nothing leaves no entry', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  await projects.change(project.id, { slots: 1, settings: { merge: 'merge' } }, PERSON);
  projects.setSlots(project.id, 1, PERSON);
  expect(world.ledger().map((entry) => entry.kind)).toEqual(['project.added']);
});

test('names that must not occur stay out of the ledger', async () => {
  const { world, projects } = setUp();
  const project = await projects.add({ ...add, settings: { denyNames: ['Meera Iyer'] } }, PERSON);
  await projects.change(project.id, { settings: { denyNames: ['Meera Iyer', 'Ravi Menon'] } }, PERSON);
  const text = JSON.stringify(world.ledger());
  expect([text.includes('Meera'), text.includes('Ravi'), text.includes('"entries":2')]).toEqual([
    false,
    false,
    true,
  ]);
});

test('two changes at once both hold', async () => {
  const { projects } = setUp();
  const project = await projects.add(add, PERSON);
  await Promise.all([
    projects.change(project.id, { settings: { stallMinutes: 7 } }, PERSON),
    projects.change(project.id, { settings: { maxQuestions: 1 } }, PERSON),
  ]);
  const { settings } = await projects.change(project.id, {}, PERSON);
  expect([settings.stallMinutes, settings.maxQuestions]).toEqual([7, 1]);
});

test('the base branch stays while tasks stand on it', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  const task = world.addTask(project, { state: 'awaiting_human' });
  world.addTree(task);
  await expect(projects.change(project.id, { base: 'next' }, PERSON)).rejects.toMatchObject({
    code: 'project-has-open-tasks',
  });
  world.stores.tasks.update({ ...task, state: 'done' });
  await expect(projects.change(project.id, { base: 'next' }, PERSON)).resolves.toMatchObject({
    baseBranch: 'next',
  });
});

test('switching on forgets why Signalbox had switched it off', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  world.stores.projects.update({ ...project, isEnabled: false, disabledReason: 'safety stop: outside-tree' });
  expect(projects.setEnabled(project.id, true, PERSON)).toMatchObject({
    isEnabled: true,
    disabledReason: null,
  });
  expect(world.ledger('project.enabled').map((entry) => entry.data)).toEqual([
    { by: 'asha', via: 'cli', old: false, new: true, reasonBefore: 'safety stop: outside-tree' },
  ]);
});

test('a project with a task that has not ended is not removed', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  world.addTask(project, { state: 'draft' });
  await expect(projects.remove(project.id, { purge: false }, PERSON)).rejects.toMatchObject({
    code: 'project-has-open-tasks',
    hint: 'Finish or cancel first: 1.',
  });
});

test('removing drops the trees, hides the project and keeps its tasks; its repository can come back', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  const task = world.addTask(project, { state: 'cancelled' });
  world.addTree(task);
  await projects.remove(project.id, { purge: false }, PERSON);
  expect(world.removedTrees).toEqual([task.id]);
  expect(world.stores.projects.list()).toEqual([]);
  expect(world.stores.tasks.get(task.id)).toEqual(task);
  expect(() => projects.figures(project.id)).toThrow('There is no such project.');
  await expect(projects.add(add, PERSON)).resolves.toMatchObject({ name: 'h1-a' });
});

test('a project whose repository is gone can be taken out, and says where the files of its trees are', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  const task = world.addTask(project, { state: 'cancelled' });
  world.addTree(task);
  world.onRemoveTree = () => {
    throw new AppError('project-folder-missing', 'The repository is not there any more.');
  };
  expect(await projects.remove(project.id, { purge: false }, PERSON)).toEqual({
    leftIn: [`/leftovers/${task.id}`],
  });
  expect(world.stores.projects.list()).toEqual([]);
});

test('a task that is added while trees are removed keeps the project', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  world.addTree(world.addTask(project, { state: 'done' }));
  world.onRemoveTree = () => void world.addTask(project);
  await expect(projects.remove(project.id, { purge: true }, PERSON)).rejects.toMatchObject({
    code: 'project-has-open-tasks',
  });
  expect(world.stores.tasks.list().map((task) => task.title)).toEqual([
    'round the totals',
    'round the totals',
  ]);
});

test('without a hub a project that still has trees is not removed', async () => {
  const { world, projects } = setUp(false);
  const project = await projects.add(add, PERSON);
  world.addTree(world.addTask(project, { state: 'done' }));
  await expect(projects.remove(project.id, { purge: false }, PERSON)).rejects.toMatchObject({
    code: 'hub-not-running',
  });
});

test('purging leaves figures and ledger but no text', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  const task = world.addTask(project, { state: 'done', title: 'SECRET title', description: 'SECRET words' });
  world.addTurn(task, { from: 0, to: 10, costMicroUsd: 1234 });
  world.addItem(task, { state: 'answered', question: 'SECRET?', answer: 'SECRET!' });
  await projects.remove(project.id, { purge: true }, PERSON);
  const left = JSON.stringify([world.stores.tasks.list(), world.stores.items.list(), world.ledger()]);
  expect(left).not.toContain('SECRET');
  expect(world.stores.turns.booked({ taskId: task.id })).toBe(1234);
  expect(world.ledger('project.removed').map((entry) => entry.data)).toEqual([
    { by: 'asha', via: 'cli', trees: 0, isPurged: true },
  ]);
});

test('a project in a running spike keeps its agent and stays registered', async () => {
  const { world, projects } = setUp();
  const project = await projects.add(add, PERSON);
  world.stores.agents.put({ ...DEFAULT_AGENT, name: 'second' });
  world.stores.spikes.put(makeSpike({ projectIds: [project.id] }));
  await expect(projects.change(project.id, { settings: { agent: 'second' } }, PERSON)).rejects.toMatchObject({
    code: 'spike-running',
  });
  await expect(projects.remove(project.id, { purge: false }, PERSON)).rejects.toMatchObject({
    code: 'spike-running',
  });
});

test('figures say what was spent and called, which slots are held, and why nothing starts', async () => {
  const { world, projects } = setUp();
  const project = await projects.add({ ...add, slots: 2, settings: { callsPerDay: 1 } }, PERSON);
  const now = world.clock.now();
  const waiting = world.addTask(project, { state: 'awaiting_human' });
  world.addTurn(waiting, { from: now - 5000, to: null });
  const testing = world.addTask(project, { state: 'testing' });
  world.addTurn(testing, {
    from: now - 9000,
    to: now - 1000,
    costMicroUsd: 70_000,
    launch: { isCall: false },
  });
  world.addTurn(testing, {
    from: now - 9000,
    to: now - 1000,
    costMicroUsd: 30_000,
    costBasis: 'assumed',
    launch: { isCall: false },
  });
  const figures = projects.figures(project.id);
  expect({ ...figures, caps: figures.caps.callsPerDay }).toEqual({
    caps: { value: 1, source: 'project' },
    notices: [],
    spentMicroUsd: 100_000,
    assumedMicroUsd: 30_000,
    callsToday: 1,
    slotsInUse: 2,
    hold: "The calls of today are used up: 1 of 1 (the project's number). It goes on after midnight.",
  });
});

test('the widest reason why nothing starts is the one that is told', async () => {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  world.addRepository('/repositories/h1-a');
  let status: HubStatus = QUIET;
  const projects = createProjectService(world.deps(), { status: () => status });
  const project = await projects.add(add, PERSON);
  const hold = () => projects.figures(project.id).hold;
  const told: (string | null)[] = [hold()];
  status = {
    ...QUIET,
    holds: [
      {
        kind: 'usage-limit',
        reason: 'The usage limit is reached.',
        since: epochMs(0),
        until: epochMs(Date.UTC(2026, 2, 2, 12)),
        probeAt: epochMs(0),
        item: null,
      },
    ],
  };
  told.push(hold());
  projects.setEnabled(project.id, false, PERSON);
  told.push(hold());
  status = { ...status, killed: { since: epochMs(0), reason: 'lunch', by: 'asha' } };
  told.push(hold());
  expect(told).toEqual([
    null,
    'The usage limit is reached. (until 2026-03-02T12:00:00.000Z)',
    'The project is switched off.',
    'The kill switch is engaged: lunch',
  ]);
});
