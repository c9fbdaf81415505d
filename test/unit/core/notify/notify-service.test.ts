import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { isoTime } from '../../../../src-shared/time.ts';
import { DEFAULT_PREFERENCES } from '../../../../src-main/core/notify/preferences.ts';
import { anItem, START } from './items.ts';
import { notifyWorld } from './notify-world.ts';

const QUESTION = 'Question in invoice-service';
const QUESTION_SHOWN = `${QUESTION}: The agent asks: Half up or half even?`;

async function startedWorld() {
  const world = notifyWorld();
  await world.start();
  return world;
}

describe('which notifications are raised', () => {
  test('a new item is told once, however often it changes', async () => {
    const world = await startedWorld();
    await world.raise(anItem());
    await world.raise(anItem());
    expect(world.notifier.standing).toEqual([QUESTION_SHOWN]);
  });

  test('what waited before the start is not told', async () => {
    const world = notifyWorld();
    world.facts.items.set(7, anItem({ number: 7, raisedAt: '2026-03-01T00:00:00.000Z' }));
    await world.start();
    await world.raise(anItem({ number: 7, raisedAt: '2026-03-01T00:00:00.000Z' }));
    expect(world.notifier.shown).toEqual([]);
  });

  test('what was missed is told after a reset', async () => {
    const world = await startedWorld();
    world.facts.items.set(52, anItem());
    world.change({ kind: 'reset' });
    await world.settle();
    expect(world.notifier.standing).toEqual([QUESTION_SHOWN]);
  });

  test('the item that the window shows is not told', async () => {
    const world = await startedWorld();
    world.shown.item = 52;
    await world.raise(anItem(), anItem({ number: 53, question: 'Else?' }));
    expect(world.notifier.standing).toEqual([`${QUESTION}: The agent asks: Else?`]);
  });

  test('a kind that is switched off is not told', async () => {
    const world = await startedWorld();
    world.preferences.now = {
      ...DEFAULT_PREFERENCES,
      kinds: { ...DEFAULT_PREFERENCES.kinds, question: false, finished: false },
    };
    world.facts.tasks.set('tsk_1', { id: 'tsk_1', state: 'done', updatedAt: isoTime(world.clock.now()) });
    world.change({ kind: 'task', taskId: 'tsk_1' });
    await world.raise(anItem(), anItem({ number: 53, kind: 'review', cause: 'stall' }));
    expect(world.notifier.standing).toEqual([
      'Needs you in invoice-service: The agent has been silent for a while.',
    ]);
  });

  test('a finished task is told once; one that ended before the start never', async () => {
    const world = await startedWorld();
    const task = { project: 'docs-site', title: 'Fix anchors', costUsd: 0.23, state: 'done', number: 3 };
    world.facts.tasks.set('tsk_1', { ...task, id: 'tsk_1', updatedAt: isoTime(world.clock.now()) });
    world.facts.tasks.set('tsk_2', { ...task, id: 'tsk_2', updatedAt: '2026-03-01T00:00:00.000Z' });
    for (const taskId of ['tsk_1', 'tsk_2', 'tsk_1', 'tsk_9']) world.change({ kind: 'task', taskId });
    await world.settle();
    world.change({ kind: 'task', taskId: 'tsk_1' });
    await world.settle();
    expect(world.notifier.standing).toEqual(['Done in docs-site: Fix anchors. $0.23 estimate.']);
    world.notifier.act({ kind: 'click', key: 'key-1' });
    await world.settle();
    expect(world.opened).toEqual([{ kind: 'task', number: 3 }]);
  });

  test('many of a project become one, and items of others stay', async () => {
    const world = await startedWorld();
    const other = anItem({ number: 9, project: 'docs-site' });
    await world.raise(other, ...[1, 2, 3].map((number) => anItem({ number })));
    expect(world.notifier.standing.length).toBe(4);
    await world.raise(anItem({ number: 4, kind: 'approve', taskTitle: 'T' }));
    expect(world.notifier.standing).toEqual([
      'Question in docs-site: The agent asks: Half up or half even?',
      '4 items in invoice-service: 3 questions, 1 approval.',
    ]);
    world.notifier.act({ kind: 'click', key: world.notifier.keyOf('4 items in invoice-service') });
    await world.settle();
    expect(world.opened).toEqual([{ kind: 'inbox' }]);
  });

  test('a limit says when it goes on', async () => {
    const world = await startedWorld();
    world.facts.holds = [
      { kind: 'usage-limit', reason: '', since: isoTime(world.clock.now()), until: null, item: 60 },
    ];
    await world.raise(anItem({ number: 60, kind: 'manual', cause: 'usage-limit', project: null }));
    expect(world.notifier.standing).toEqual(['On hold: Usage limit reached.']);
  });
});

describe('withdrawing', () => {
  test('a notification goes when its item closes', async () => {
    const world = await startedWorld();
    await world.raise(anItem());
    await world.raise(anItem({ state: 'answered' }));
    expect(world.notifier.standing).toEqual([]);
  });

  test('a bundle goes with its last item', async () => {
    const world = await startedWorld();
    const items = [1, 2, 3, 4].map((number) => anItem({ number }));
    await world.raise(...items);
    await world.raise(...items.slice(0, 3).map((item) => ({ ...item, state: 'answered' as const })));
    expect(world.notifier.standing).toEqual(['4 items in invoice-service: 4 questions.']);
    await world.raise(anItem({ number: 4, state: 'cancelled' }));
    expect(world.notifier.standing).toEqual([]);
  });

  test('one that closed while events were missed goes with the reset', async () => {
    const world = await startedWorld();
    await world.raise(anItem());
    world.facts.items.set(52, anItem({ state: 'answered' }));
    world.change({ kind: 'reset' });
    await world.settle();
    expect(world.notifier.standing).toEqual([]);
  });
});

describe('quiet hours', () => {
  const allDay = (world: Awaited<ReturnType<typeof startedWorld>>) => {
    const now = new Date(world.clock.now());
    const hour = (offset: number): string => `${(now.getHours() + offset + 24) % 24}:00`;
    world.preferences.now = { ...DEFAULT_PREFERENCES, quietHours: { from: hour(-1), to: hour(1) } };
  };

  test('hold back what comes, count it, and tell it at their end if it still waits', async () => {
    const world = await startedWorld();
    allDay(world);
    await world.raise(anItem(), anItem({ number: 53 }));
    expect([world.notifier.shown, world.service.state.withheld]).toEqual([[], 2]);
    await world.raise(anItem({ number: 53, state: 'answered' }));
    expect(world.service.state.withheld).toBe(1);
    await world.settle(3600_000);
    expect([world.notifier.standing, world.service.state]).toEqual([
      [QUESTION_SHOWN],
      { quietUntil: null, withheld: 0, problem: null },
    ]);
  });

  test('do not hold back the kill switch', async () => {
    const world = await startedWorld();
    allDay(world);
    world.facts.killed = { since: isoTime(world.clock.now()), reason: '', by: 'ada' };
    world.facts.receipt = { ended: [1, 2, 3], alive: [] };
    world.change({ kind: 'hub' });
    await world.settle();
    expect(world.notifier.standing).toEqual(['Everything is stopped: 3 processes ended, 0 still alive.']);
  });
});

describe('the kill switch', () => {
  test('is told with its receipt, without one after a while, and taken back with the release', async () => {
    const world = await startedWorld();
    world.facts.killed = { since: isoTime(world.clock.now()), reason: '', by: 'ada' };
    world.change({ kind: 'hub' });
    await world.settle();
    expect(world.notifier.shown).toEqual([]);
    await world.settle(5000);
    expect(world.notifier.standing).toEqual([
      'Everything is stopped: The kill switch is engaged. Nothing starts until it is released.',
    ]);
    world.facts.killed = null;
    world.change({ kind: 'hub' });
    await world.settle();
    expect(world.notifier.standing).toEqual([]);
  });

  test('that was engaged before the start is no news', async () => {
    const world = notifyWorld();
    world.facts.killed = { since: '2026-03-01T00:00:00.000Z', reason: '', by: 'ada' };
    world.facts.receipt = { ended: [], alive: [] };
    await world.start();
    expect(world.notifier.shown).toEqual([]);
  });
});

describe('acting on a notification', () => {
  test.each([
    [
      'an option',
      { kind: 'button', button: 'option-2' },
      ['inbox.answer', { item: 52, reply: { kind: 'option', option: 'Half even' } }],
    ],
    [
      'a reply',
      { kind: 'reply', text: 'a; "b" = ü 😀' },
      ['inbox.answer', { item: 52, reply: { kind: 'text', text: 'a; "b" = ü 😀' } }],
    ],
  ] as const)('%s is the same command as in the window, once, and is confirmed', async (_what, act, call) => {
    const world = await startedWorld();
    await world.raise(anItem());
    const key = world.notifier.keyOf(QUESTION);
    world.notifier.act({ ...act, key });
    world.notifier.act({ ...act, key });
    await world.settle();
    world.notifier.act({ ...act, key });
    await world.settle();
    expect(world.decided).toEqual([call]);
    const confirmed = world.notifier.shown.filter((notice) => notice.title === 'Sent to #52');
    expect(confirmed.map(({ isSilent }) => isSilent)).toEqual([true]);
  });

  test('Deny denies, and nothing allows', async () => {
    const world = await startedWorld();
    await world.raise(anItem({ kind: 'permission', tool: 'Bash', input: { command: 'ls' } }));
    const key = world.notifier.keyOf('Permission in invoice-service');
    world.notifier.act({ kind: 'button', key, button: 'allow' });
    await world.settle();
    expect([world.decided, world.opened]).toEqual([[], [{ kind: 'item', number: 52 }]]);
    world.notifier.act({ kind: 'button', key, button: 'deny' });
    await world.settle();
    expect(world.decided).toEqual([['inbox.deny', { item: 52 }]]);
  });

  test.each([
    ['a click', { kind: 'click' }],
    ['Open', { kind: 'button', button: 'open' }],
    ['Reply without a field', { kind: 'button', button: 'reply' }],
    ['a button that was not offered', { kind: 'button', button: 'option-3' }],
    ['a name that every object has', { kind: 'button', button: 'constructor' }],
    ['an empty reply', { kind: 'reply', text: ' \n' }],
  ] as const)('%s opens the item and decides nothing', async (_what, act) => {
    const world = await startedWorld();
    await world.raise(anItem());
    world.notifier.act({ ...act, key: world.notifier.keyOf(QUESTION) });
    await world.settle();
    expect([world.decided, world.opened]).toEqual([[], [{ kind: 'item', number: 52 }]]);
  });

  test('an unknown key opens the inbox and does nothing', async () => {
    const world = await startedWorld();
    await world.raise(anItem());
    world.notifier.act({ kind: 'reply', key: 'guessed', text: 'yes' });
    await world.settle();
    expect([world.decided, world.opened]).toEqual([[], [{ kind: 'inbox' }]]);
  });

  test('an answer to an earlier state of the item is not sent, and says so', async () => {
    const world = await startedWorld();
    await world.raise(anItem());
    world.facts.items.set(52, anItem({ options: ['Half even', 'Half up'] }));
    world.notifier.act({ kind: 'button', key: world.notifier.keyOf(QUESTION), button: 'option-1' });
    await world.settle();
    expect([world.decided, world.notifier.standing.at(-1)]).toEqual([
      [],
      'Not sent to #52: It was answered elsewhere or has changed. Nothing was sent.',
    ]);
  });

  test('a refusal of the hub is told in its words, and another try is possible', async () => {
    const world = await startedWorld();
    await world.raise(anItem());
    const key = world.notifier.keyOf(QUESTION);
    world.facts.refusal = new AppError('data-class-hit', 'The answer looks like a card number, line 1.');
    world.notifier.act({ kind: 'reply', key, text: '4111' });
    await world.settle();
    world.facts.refusal = null;
    world.notifier.act({ kind: 'reply', key, text: 'fine' });
    await world.settle();
    expect([world.decided.length, world.notifier.shown.map((notice) => notice.title)]).toEqual([
      1,
      [QUESTION, 'Not sent to #52', 'Sent to #52'],
    ]);
  });

  test('a key is known after a restart for seven days, then it only opens the inbox', async () => {
    const first = await startedWorld();
    await first.raise(anItem());
    const second = notifyWorld(first.records.saved);
    second.facts.items.set(52, anItem());
    await second.start();
    const key = first.notifier.keyOf(QUESTION);
    second.clock.set(START + 8 * 24 * 3600_000);
    second.notifier.act({ kind: 'button', key, button: 'option-1' });
    await second.settle();
    second.clock.set(START + 6 * 24 * 3600_000);
    second.notifier.act({ kind: 'button', key, button: 'option-1' });
    await second.settle();
    expect([second.opened, second.decided]).toEqual([
      [{ kind: 'inbox' }],
      [['inbox.answer', { item: 52, reply: { kind: 'option', option: 'Half up' } }]],
    ]);
  });
});

test('when nothing can be shown it says so once, and again when it works', async () => {
  const world = await startedWorld();
  world.notifier.broken = 'no service';
  await world.raise(anItem());
  await world.raise(anItem({ number: 53 }));
  world.notifier.broken = null;
  expect(await world.service.tell((words) => words.test)).toBe(true);
  expect(world.states.map((state) => state.problem)).toEqual([
    'This system shows no notifications. The count on the icon still works.',
    null,
  ]);
});

test('nothing is left when it ends', async () => {
  const world = await startedWorld();
  await world.raise(anItem());
  world.put(anItem({ number: 53 }));
  world.service.dispose();
  expect([world.clock.pending, world.notifier.isDisposed]).toEqual([0, true]);
});
