import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { itemView, wholeTaskView } from '../../../src-main/api/work-views.ts';
import type { TurnOutcome } from '../../../src-main/core/ports/harness.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { EngineWorld, PERSON, done, exited, question, report } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;

beforeEach(async () => {
  folder = makeTempFolder('inbox');
  world = new EngineWorld(folder.path);
  await world.engine.start();
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const view = (item: Item): ItemView => itemView(world.deps, item);

function only(cause: Item['cause'] = null): Item {
  const [item, ...more] = world.open().filter((each) => cause === null || each.cause === cause);
  if (item === undefined || more.length > 0) throw new Error(`${more.length + 1} items or none`);
  return item;
}

async function asked(given: Parameters<EngineWorld['addProject']>[0] = {}) {
  world.executor.script = [{ outcome: question() }];
  const project = world.addProject(given);
  const task = world.addTask(project.id);
  await world.untilState(task.id, 'awaiting_human');
  return { project, task, item: only() };
}

async function askedTooOften() {
  const first = await asked({ settings: { maxQuestions: 1 } });
  world.executor.script = [
    { outcome: { ...question('And the tax?', ['before', 'after']), summary: 'I saw tax.' } as TurnOutcome },
  ];
  world.core.inbox.answer(first.item.number, 'yes', PERSON);
  await world.untilState(first.task.id, 'parked');
  return { ...first, review: only() };
}

describe('taking a response back', () => {
  /** Ways in which nothing starts, and how that ends. */
  const standstills: readonly [string, () => void | Promise<unknown>, () => void][] = [
    [
      'the hub is paused',
      () => world.core.switches.pause(null, PERSON),
      () => world.core.switches.unpause(null, PERSON),
    ],
    [
      'the kill switch is engaged',
      () => world.core.switches.kill('lunch', PERSON),
      () => world.core.switches.release(PERSON),
    ],
  ];

  test.each(standstills)('works for an answer while %s', async (_what, halt, goOn) => {
    const { task, item } = await asked();
    await halt();
    world.core.inbox.answer(item.number, 'wrong', PERSON);
    await world.engine.idle();
    expect(world.core.inbox.undo(item.number, PERSON)).toMatchObject({
      state: 'open',
      answer: 'wrong',
      delivery: 'none',
      respondedBy: null,
    });
    expect(world.task(task.id).state).toBe('awaiting_human');
    expect(world.ledgerKinds()).toContain('item.undone');
    goOn();
    await world.engine.idle();
    expect(world.executor.sent).toHaveLength(1);
    world.core.inbox.answer(item.number, 'right', PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent.map(({ prompt }) => /\n(wrong|right)\n/.exec(prompt)?.[1])).toEqual([
      undefined,
      'right',
    ]);
  });

  test('works for an answer while another task has the only slot', async () => {
    const { project, item } = await asked();
    world.executor.script = [{ hold: true }];
    world.addTask(project.id, 'takes the slot');
    await world.until('the slot is taken', () => world.executor.sent.length === 2);
    world.core.inbox.answer(item.number, 'wrong', PERSON);
    expect(world.core.inbox.undo(item.number, PERSON).state).toBe('open');
  });

  test('works for a note that sends work back, and the same commit can be approved then', async () => {
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'awaiting_approval');
    const offer = only();
    world.core.switches.pause(null, PERSON);
    world.core.inbox.sendBack(offer.number, 'Add a test.', PERSON);
    expect(world.core.inbox.undo(offer.number, PERSON)).toMatchObject({
      state: 'open',
      answer: 'Add a test.',
    });
    expect(world.task(task.id).state).toBe('awaiting_approval');
    world.core.switches.unpause(null, PERSON);
    world.core.inbox.approve(offer.number, {}, PERSON);
    await world.untilState(task.id, 'done');
    expect(world.executor.sent).toHaveLength(1);
  });

  test('works for an answer by hand; the task is parked again with every action', async () => {
    const { task, review } = await askedTooOften();
    world.core.switches.pause(null, PERSON);
    world.core.inbox.resolve(review.number, 'answer', 'after', PERSON);
    expect(world.core.inbox.undo(review.number, PERSON)).toMatchObject({ state: 'open', action: null });
    expect(world.task(task.id)).toMatchObject({ state: 'parked', endedReason: 'too-many-questions' });
    world.core.inbox.resolve(review.number, 'more-questions', null, PERSON);
    expect(world.task(task.id).state).toBe('awaiting_human');
  });

  test('is refused with the reason once a call carries the text', async () => {
    const { task, item } = await asked();
    world.executor.script = [{ hold: true }];
    world.core.inbox.answer(item.number, 'yes', PERSON);
    await world.until('sent', () => world.executor.sent.length === 2);
    expect(() => world.core.inbox.undo(item.number, PERSON)).toThrow(
      /cannot be taken back: it is being delivered to the agent now/,
    );
    expect(world.task(task.id).state).toBe('running');
    await world.core.switches.kill('stop', PERSON);
    expect(() => world.core.inbox.undo(item.number, PERSON)).toThrow(/cannot be taken back/);
    world.core.switches.release(PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(() => world.core.inbox.undo(item.number, PERSON)).toThrow(/the agent has read it/);
  });

  test('is refused for a decision that was acted on, for an open item, and for another person', async () => {
    const { item } = await asked();
    expect(() => world.core.inbox.undo(item.number, PERSON)).toThrow(/is open: there is no response/);
    world.core.switches.pause(null, PERSON);
    world.core.inbox.answer(item.number, 'yes', PERSON);
    expect(() => world.core.inbox.undo(item.number, { name: 'ravi', via: 'cli' })).toThrow(
      /only asha can take it back/,
    );
    world.core.inbox.undo(item.number, PERSON);
    world.core.inbox.reject(item.number, {}, PERSON);
    expect(() => world.core.inbox.undo(item.number, PERSON)).toThrow(/acted on when it was given/);
  });
});

describe("an agent's words", () => {
  test('past the limit stand apart from our sentence, and none of them is lost by allowing more', async () => {
    const { review } = await askedTooOften();
    expect(view(review)).toMatchObject({
      question: 'And the tax?',
      questionBy: 'agent',
      agentName: 'Claude Code',
      message: 'The agent keeps asking: it has had 1 question answered. Its next one is shown here.',
      options: ['before', 'after'],
      summary: 'I saw tax.',
    });
    world.core.inbox.resolve(review.number, 'more-questions', '2', PERSON);
    expect(only()).toMatchObject({
      kind: 'specify',
      question: 'And the tax?',
      options: ['before', 'after'],
      summary: 'I saw tax.',
      cycle: 2,
    });
  });

  test('in a question that is asked again are shown on the item that stops the project', async () => {
    const { project, task, item } = await asked();
    world.executor.script = [{ outcome: question('Round to 2 places?', ['up']) }];
    world.core.inbox.answer(item.number, 'yes', PERSON);
    await world.untilState(task.id, 'parked');
    expect(view(only('conversation-lost'))).toMatchObject({
      question: 'Round to 2 places?',
      questionBy: 'agent',
      options: ['up'],
      summary: 'Asking.',
      message: `The agent asks again what item #${item.number} answered: the conversation seems lost. The project is switched off. Going on with the task switches it on again; without that: signalbox project enable ${project.name}`,
    });
  });
});

describe('a cap', () => {
  const spend = (micro: number): void => {
    world.executor.script = [
      { outcome: { ...done(), report: report({ turnMicroUsd: microUsd(micro) }) } as TurnOutcome },
    ];
  };

  /** A project of which 0.996 of 1.00 USD is spent and that has parked so many tasks. */
  async function spent(parked: number) {
    spend(996_000);
    const project = world.addProject({ slots: 4, settings: { budgetUsd: 1 } });
    await world.untilState(world.addTask(project.id).id, 'awaiting_approval');
    const tasks = Array.from({ length: parked }, () => world.addTask(project.id));
    for (const task of tasks) await world.untilState(task.id, 'parked');
    const items = world.open().filter((each) => each.projectId === project.id && each.kind === 'manual');
    return { project, tasks, items };
  }

  test.each([
    '0.5',
    '0',
    '-3',
    '1',
    '1.00',
    '1.005',
    '1.005999',
    '',
    'many',
    '0x20',
    '1e3',
    'Infinity',
    '2000000',
  ])('of money is not raised to "%s", which is said with the smallest useful value', async (value) => {
    const { project, items } = await spent(1);
    const before = world.ledgerKinds().length;
    expect(() =>
      world.core.inbox.resolve(items[0]?.number ?? (0 as never), 'raise-cap', value, PERSON),
    ).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('--value 1.006') as string }),
    );
    expect(world.stores.projects.get(project.id)?.settings.budgetUsd).toBe(1);
    expect(world.ledgerKinds()).toHaveLength(before);
    expect(only('budget-used-up').state).toBe('open');
  });

  test('of money raised to the smallest useful value lets a call start', async () => {
    const { tasks, items } = await spent(1);
    const [item] = items;
    const [task] = tasks;
    if (item === undefined || task === undefined) throw new Error('nothing parked');
    expect(view(item).budget).toEqual({
      which: 'project-budget',
      limitUsd: 1,
      spentUsd: 0.996,
      reservedUsd: 0,
      leastUsd: 1.006,
      suggestedUsd: 1.5,
    });
    world.core.inbox.resolve(item.number, 'raise-cap', '1.006', PERSON);
    expect(world.item(item.number)).toMatchObject({ state: 'resolved', delivery: 'none' });
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.requests.at(-1)?.budgetMicroUsd).toBe(10_000);
  });

  test.each([1, 3])(
    'of money raised to the suggested value lets each of %i parked tasks make a call at its full cap',
    async (parked) => {
      const { tasks, items } = await spent(parked);
      const [item] = items;
      if (item === undefined) throw new Error('nothing parked');
      const suggested = view(item).budget?.suggestedUsd ?? 0;
      expect(suggested).toBe(Math.ceil(99.6 + parked * 50) / 100);
      // Each of them uses its cap up to the last cent.
      spend(500_000);
      world.core.inbox.resolve(item.number, 'raise-cap', String(suggested), PERSON);
      for (const task of tasks) await world.untilState(task.id, 'awaiting_approval');
      expect(world.executor.requests.slice(-parked).map((each) => each.budgetMicroUsd)).toEqual(
        tasks.map(() => 500_000),
      );
    },
  );

  test('of money that was raised elsewhere meanwhile is not lowered by an old item', async () => {
    const { project, items } = await spent(1);
    await world.core.projects.change(project.id, { settings: { budgetUsd: 8 } }, PERSON);
    expect(() =>
      world.core.inbox.resolve(items[0]?.number ?? (0 as never), 'raise-cap', '5', PERSON),
    ).toThrow(/smallest useful value is 8\./);
  });

  test('of money is raised once for all tasks that it parked, and for no other project', async () => {
    const other = await spent(1);
    const { project, tasks, items } = await spent(3);
    expect(items).toHaveLength(3);
    const [first, second, third] = items;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no items');
    world.core.inbox.resolve(second.number, 'raise-cap', '5', PERSON);
    expect(world.item(second.number)).toMatchObject({ state: 'resolved', respondedBy: 'asha' });
    for (const { number } of [first, third]) {
      expect(world.item(number)).toMatchObject({
        state: 'resolved',
        action: `raise-cap at item #${second.number}`,
        respondedBy: 'signalbox',
      });
    }
    const entries = world.stores.ledger.page({ projectId: project.id });
    expect(entries.filter((entry) => entry.kind === 'item.closed').map((entry) => entry.item)).toEqual([
      first.number,
      third.number,
    ]);
    expect(entries.filter((entry) => entry.kind === 'task.retry')).toHaveLength(3);
    for (const task of tasks) await world.untilState(task.id, 'awaiting_approval');
    expect(world.item(other.items[0]?.number ?? (0 as never)).state).toBe('open');
  });

  test('of calls is raised only to a number that lets one start, for every project that it lets go on', async () => {
    world.core.agents.change('claude', { callsPerDay: 2 }, PERSON);
    const projects = [world.addProject({ settings: { callsPerDay: 1 } }), world.addProject()];
    for (const project of projects) await world.untilState(world.addTask(project.id).id, 'awaiting_approval');
    const waiting = projects.map((project) => world.addTask(project.id));
    await world.engine.idle();
    const items = world.open().filter((each) => each.cause === 'calls-used-up');
    expect(items).toHaveLength(2);
    const item = items.find((each) => each.projectId === projects[0]?.id);
    if (item === undefined) throw new Error('no item');
    for (const value of ['1', '2', '0', '2.5', 'x', '']) {
      expect(() => world.core.inbox.resolve(item.number, 'raise-cap', value, PERSON)).toThrow(
        expect.objectContaining({ code: 'usage', hint: expect.stringContaining('--value 3') as string }),
      );
    }
    world.core.inbox.resolve(item.number, 'raise-cap', '4', PERSON);
    expect(items.map(({ number }) => world.item(number).state)).toEqual(['resolved', 'resolved']);
    for (const task of waiting) await world.untilState(task.id, 'awaiting_approval');
  });
});

describe('a value', () => {
  test('given to an action that takes none is refused', async () => {
    const { review } = await askedTooOften();
    expect(() => world.core.inbox.resolve(review.number, 'cancel', 'now', PERSON)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('takes no --value') as string,
      }),
    );
    expect(world.item(review.number).state).toBe('open');
  });
});

describe("a person's text with personal data", () => {
  const CARD = 'use card 4111 1111 1111 1111';

  test('is refused in each kind of response, and the item stays open', async () => {
    const { item, review } = await askedTooOften();
    expect(item.number).not.toBe(review.number);
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'awaiting_approval');
    const offer = world.open().find((each) => each.kind === 'approve');
    if (offer === undefined) throw new Error('no offer');
    const responses: readonly (() => unknown)[] = [
      () => world.core.inbox.resolve(review.number, 'answer', CARD, PERSON),
      () => world.core.inbox.approve(offer.number, { note: CARD }, PERSON),
      () => world.core.inbox.reject(offer.number, { reason: CARD }, PERSON),
      () => world.core.inbox.sendBack(offer.number, CARD, PERSON),
    ];
    for (const respond of responses)
      expect(respond).toThrow(expect.objectContaining({ code: 'data-class-hit' }));
    expect(world.open().map(({ number }) => number)).toEqual([review.number, offer.number]);
  });
});

describe('failed tests', () => {
  test('that used the attempts up are shown with command, exit code and end of the output', async () => {
    const project = world.addProject({
      settings: { testCommand: ['npm', 'test', '--', 'a b'], maxAttempts: 1 },
    });
    world.commands.outcomes = [exited(3, 'AssertionError: 1 is not 2\n')];
    const task = world.addTask(project.id);
    await world.untilState(task.id, 'parked');
    const run = { purpose: 'test', state: 'failed', exitCode: 3, command: ['npm', 'test', '--', 'a b'] };
    expect(view(only('attempts-used-up'))).toMatchObject({
      testTail: 'AssertionError: 1 is not 2\n',
      testRun: run,
    });
    expect(wholeTaskView(world.stores, world.task(task.id)).lastTestRun).toMatchObject({
      ...run,
      tail: 'AssertionError: 1 is not 2\n',
    });
  });

  test('stand on no item that something else has led to', async () => {
    const task = world.addTask(world.addProject({ settings: { maxAttempts: 1 } }).id);
    world.executor.script = [
      {
        outcome: {
          kind: 'failed',
          category: 'no-structured-output',
          message: 'Nothing.',
          resetsAt: null,
          report: report(),
        },
      },
    ];
    await world.untilState(task.id, 'parked');
    expect(view(only('attempts-used-up'))).toMatchObject({ testTail: null, testRun: null });
  });
});

test('checking a full disk again looks at the disk at once', async () => {
  world.freeBytes = 1024;
  world.clock.advance(31_000);
  const item = only('disk-full');
  expect(world.core.inbox.resolve(item.number, 'check-again', null, PERSON).state).toBe('open');
  world.freeBytes = 10 * 1024 ** 3;
  expect(world.core.inbox.resolve(item.number, 'check-again', null, PERSON)).toMatchObject({
    state: 'resolved',
    action: 'there is room again',
  });
});
