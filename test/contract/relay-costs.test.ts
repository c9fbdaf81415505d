import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { priceOf, type Prices } from '../support/model-server/billing.ts';
import { createGate } from '../support/model-server/gate.ts';
import {
  apiError,
  askPerson,
  finish,
  message,
  say,
  toolBlock,
  useTool,
} from '../support/model-server/replies.ts';
import { bySequence, byTurn, scenarioTag, type Script } from '../support/model-server/script.ts';
import { measurePrices } from './support/prices.ts';
import { inTree, makeRelayPlace, type RelayPlace } from './support/relay-place.ts';

/**
 * What Signalbox books against what the model server would bill, at the CLI's own prices (R11). One unit is a
 * millionth of a dollar: sums of doubles by the CLI may differ from ours there, never at a cent.
 */
let prices: Prices;
let place: RelayPlace;
beforeAll(async () => {
  prices = await measurePrices();
});
beforeEach(async () => {
  place = await makeRelayPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

const billed = (key: string): number => priceOf(place.model.billedTo({ scenario: key }), prices);

/** Reads a file; a step that costs what it is told to. */
const read = (usage: Parameters<typeof useTool>[2]): Script =>
  inTree('invoice.py', (file_path) => useTool('Read', { file_path }, usage));

async function addAndStart(key: string, script: Script, flags: readonly string[] = []) {
  place.model.script(key, script);
  await place.world.addProject('h1-a', { flags });
  const task = await place.world.addTask('h1-a', 'Sum', scenarioTag(key));
  return { task, hub: await place.world.startHub() };
}

test('the list price that the protocol notes name still holds', () => {
  const usage = { inputTokens: 1200, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(priceOf(usage, prices)).toBeCloseTo(0.0029, 9);
});

test('a task of several turns and processes costs what was billed, caches included', async () => {
  const { world } = place;
  const { task } = await addAndStart(
    'many',
    byTurn(
      askPerson('First?', {}, { usage: { inputTokens: 3111, outputTokens: 77, cacheWriteTokens: 901 } }),
      read({ usage: { inputTokens: 17, outputTokens: 33, cacheReadTokens: 5003 } }),
      askPerson('Second?', {}, { usage: { inputTokens: 2, outputTokens: 501, cacheReadTokens: 7001 } }),
      read({ usage: { inputTokens: 999, outputTokens: 1 } }),
      finish(
        'Done.',
        {},
        { usage: { inputTokens: 1, outputTokens: 1301, cacheReadTokens: 9001, cacheWriteTokens: 13 } },
      ),
    ),
  );
  const seen: number[] = [];
  for (const question of ['First?', 'Second?']) {
    const item = await world.untilItem('specify', task);
    expect(item.question).toBe(question);
    const { costUsd } = await world.task(task);
    expect(costUsd).toBeCloseTo(billed('many'), 5);
    seen.push(costUsd);
    await world.json(['answer', String(item.number), '--text', 'Yes']);
  }
  await world.untilItem('approve', task);
  const { costUsd, assumedUsd } = await world.task(task);
  expect(costUsd).toBeCloseTo(billed('many'), 5);
  expect(assumedUsd).toBe(0);
  expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);

  const results = await world.ledger('--task', String(task), '--kind', 'harness.result');
  const booked = results.map((entry) => Number(entry.data['costMicroUsd']));
  expect(booked.reduce((sum, cost) => sum + cost, 0) / 1e6).toBeCloseTo(billed('many'), 5);
  expect(results.at(-1)?.data['totalMicroUsd']).toBeCloseTo(billed('many') * 1e6, -1);
});

test('turns that fail cost what was billed', async () => {
  const { world } = place;
  const { task } = await addAndStart(
    'fail',
    byTurn(say('Nothing.', { usage: { inputTokens: 4001, outputTokens: 91 } })),
    ['--max-attempts', '2'],
  );
  await world.untilItem('review', task);
  expect(place.model.requestsOf('fail').length).toBeGreaterThanOrEqual(4);
  expect((await world.task(task)).costUsd).toBeCloseTo(billed('fail'), 5);
});

test('a turn that the budget ended costs what was billed', async () => {
  const { world } = place;
  const { task } = await addAndStart('over', byTurn(read({ usage: { inputTokens: 40_000 } })), [
    '--max-call-usd',
    '0.1',
    '--max-attempts',
    '1',
  ]);
  await world.untilItem('review', task);
  expect(billed('over')).toBeGreaterThan(0.1);
  expect((await world.task(task)).costUsd).toBeCloseTo(billed('over'), 5);
});

test('a turn that a limit cut costs what was billed, and so does the whole after going on', async () => {
  const { world } = place;
  let isLimited = true;
  const work = byTurn(
    read({ usage: { inputTokens: 5005 } }),
    read({ usage: { inputTokens: 6006 } }),
    finish('Done.', {}, { usage: { outputTokens: 707 } }),
  );
  const { task } = await addAndStart('limited', (request) =>
    isLimited && request.assistantTurns >= 1 ? apiError(429, 'Later', { retryAfterS: 3600 }) : work(request),
  );
  const hold = await world.untilItem('manual');
  await world.untilTask(task, ['ready']);
  expect((await world.task(task)).costUsd).toBeCloseTo(billed('limited'), 5);
  isLimited = false;
  await world.json(['resolve', String(hold.number), '--action', 'check-again']);
  await world.untilItem('approve', task);
  expect((await world.task(task)).costUsd).toBeCloseTo(billed('limited'), 5);
});

test.each(['kill switch', 'crash of the hub'] as const)(
  'a turn cut by the %s is booked as assumed: not below the bill, not above the reservation and one reply',
  async (how) => {
    const { world, model } = place;
    const gate = createGate();
    const cutReply = message([toolBlock('Glob', { pattern: '*.py' })], {
      usage: { inputTokens: 9009, outputTokens: 600 },
      beforeEnd: gate,
    });
    const { task, hub } = await addAndStart(
      'cut',
      bySequence(
        read({ usage: { inputTokens: 3003, outputTokens: 44 } }),
        cutReply,
        finish('Done.', {}, { usage: { inputTokens: 2002 } }),
      ),
      ['--max-call-usd', '0.2'],
    );
    await gate.reached;
    if (how === 'kill switch') await world.json(['kill', '--reason', 'cost test']);
    else {
      await hub.crash();
      await world.untilNoProcess();
    }
    await world.until('the model saw the cut', async () =>
      model.requestsOf('cut').every((request) => request.state !== 'open'),
    );
    if (how !== 'kill switch') {
      // Nothing must be launched before the books are looked at.
      await world.json(['pause']);
      await world.startHub();
    }
    const atCut = billed('cut');
    const booked = await world.until('the turn is booked', async () => {
      const now = await world.task(task);
      return now.costUsd > 0 && now.state === 'ready' ? now : null;
    });
    const oneReply = priceOf(cutReply.usage, prices);
    expect(booked.assumedUsd).toBe(booked.costUsd);
    expect(booked.costUsd).toBeGreaterThanOrEqual(atCut - 1e-6);
    expect(booked.costUsd).toBeLessThanOrEqual(0.2 + oneReply);

    await world.json(how === 'kill switch' ? ['release', '--yes'] : ['unpause']);
    await world.untilItem('approve', task);
    const after = await world.task(task);
    expect(after.assumedUsd).toBe(booked.assumedUsd);
    // What came after the cut is reported to the micro-dollar: the CLI's total leaves the cut turn out.
    expect(after.costUsd - after.assumedUsd).toBeCloseTo(billed('cut') - atCut, 5);
  },
);
