import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../../../src-main/core/ports/harness.ts';
import { isoTime, millis } from '../../../src-shared/time.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { ApiWorld } from '../../support/api-world.ts';
import { PERSON } from '../../support/service-world.ts';

let calls = 0;
const tool = (name: string, path: string): TurnEvent => {
  calls += 1;
  return { kind: 'tool', id: `t${calls}`, name, input: '{}', path };
};

describe('what stands beside an item', () => {
  test('says what was asked, what the turn did in three lines, and the facts of it', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const { clock } = services;
    const project = services.addProject();
    const task = services.addTask(project, {
      state: 'awaiting_human',
      description: 'Round line totals properly.',
    });
    services.addTree(task);
    const tree = `/trees/${task.id}`;
    const from = clock.now();
    const turn = services.addTurn(task, { from, to: from + 161_000, costMicroUsd: 210_000 });
    clock.advance(millis(10_000));
    world.addEvents(task, turn, [
      tool('Read', `${tree}/src/invoice/a.ts`),
      tool('Read', `${tree}/src/invoice/b.ts`),
      tool('Read', `${tree}/test/invoice/a.test.ts`),
      tool('Read', `${tree}/src/invoice/a.ts`),
      tool('Grep', `${tree}/src`),
    ]);
    clock.advance(millis(60_000));
    world.addEvents(task, turn, [tool('Edit', `${tree}/src/invoice/a.ts`), tool('Edit', 'src/invoice/a.ts')]);
    clock.advance(millis(91_000));
    world.stores.ledger.append({
      kind: 'harness.result',
      taskId: task.id,
      data: {
        turn: turn.id,
        numTurns: 11,
        denials: 2,
        costMicroUsd: microUsd(210_000),
        costBasis: 'reported',
      },
    });
    world.diffs.set(
      task.id,
      'diff --git a/src/invoice/a.ts b/src/invoice/a.ts\n--- a/src/invoice/a.ts\n+++ b/src/invoice/a.ts\n@@ -1,2 +1,3 @@\n-old\n+new\n+newer\n same\n',
    );
    const item = services.addItem(task, { cycle: 2, runId: turn.runId });

    expect(await world.call.inbox.context({ item: item.number })).toEqual({
      item: item.number,
      asked: { title: task.title, description: 'Round line totals properly.', at: isoTime(from) },
      soFar: [
        {
          kind: 'read',
          at: isoTime((from + 10_000) as never),
          files: 3,
          folders: ['src/invoice', 'test/invoice'],
        },
        {
          kind: 'changed',
          at: isoTime((from + 70_000) as never),
          files: 1,
          paths: [{ path: 'src/invoice/a.ts', added: 2, removed: 1 }],
          isCommitted: false,
        },
        {
          kind: 'stopped',
          at: isoTime((from + 161_000) as never),
          outcome: 'done',
          durationS: 161,
        },
      ],
      turnId: turn.id,
      facts: {
        question: { number: 2, of: 3 },
        attempt: { number: 1, counted: 0, of: 3 },
        sessionId: turn.sessionId,
        session: turn.sessionId.slice(0, 8),
        branch: `signalbox/${task.number}-round`,
        baseBranch: 'main',
        merge: 'merge',
        workedS: 161,
        cost: { turnUsd: 0.21, taskUsd: 0.21, assumedUsd: 0, perCallUsd: 0.5 },
        changes: { files: 1, added: 2, removed: 1 },
        tests: null,
        denied: 2,
      },
    });
  });

  test('tells only of the turn that led to it, not of one that came after or ran in another task', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const { clock } = services;
    const project = services.addProject();
    const task = services.addTask(project);
    const other = services.addTask(project);
    const first = services.addTurn(task, { from: clock.now(), to: clock.now() + 1000 });
    const ofOther = services.addTurn(other, { from: clock.now(), to: null });
    world.addEvents(other, ofOther, [tool('Read', 'other.ts')]);
    world.addEvents(task, first, [tool('Read', 'first.ts')]);
    const item = services.addItem(task, { runId: first.runId });
    clock.advance(millis(60_000));
    const second = services.addTurn(task, { from: clock.now(), to: clock.now() + 1000 });
    world.addEvents(task, second, [tool('Read', 'a/second.ts'), tool('Read', 'a/third.ts')]);

    const context = await world.call.inbox.context({ item: item.number });

    expect({ turn: context.turnId, read: context.soFar[0] }).toEqual({
      turn: first.id,
      read: expect.objectContaining({ files: 1, folders: ['.'] }) as unknown,
    });
  });

  test('counts the questions that were asked in the run before work is offered', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const task = services.addTask(services.addProject());
    const turn = services.addTurn(task, { from: 1, to: 2 });
    const offer = async () => {
      const { number } = services.addItem(task, { kind: 'approve', cycle: null, runId: turn.runId });
      return (await world.call.inbox.context({ item: number })).facts.question;
    };
    expect(await offer()).toBeNull();
    services.addItem(task, { cycle: 1, runId: turn.runId });
    services.addItem(task, { cycle: 2, runId: turn.runId });
    services.addItem(services.addTask(services.addProject({ name: 'other' })), { cycle: 1 });
    expect(await offer()).toEqual({ number: 2, of: 3 });
  });

  test('of an item of the whole hub is empty', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const task = services.addTask(services.addProject());
    const item = services.addItem(task, { kind: 'manual', cause: 'login', taskId: null, projectId: null });
    const context = await world.call.inbox.context({ item: item.number });
    expect({ asked: context.asked, soFar: context.soFar, changes: context.facts.changes }).toEqual({
      asked: null,
      soFar: [],
      changes: null,
    });
  });
});

describe('the list of items', () => {
  test('has one line of each, and says whose words it is', async () => {
    using world = new ApiWorld();
    const task = world.services.addTask(world.services.addProject());
    world.services.addItem(task, { question: '  Round\n\n to 2 places? ' });
    world.services.addItem(task, { kind: 'approve', question: 'Ready.', summary: 'Rounded it.' });
    world.services.addItem(task, {
      kind: 'review',
      cause: 'stall',
      cycle: null,
      question: 'No sign of life.',
    });
    expect((await world.call.inbox.list({})).map((item) => item.excerpt)).toEqual([
      { text: 'Round to 2 places?', by: 'agent' },
      { text: 'Rounded it.', by: 'agent' },
      { text: 'No sign of life.', by: 'signalbox' },
    ]);
  });

  test('with today brings those that were closed today, and none of yesterday', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const project = services.addProject();
    const asked = () =>
      services.addItem(services.addTask(project, { state: 'awaiting_human' }), { options: [] });
    const yesterday = asked();
    world.stores.ledger.append({ kind: 'item.responded', item: yesterday.number, data: {} });
    world.stores.items.update({ ...yesterday, state: 'answered', delivery: 'seen' });
    services.clock.advance(millis(24 * 3600 * 1000));
    const today = asked();
    world.stores.ledger.append({ kind: 'item.responded', item: today.number, data: {} });
    world.stores.items.update({ ...today, state: 'answered', delivery: 'seen' });
    const open = asked();

    const numbers = async (input: { today?: boolean; all?: boolean }) =>
      (await world.call.inbox.list(input)).map((item) => item.number);

    expect(await numbers({})).toEqual([open.number]);
    expect(await numbers({ today: true })).toEqual([today.number, open.number]);
    expect(await numbers({ all: true })).toEqual([yesterday.number, today.number, open.number]);
  });

  test('can be that of one task or one project', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const one = services.addTask(services.addProject());
    const two = services.addTask(services.addProject({ name: 'other' }));
    const ofOne = services.addItem(one);
    const ofTwo = services.addItem(two);
    expect((await world.call.inbox.list({ task: one.number })).map(({ number }) => number)).toEqual([
      ofOne.number,
    ]);
    expect((await world.call.inbox.list({ project: 'other' })).map(({ number }) => number)).toEqual([
      ofTwo.number,
    ]);
  });
});

test('an item taken back and answered again is listed once', async () => {
  using world = new ApiWorld();
  const { services } = world;
  const task = services.addTask(services.addProject(), { state: 'awaiting_human' });
  services.addTurn(task, { from: 1, to: 2 });
  const runId = world.stores.runs.ofTask(task.id)[0]?.id ?? null;
  world.stores.tasks.update({ ...task, runId });
  const item = services.addItem(task, { runId });
  const asked = { ...PERSON, via: 'web' as const };
  world.core.inbox.answer(item.number, 'two places', asked);
  world.core.inbox.undo(item.number, asked);
  world.core.inbox.answer(item.number, 'three places', asked);
  const listed = await world.call.inbox.list({ today: true });
  expect(listed.map(({ number, state, answer }) => ({ number, state, answer }))).toEqual([
    { number: item.number, state: 'answered', answer: 'three places' },
  ]);
});
