import { describe, expect, test } from 'vitest';
import { PREFERENCE_NAMES } from '../../../src-shared/model/preferences.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { notifyPreferences } from '../../../src-main/core/notify/preferences.ts';
import { readPreferences } from '../../../src-main/core/settings/preferences.ts';
import { ApiWorld } from '../../support/api-world.ts';

describe('preferences', () => {
  test('all have their default until a person sets one, and go back to it when cleared', async () => {
    using world = new ApiWorld();
    const { preferences: before } = await world.call.settings.show();
    expect(Object.keys(before).sort()).toEqual([...PREFERENCE_NAMES].sort());
    expect([...new Set(Object.values(before).map(({ source }) => source))]).toEqual(['default']);

    const quietHours = { from: '22:00', to: '07:30' };
    const { preferences: set } = await world.call.settings.change({
      change: { theme: 'dark', quietHours, notifyFinished: false, shortcut: null },
    });
    expect([set.theme, set.quietHours, set.notifyFinished, set.shortcut, set.language]).toEqual([
      { value: 'dark', default: 'system', source: 'person' },
      { value: quietHours, default: null, source: 'person' },
      { value: false, default: true, source: 'person' },
      { value: null, default: 'CommandOrControl+Shift+Space', source: 'person' },
      { value: 'system', default: 'system', source: 'default' },
    ]);

    const { preferences: cleared } = await world.call.settings.change({ clear: ['theme', 'quietHours'] });
    expect([cleared.theme.source, cleared.quietHours.value, cleared.notifyFinished.value]).toEqual([
      'default',
      null,
      false,
    ]);
  });

  test('that are changed are told to whoever watches', async () => {
    using world = new ApiWorld();
    let told = 0;
    const listener = world.feed.listen(() => (told += 1));
    await world.call.settings.change({ change: { letterKeys: false } });
    listener.dispose();
    expect(told).toBe(1);
  });

  test.each([
    { theme: 'pink' },
    { quietHours: { from: '25:00', to: '07:00' } },
    { quietHours: { from: '22:00' } },
    { shortcut: 'Ctrl+<script>' },
    { fontSize: 12 },
  ])('%j is refused and changes nothing', async (change) => {
    using world = new ApiWorld();
    await expect(world.call.settings.change({ change: change as never })).rejects.toThrow();
    expect(world.stores.settings.get('preferences')).toBeNull();
  });

  test('that another version wrote and this one does not know count as not set', () => {
    using world = new ApiWorld();
    world.stores.settings.set('preferences', { theme: 'sepia', letterKeys: false, unknown: 1 });
    const read = readPreferences(world.stores);
    expect([read.theme, read.letterKeys]).toEqual(['system', false]);
    expect(Object.keys(read).sort()).toEqual([...PREFERENCE_NAMES].sort());
  });

  test('decide what notifications tell', async () => {
    using world = new ApiWorld();
    await world.call.settings.change({
      change: { language: 'de', notifyLimit: false, quietHours: { from: '22:00', to: '06:00' } },
    });
    expect(notifyPreferences((await world.call.settings.show()).preferences)).toEqual({
      kinds: {
        question: true,
        approval: true,
        permission: true,
        needsYou: true,
        finished: true,
        limit: false,
        kill: true,
      },
      quietHours: { from: '22:00', to: '06:00' },
      language: 'de',
    });
  });
});

describe('the configuration', () => {
  test('is shown with the line that each value comes from', async () => {
    using world = new ApiWorld();
    const value = { name: 'maxProcesses', value: 8, default: 4, source: 'config', line: 14 } as const;
    world.machine.config = () => Promise.resolve({ file: '/config/config.toml', values: [value] });
    expect((await world.call.settings.show()).config).toEqual({
      file: '/config/config.toml',
      folder: '/config',
      values: [value],
      problem: null,
    });
  });

  test('that is broken leaves the screen open on which it is told', async () => {
    using world = new ApiWorld();
    world.machine.config = () => Promise.reject(new AppError('config-invalid', '/config/config.toml:3: no.'));
    expect((await world.call.settings.show()).config).toEqual({
      file: null,
      folder: '/config',
      values: [],
      problem: '/config/config.toml:3: no.',
    });
  });
});

test('the policy says what holds for each project and where it was set', async () => {
  using world = new ApiWorld();
  world.services.addProject({ name: 'h1-a', settings: { perCallUsd: 0.2, keepTranscriptsDays: null } });
  const policy = await world.call.settings.policy();
  const [project] = policy.projects;
  expect([policy.version, policy.dataFolder, policy.killFile]).toEqual(['0.0.0-test', '/data', '/data/KILL']);
  expect(policy.defaults.map(({ name, value }) => [name, value])).toEqual([
    ['perCallUsd', 0.5],
    ['budgetUsd', 10],
    ['callsPerDay', 20],
    ['callTimeoutS', 900],
    ['maxQuestions', 3],
    ['maxAttempts', 3],
  ]);
  expect(project?.caps[0]).toEqual({ name: 'perCallUsd', value: 0.2, source: 'project' });
  expect(project?.caps[1]).toEqual({ name: 'budgetUsd', value: 10, source: 'default' });
  expect(project?.retention).toEqual({ turnEventsDays: 90, transcriptsDays: null, testOutputDays: 30 });
});
