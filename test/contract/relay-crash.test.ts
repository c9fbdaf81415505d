import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KillReceiptView } from '../../src-shared/api/hub.ts';
import type { ChainView } from '../../src-shared/api/ledger.ts';
import { createGate, type Gate } from '../support/model-server/gate.ts';
import { askPerson, finish, type Reply } from '../support/model-server/replies.ts';
import { byTurn, scenarioTag, type Script } from '../support/model-server/script.ts';
import type { RunningHub } from '../support/relay-world.ts';
import type { SampleRepository } from '../support/sample-repositories.ts';
import { waitUntil } from '../support/wait-until.ts';
import { makeRelayPlace, ROUND_TOTAL, type RelayPlace } from './support/relay-place.ts';

let place: RelayPlace;
beforeEach(async () => {
  place = await makeRelayPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

const QUESTION = 'Which rounding?';
const ANSWER = 'Two places, please.';
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

/** The first reply comes at the gate; when the request is repeated after the crash, the gate is passed by. */
function onceAt(gate: Gate, reply: Reply): Script {
  let isFirst = true;
  return () => {
    if (!isFirst) return reply;
    isFirst = false;
    return { ...reply, before: gate } as Reply;
  };
}

async function start(script: Script, options: Parameters<RelayPlace['world']['addProject']>[1] = {}) {
  const { world, model } = place;
  model.script('crash', script);
  const repository = await world.addProject('h1-a', options);
  const task = await world.addTask('h1-a', 'Round', `Round the totals. ${scenarioTag('crash')}`);
  return { repository, task, hub: await world.startHub() };
}

/** Kills the hub alone, and proves that everything it had started goes with it. */
async function crash(hub: RunningHub): Promise<void> {
  await hub.crash();
  await place.world.untilNoProcess();
}

/** Answers and approves whatever comes until the task is done; then looks at what the model was told. */
async function driveToDone(repository: SampleRepository, task: number): Promise<void> {
  const { world, model } = place;
  await world.until('the task is done', async () => {
    for (const item of await world.inbox()) {
      if (item.kind === 'specify') await world.json(['answer', String(item.number), '--text', ANSWER]);
      else if (item.kind === 'approve') await world.json(['approve', String(item.number)]);
      else throw new Error(`unexpected item: ${item.kind} ${item.cause} ${item.question}`);
    }
    return (await world.task(task)).state === 'done';
  });
  expect(await repository.show('main', 'invoice.py')).toContain('round(sum(items), 2)');
  const requests = model.requestsOf('crash');
  expect(new Set(requests.map((request) => request.sessionId)).size).toBe(1);
  const texts = requests.at(-1)?.userTexts ?? [];
  expect(texts.filter((text) => text.includes(scenarioTag('crash')))).toHaveLength(1);
  expect(texts.filter((text) => text.includes(`\n${ANSWER}\n`))).toHaveLength(1);
  expect(await world.task(task)).toMatchObject({ state: 'done', countedAttempts: 0, questions: 1 });
  expect(await world.json<ChainView>(['ledger', 'verify', '--full'])).toMatchObject({ ok: true });
}

const WORK = [...ROUND_TOTAL, finish('Rounds to two places.')] as const;

describe('a hub that is killed', () => {
  test('while the first prompt is with the model goes on in the same session', async () => {
    const gate = createGate();
    const { repository, task, hub } = await start(byTurn(onceAt(gate, askPerson(QUESTION)), ...WORK));
    await gate.reached;
    const { sessionId } = await place.world.task(task);
    await crash(hub);
    expect(sessionId).toBe(place.model.requests[0]?.sessionId);
    await place.world.startHub();
    await driveToDone(repository, task);
    expect((await place.world.task(task)).sessionId).toBe(sessionId);
  });

  test('in the middle of the work goes on after the steps that were done', async () => {
    const gate = createGate();
    const [read, edit] = ROUND_TOTAL;
    const { repository, task, hub } = await start(
      byTurn(askPerson(QUESTION), read, edit, onceAt(gate, finish('Rounds to two places.'))),
    );
    const question = await place.world.untilItem('specify', task);
    await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    await gate.reached;
    await crash(hub);
    await place.world.startHub();
    await driveToDone(repository, task);
  });

  test('while a question is open keeps the question', async () => {
    const { repository, task, hub } = await start(byTurn(askPerson(QUESTION), ...WORK));
    const question = await place.world.untilItem('specify', task);
    await crash(hub);
    expect(await place.world.item(question.number)).toEqual(question);
    await place.world.startHub();
    expect(await place.world.item(question.number)).toEqual(question);
    await driveToDone(repository, task);
  });

  test('delivers an answer that was given while no hub ran', async () => {
    const { repository, task, hub } = await start(byTurn(askPerson(QUESTION), ...WORK));
    const question = await place.world.untilItem('specify', task);
    await crash(hub);
    const answered = await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    expect(answered).toMatchObject({ state: 'answered', delivery: 'stored' });
    const again = await place.world.run(['answer', String(question.number), '--text', 'other', '--json']);
    expect(again.exitCode).toBe(5);
    await place.world.startHub();
    await driveToDone(repository, task);
    expect(await place.world.item(question.number)).toMatchObject({ delivery: 'seen', answer: ANSWER });
  });

  test('right after an answer was accepted delivers it once', async () => {
    const { repository, task, hub } = await start(byTurn(askPerson(QUESTION), ...WORK));
    const question = await place.world.untilItem('specify', task);
    await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    await crash(hub);
    await place.world.startHub();
    await driveToDone(repository, task);
  });

  test('while the answer is with the model does not deliver it again', async () => {
    const gate = createGate();
    const [read, edit] = ROUND_TOTAL;
    let isFirst = true;
    const readAtGate: Script = async (request) => {
      const reply = await read(request);
      if (!isFirst) return reply;
      isFirst = false;
      return { ...reply, before: gate } as Reply;
    };
    const { repository, task, hub } = await start(
      byTurn(askPerson(QUESTION), readAtGate, edit, finish('Rounds to two places.')),
    );
    const question = await place.world.untilItem('specify', task);
    await place.world.json(['answer', String(question.number), '--text', ANSWER]);
    await gate.reached;
    await crash(hub);
    await place.world.startHub();
    await driveToDone(repository, task);
    expect(await place.world.item(question.number)).toMatchObject({ delivery: 'seen' });
  });

  test('in the middle of a test run tests again', async () => {
    const { world } = place;
    const { repository, task, hub } = await start(byTurn(askPerson(QUESTION), ...WORK), {
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
    await crash(hub);
    await writeFile(path.join(worktree, 'go'), '');
    await world.startHub();
    await driveToDone(repository, task);
    expect((await repository.git('ls-tree', '--name-only', 'main')).split('\n')).not.toContain('started');
  });

  test('before an approval merges when the next one runs', async () => {
    const { world } = place;
    const { repository, task, hub } = await start(byTurn(askPerson(QUESTION), ...WORK));
    const question = await world.untilItem('specify', task);
    await world.json(['answer', String(question.number), '--text', ANSWER]);
    const offer = await world.untilItem('approve', task);
    await crash(hub);
    const before = await repository.git('rev-parse', 'main');
    await world.json(['approve', String(offer.number)]);
    expect(await repository.git('rev-parse', 'main')).toBe(before);
    await world.startHub();
    await driveToDone(repository, task);
  });

  test('right after an approval was accepted merges once', async () => {
    const { world } = place;
    const { repository, task, hub } = await start(byTurn(askPerson(QUESTION), ...WORK));
    const question = await world.untilItem('specify', task);
    await world.json(['answer', String(question.number), '--text', ANSWER]);
    const offer = await world.untilItem('approve', task);
    await world.json(['approve', String(offer.number)]);
    await crash(hub);
    await world.startHub();
    await driveToDone(repository, task);
    const merged = await repository.git('log', '--format=%H', 'main', '--', 'invoice.py');
    expect(merged.split('\n').length).toBeLessThanOrEqual(2);
  });
});

describe('the kill switch', () => {
  test('ends a running turn, stays engaged over a restart, and its session goes on after the release', async () => {
    const { world, model } = place;
    const gate = createGate();
    const { repository, task, hub } = await start(byTurn(onceAt(gate, askPerson(QUESTION)), ...WORK));
    await gate.reached;
    const receipt = await world.json<KillReceiptView>(['kill', '--reason', 'enough']);
    expect(receipt.alive).toEqual([]);
    expect(receipt.ended.length).toBeGreaterThan(0);
    expect((await world.processes()).filter(({ pid }) => receipt.ended.includes(pid))).toEqual([]);
    expect(await world.task(task)).toMatchObject({ state: 'ready', endedReason: 'cancelled by kill switch' });
    expect(await world.status()).toMatchObject({ killed: { reason: 'enough' } });

    expect(await hub.stop()).toBe(0);
    await world.startHub();
    expect(await world.status()).toMatchObject({ killed: { reason: 'enough' } });
    const requests = model.requests.length;
    const unconfirmed = await world.run(['release', '--json']);
    expect(unconfirmed.exitCode).toBe(2);
    expect(model.requests).toHaveLength(requests);

    await world.json(['release', '--yes']);
    expect(await world.status()).toMatchObject({ killed: null });
    await driveToDone(repository, task);
    const kinds = (await world.ledger('--kind', 'kill.')).map((entry) => entry.kind);
    expect(kinds.length).toBeGreaterThanOrEqual(2);
  });

  test('works by its file alone', async () => {
    const { world } = place;
    const gate = createGate();
    const { repository, task } = await start(byTurn(onceAt(gate, askPerson(QUESTION)), ...WORK));
    await gate.reached;
    const claude = (await world.processes()).filter(({ command }) => command.includes('--session-id'));
    expect(claude).toHaveLength(1);
    await writeFile(path.join(world.data, 'KILL'), 'by hand');
    await waitUntil(
      'the agent is dead',
      async () => (await world.processes()).every(({ pid }) => pid !== claude[0]?.pid),
      { withinMs: 3000 },
    );
    await world.until('the task is ready again', async () => (await world.task(task)).state === 'ready');
    expect(await world.status()).toMatchObject({ killed: { reason: 'by hand' } });
    await world.json(['release', '--yes']);
    await driveToDone(repository, task);
  });
});

test('a second hub on the same data is refused and names the first', async () => {
  const { world } = place;
  const hub = await world.startHub();
  const second = await world.run(['hub', '--json']);
  expect({ exitCode: second.exitCode, json: second.json }).toEqual({
    exitCode: 1,
    json: {
      error: expect.objectContaining({
        code: 'hub-running',
        message: expect.stringContaining(String(hub.pid)),
      }),
    },
  });
  expect(await world.status()).toMatchObject({ running: true, pid: hub.pid });
});
