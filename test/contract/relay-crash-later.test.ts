import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askPerson } from '../support/model-server/replies.ts';
import { byTurn } from '../support/model-server/script.ts';
import { waitUntil } from '../support/wait-until.ts';
import { makeRelayPlace, type RelayPlace } from './support/relay-place.ts';
import { ANSWER, crash, driveToDone, QUESTION, start, WORK } from './support/relay-steps.ts';

let place: RelayPlace;
beforeEach(async () => {
  place = await makeRelayPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

/** Waits in the worktree for a file `go`, having written `started`, then runs the real tests. */
const SLOW_TEST = {
  'slow_test.py': [
    'import os, subprocess, sys, time',
    'open("started", "w").close()',
    'while not os.path.exists("go"):',
    '    time.sleep(0.02)',
    'sys.exit(subprocess.call([sys.executable, "-m", "unittest"]))',
    '',
  ].join('\n'),
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
describe('a hub that is killed', () => {
  test('in the middle of a test run tests again', async () => {
    const { world } = place;
    const { repository, task, hub } = await start(place, byTurn(askPerson(QUESTION), ...WORK), {
      files: SLOW_TEST,
      withoutTests: true,
      flags: ['--test', '["python3","slow_test.py"]'],
    });
    const question = await world.untilItem('specify', task);
    const { worktree } = await world.task(task);
    if (worktree === null) throw new Error('the task has no worktree');
    await world.json(['answer', String(question.number), '--text', ANSWER]);
    await waitUntil('the tests run', () => exists(path.join(worktree, 'started')), { withinMs: 30_000 });
    expect(await world.task(task)).toMatchObject({ state: 'testing' });
    await crash(place, hub);
    await writeFile(path.join(worktree, 'go'), '');
    await world.startHub();
    await driveToDone(place, repository, task);
    expect((await repository.git('ls-tree', '--name-only', 'main')).split('\n')).not.toContain('started');
  });

  test('before an approval merges when the next one runs', async () => {
    const { world } = place;
    const { repository, task, hub } = await start(place, byTurn(askPerson(QUESTION), ...WORK));
    const question = await world.untilItem('specify', task);
    await world.json(['answer', String(question.number), '--text', ANSWER]);
    const offer = await world.untilItem('approve', task);
    await crash(place, hub);
    const before = await repository.git('rev-parse', 'main');
    await world.json(['approve', String(offer.number)]);
    expect(await repository.git('rev-parse', 'main')).toBe(before);
    await world.startHub();
    await driveToDone(place, repository, task);
  });

  test('right after an approval was accepted merges once', async () => {
    const { world } = place;
    const { repository, task, hub } = await start(place, byTurn(askPerson(QUESTION), ...WORK));
    const question = await world.untilItem('specify', task);
    await world.json(['answer', String(question.number), '--text', ANSWER]);
    const offer = await world.untilItem('approve', task);
    await world.json(['approve', String(offer.number)]);
    await crash(place, hub);
    await world.startHub();
    await driveToDone(place, repository, task);
    const merged = await repository.git('log', '--format=%H', 'main', '--', 'invoice.py');
    expect(merged.split('\n').length).toBeLessThanOrEqual(2);
  });
});
