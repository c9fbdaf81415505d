import { expect, test } from 'vitest';
import { TRAY_WORDS } from '../../../../src-main/hosts/electron/tray-words.ts';
import {
  createUpdates,
  type Updater,
  type UpdateState,
} from '../../../../src-main/hosts/electron/updates.ts';

/** A person who answers every question as given, and an updater that is played. */
function place(
  given: Partial<Updater> & { readonly answers?: readonly boolean[]; readonly running?: number },
) {
  const told: string[] = [];
  const states: UpdateState[] = [];
  const answers = [...(given.answers ?? [])];
  const updates = createUpdates({
    updater: {
      check: () => Promise.resolve('2.0.0'),
      download: (onProgress) => {
        for (const percent of [10, 10, 100]) onProgress(percent);
        return Promise.resolve();
      },
      install: () => told.push('install'),
      ...given,
    },
    log: { info: () => undefined, warn: (message) => told.push(`log: ${message}`), error: () => undefined },
    words: () => TRAY_WORDS.en.updates,
    confirm: ({ message, detail }) => {
      told.push(`${message} ${detail}`);
      return Promise.resolve(answers.shift() ?? false);
    },
    tell: (message, detail) => {
      told.push(`${message} ${detail}`.trim());
      return Promise.resolve();
    },
    running: () => given.running ?? 0,
    leave: (install) => {
      told.push('all is stopped');
      install();
    },
    changed: () => states.push(updates.state),
  });
  return { updates, told, states };
}

test('nothing is looked for by itself', () => {
  const { updates, told } = place({ check: () => Promise.reject(new Error('not asked for')) });
  expect([updates.state, told]).toEqual([{ kind: 'idle' }, []]);
});

test('a version is found, fetched and installed, each only when a person says so, after all is stopped', async () => {
  const { updates, told, states } = place({ answers: [true, true], running: 2 });
  await updates.go();
  expect(told).toEqual([
    'Version 2.0.0 is there. It is fetched in the background, and installed when you say so.',
    'Install version 2.0.0 now? Signalbox ends and comes back as the new version. That interrupts 2 agents; sessions stay and go on afterwards.',
    'all is stopped',
    'install',
  ]);
  expect(states).toEqual([
    { kind: 'checking' },
    { kind: 'idle' },
    { kind: 'loading', version: '2.0.0', percent: 0 },
    { kind: 'loading', version: '2.0.0', percent: 10 },
    { kind: 'loading', version: '2.0.0', percent: 100 },
    { kind: 'ready', version: '2.0.0' },
  ]);
});

test('what was fetched waits, and is offered again without being fetched again', async () => {
  let fetched = 0;
  const download = () => {
    fetched += 1;
    return Promise.resolve();
  };
  const { updates, told } = place({ download, answers: [true, false, true] });
  await updates.go();
  expect([updates.state, told.includes('install')]).toEqual([{ kind: 'ready', version: '2.0.0' }, false]);
  await updates.go();
  expect([fetched, told.at(-1)]).toEqual([1, 'install']);
});

test('without a newer version, or with a no, nothing is fetched', async () => {
  const download = () => Promise.reject(new Error('not asked for'));
  const newest = place({ check: () => Promise.resolve(null), download });
  await newest.updates.go();
  expect(newest.told).toEqual(['This is the newest version.']);
  const refused = place({ answers: [false], download });
  await refused.updates.go();
  expect([refused.updates.state, refused.told.length]).toEqual([{ kind: 'idle' }, 1]);
});

test.each([
  ['the look', { check: () => Promise.reject(new Error('no network\nat line 1')) }],
  ['the fetching', { answers: [true], download: () => Promise.reject(new Error('no network')) }],
])('a failure of %s is told in one line, and can be tried again', async (_what, given) => {
  const { updates, told } = place(given);
  await updates.go();
  expect(told.slice(-2)).toEqual(['log: an update failed', 'The update did not work. no network']);
  expect(updates.state).toEqual({ kind: 'idle' });
});

test('a second press while it looks or fetches starts nothing', async () => {
  let checks = 0;
  const answer = Promise.withResolvers<string | null>();
  const { updates } = place({
    check: () => {
      checks += 1;
      return answer.promise;
    },
  });
  const first = updates.go();
  await updates.go();
  answer.resolve(null);
  await first;
  expect(checks).toBe(1);
});
