import { afterEach, expect, test } from 'vitest';
import type { HubEndView } from '../../src-shared/api/hub.ts';
import {
  apiError,
  askPerson,
  finish,
  usageLimit,
  useTool,
  type Reply,
} from '../support/model-server/replies.ts';
import { byTurn, scenarioTag, type Script } from '../support/model-server/script.ts';
import { inTree, makeRelayPlace, ROUND_TOTAL, type RelayPlace } from './support/relay-place.ts';

let place: RelayPlace | null = null;
afterEach(async () => {
  await place?.[Symbol.asyncDispose]();
  place = null;
});

async function open(environment: Readonly<Record<string, string>> = {}): Promise<RelayPlace> {
  place = await makeRelayPlace(environment);
  return place;
}

/** Answers with the trouble as long as `isOn()`, then plays the script. */
const troubled =
  (isOn: () => boolean, trouble: Reply, script: Script): Script =>
  (request) =>
    isOn() ? trouble : script(request);

const LOGIN = 'Authentication required for Claude Code. Log in separately through Claude Code, then retry.';

test('a refused login holds the whole hub with one item, counts against nothing, and ends by checking again', async () => {
  const { world, model } = await open();
  let isOut = true;
  const script = troubled(
    () => isOut,
    apiError(401, 'invalid x-api-key'),
    byTurn(...ROUND_TOTAL, finish('Done.')),
  );
  model.script('login-a', script);
  model.script('login-b', script);
  await world.addProject('h1-a');
  await world.addProject('h1-b');
  const a = await world.addTask('h1-a', 'Round', scenarioTag('login-a'));
  await world.startHub();
  const item = await world.untilItem('manual');
  expect(item).toMatchObject({
    kind: 'manual',
    cause: 'login',
    question: LOGIN,
    project: null,
    taskId: null,
  });
  expect(await world.task(a)).toMatchObject({ state: 'ready', countedAttempts: 0 });
  expect(await world.status()).toMatchObject({ holds: [{ kind: 'login', item: item.number }] });

  // Another project's task waits as well; checking again lets exactly one launch through, whichever it is.
  const b = await world.addTask('h1-b', 'Round', scenarioTag('login-b'));
  const before = model.requests.length;
  const launches = (await world.ledger('--kind', 'harness.')).length;
  await world.json(['resolve', String(item.number), '--action', 'check-again']);
  await world.until('the probe was made', async () => model.requests.length > before);
  await world.until('the probe has failed', async () =>
    (await world.ledger('--kind', 'harness.')).some(
      (entry, index) => index >= launches && entry.kind === 'harness.result',
    ),
  );
  expect(new Set(model.requests.slice(before).map((request) => request.sessionId)).size).toBe(1);
  expect((await world.inbox()).map(({ number, state }) => ({ number, state }))).toEqual([
    { number: item.number, state: 'open' },
  ]);

  isOut = false;
  await world.json(['resolve', String(item.number), '--action', 'check-again']);
  await world.untilItem('approve', a);
  await world.untilItem('approve', b);
  expect(await world.status()).toMatchObject({ holds: [] });
  expect(await world.item(item.number)).toMatchObject({ state: 'resolved' });
  expect(await world.task(a)).toMatchObject({ countedAttempts: 0 });
  expect(new Set(model.requestsOf('login-a').map((request) => request.sessionId)).size).toBe(1);
});

test('a usage limit holds dispatch until its reset time and then goes on by itself', async () => {
  const { world, model } = await open({ ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'made-up' });
  let resetsAt = 0;
  const work = byTurn(...ROUND_TOTAL, finish('Done.'));
  model.script('limit', (request) => {
    if (resetsAt !== 0 && Date.now() >= resetsAt * 1000) return work(request);
    if (resetsAt === 0) resetsAt = Math.ceil(Date.now() / 1000) + 8;
    return usageLimit(resetsAt);
  });
  await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Round', scenarioTag('limit'));
  await world.startHub();
  const item = await world.untilItem('manual');
  expect(item).toMatchObject({ cause: 'usage-limit' });
  expect(await world.status()).toMatchObject({
    holds: [{ kind: 'usage-limit', until: new Date(resetsAt * 1000).toISOString() }],
  });
  await world.untilItem('approve', task);
  expect(await world.item(item.number)).toMatchObject({ state: 'resolved' });
  expect(await world.task(task)).toMatchObject({ countedAttempts: 0 });
});

test.each([
  [429, 'usage-limit'],
  [529, 'overload'],
] as const)('status %i that lasts is a hold (%s), not a failed attempt', async (status, kind) => {
  const { world, model } = await open();
  let isOn = true;
  model.script(
    'busy',
    troubled(() => isOn, apiError(status, 'Busy'), byTurn(...ROUND_TOTAL, finish('Done.'))),
  );
  await world.addProject('h1-a');
  const task = await world.addTask('h1-a', 'Round', scenarioTag('busy'));
  await world.startHub();
  const item = await world.untilItem('manual');
  expect(item).toMatchObject({ cause: kind });
  expect(await world.task(task)).toMatchObject({ state: 'ready', countedAttempts: 0 });
  isOn = false;
  await world.json(['resolve', String(item.number), '--action', 'check-again']);
  await world.untilItem('approve', task);
});

test('a hub that only waits for a hold leaves with --until-idle and says so', async () => {
  const { world, model } = await open();
  model.script('out', () => apiError(401, 'invalid x-api-key'));
  await world.addProject('h1-a');
  await world.addTask('h1-a', 'Round', scenarioTag('out'));
  const ended = await world.run(['hub', '--until-idle', '--json']);
  expect(ended.exitCode).toBe(0);
  expect((ended.json as HubEndView).onHold.join('\n')).toContain('Authentication required');
});

test('a reply past the cap of a call fails the attempt, and what it cost is booked', async () => {
  const { world, model } = await open();
  model.script(
    'dear',
    byTurn(
      inTree('dear.txt', (file_path) =>
        useTool('Write', { file_path, content: 'x' }, { usage: { inputTokens: 100_000 } }),
      ),
    ),
  );
  await world.addProject('h1-a', { flags: ['--max-call-usd', '0.05', '--max-attempts', '1'] });
  const task = await world.addTask('h1-a', 'Round', scenarioTag('dear'));
  await world.startHub();
  const review = await world.untilItem('review', task);
  expect(review).toMatchObject({ cause: 'attempts-used-up' });
  expect([review.question, review.summary, ...review.details].join('\n')).toMatch(/cost cap|budget/i);
  const request = model.requestsOf('dear')[0];
  expect(request?.system).toContain('USD budget: $0/$0.05');
  expect((await world.task(task)).costUsd).toBeCloseTo(0.2005, 6);
});

test('a project budget that is used up parks the task until it is raised', async () => {
  const { world, model } = await open();
  model.script('poor', byTurn(askPerson('Which?'), ...ROUND_TOTAL, finish('Done.')));
  await world.addProject('h1-a', { flags: ['--budget', '0.012'] });
  const task = await world.addTask('h1-a', 'Round', scenarioTag('poor'));
  await world.startHub();
  const question = await world.untilItem('specify', task);
  expect(model.requestsOf('poor')[0]?.system).toContain('USD budget: $0/$0.012');
  await world.json(['answer', String(question.number), '--text', 'Two places']);
  // 0.0091 USD are left, less than the cent below which nothing starts.
  const manual = await world.untilItem('manual', task);
  expect(manual).toMatchObject({ cause: 'budget-used-up' });
  expect(await world.task(task)).toMatchObject({ state: 'parked' });
  expect(model.requestsOf('poor')).toHaveLength(1);
  await world.json(['resolve', String(manual.number), '--action', 'raise-cap', '--value', '5']);
  const offer = await world.untilItem('approve', task);
  await world.json(['approve', String(offer.number)]);
  await world.untilTask(task, ['done']);
});

test('no calls a day means that nothing is dispatched, and the reason is shown', async () => {
  const { world, model } = await open();
  model.script('none', byTurn(...ROUND_TOTAL, finish('Done.')));
  await world.addProject('h1-a', { flags: ['--calls-per-day', '0'] });
  const task = await world.addTask('h1-a', 'Round', scenarioTag('none'));
  const ended = await world.run(['hub', '--until-idle', '--json']);
  expect(ended.exitCode).toBe(0);
  expect((ended.json as HubEndView).onHold.join('\n')).toContain('No calls are allowed');
  expect(await world.task(task)).toMatchObject({ state: 'ready' });
  expect(model.requests).toEqual([]);

  await world.json(['project', 'set', 'h1-a', 'calls-per-day=1']);
  await world.startHub();
  await world.untilItem('approve', task);
});

test('calls a day are counted over questions and answers, and the next one waits for midnight', async () => {
  const { world, model } = await open();
  model.script('one', byTurn(askPerson('Which?'), ...ROUND_TOTAL, finish('Done.')));
  await world.addProject('h1-a', { flags: ['--calls-per-day', '1'] });
  const task = await world.addTask('h1-a', 'Round', scenarioTag('one'));
  await world.startHub();
  const question = await world.untilItem('specify', task);
  await world.json(['answer', String(question.number), '--text', 'Two places']);
  const status = await world.until('the hold is shown', async () => {
    const now = await world.status();
    return (now.projects[0]?.hold ?? null) === null ? null : now;
  });
  expect(status.projects[0]?.hold).toContain('The calls of today are used up: 1 of 1');
  expect(model.requestsOf('one')).toHaveLength(1);
  expect(await world.item(question.number)).toMatchObject({ state: 'answered', delivery: 'stored' });
});
