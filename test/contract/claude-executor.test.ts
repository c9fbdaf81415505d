import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClaudeExecutor } from '../../src-main/adapters/claude-code/executor.ts';
import { createRandomIds } from '../../src-main/adapters/random-ids.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import type {
  Executor,
  RelayTurn,
  RelayTurnRequest,
  TurnOutcome,
} from '../../src-main/core/ports/harness.ts';
import { microUsd } from '../../src-shared/money.ts';
import { seconds } from '../../src-shared/time.ts';
import { CLAUDE_VERSION, claudeEnvironment, ensureClaudeCli } from '../support/claude-cli.ts';
import { createGate } from '../support/model-server/gate.ts';
import {
  apiError,
  askPerson,
  finish,
  say,
  useTool,
  usageLimit,
  type Reply,
} from '../support/model-server/replies.ts';
import { byTurn, scenarioTag } from '../support/model-server/script.ts';
import { makeProcessWorld, type ProcessWorld } from '../support/process-world.ts';
import { pidsWithMark } from '../support/proc.ts';
import { waitUntil } from '../support/wait-until.ts';
import { makeCliPlace, type CliPlace } from './support/cli-place.ts';

/** The adapter against the real CLI: what unit tests replay is what it does. */

const ids = createRandomIds(systemClock);
const quietLog = { info: (): void => undefined, warn: (): void => undefined, error: (): void => undefined };
let place: CliPlace;
let world: ProcessWorld;
beforeEach(async () => {
  place = await makeCliPlace();
  world = await makeProcessWorld();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

async function executor(environment: Readonly<Record<string, string>> = {}): Promise<Executor> {
  return createClaudeExecutor({
    spawner: world.spawner,
    processes: world.table,
    clock: systemClock,
    log: quietLog,
    hubId: world.hub,
    inheritedEnv: { ...claudeEnvironment(place.home, place.model.baseUrl), ...environment },
    homeFolder: place.home,
    claudeCommand: await ensureClaudeCli(),
  });
}

async function launch(claude: Executor, change: Partial<RelayTurnRequest>): Promise<RelayTurn> {
  const launched = await claude.launch({
    launchId: ids.next('launch'),
    ownerMark: world.mark('att_test'),
    sessionId: ids.sessionId(),
    session: 'new',
    cwd: place.cwd,
    model: 'sonnet',
    budgetMicroUsd: microUsd(500_000),
    outputForm: 'stream-json',
    environmentNames: [],
    timeout: seconds(60),
    ...change,
  });
  if (launched.kind === 'not-started') throw new Error(launched.message);
  return launched.turn;
}

async function play(
  claude: Executor,
  prompt: string,
  change: Partial<RelayTurnRequest> = {},
): Promise<TurnOutcome> {
  const turn = await launch(claude, change);
  await turn.writePrompt(prompt);
  for await (const event of turn.events) void event;
  return turn.outcome;
}
const gist = (outcome: TurnOutcome): readonly unknown[] =>
  outcome.kind === 'failed' ? [outcome.category, outcome.resetsAt] : [outcome.kind];

test('the program is found, says its version and whether it is logged in', async () => {
  const claude = await executor();
  const out = await executor({ ANTHROPIC_API_KEY: '' });
  expect([await claude.discover(), await claude.loginState(), await out.loginState()]).toEqual([
    expect.objectContaining({ kind: 'found', version: CLAUDE_VERSION }),
    { kind: 'logged-in', method: 'api_key' },
    { kind: 'logged-out' },
  ]);
});

test.each(['stream-json', 'json'] as const)(
  'a question and the work after its answer, as %s',
  async (outputForm) => {
    const claude = await executor();
    place.model.script(
      'qa',
      byTurn(askPerson('Which?', { options: ['a', 'b'] }), finish('Done.', { remove: ['x'] })),
    );
    const sessionId = ids.sessionId();
    const first = await play(claude, scenarioTag('qa'), { sessionId, outputForm });
    const second = await play(claude, 'b', { sessionId, session: 'resume', outputForm });
    const turnCost = outputForm === 'json' ? null : 2900;
    expect([first, second]).toEqual([
      expect.objectContaining({
        kind: 'question',
        question: 'Which?',
        options: ['a', 'b'],
        report: expect.objectContaining({
          sessionId,
          totalMicroUsd: 2900,
          turnMicroUsd: turnCost,
        }) as unknown,
      }),
      expect.objectContaining({
        kind: 'done',
        summary: 'Done.',
        remove: ['x'],
        report: expect.objectContaining({
          sessionId,
          totalMicroUsd: 5800,
          turnMicroUsd: turnCost,
        }) as unknown,
      }),
    ]);
  },
);

const RESETS_AT = 4_102_444_800;
const FAILURES: Readonly<Record<string, readonly [Reply, readonly unknown[]]>> = {
  403: [apiError(403, 'no'), ['login', null]],
  404: [apiError(404, 'model: nope'), ['model-not-found', null]],
  400: [apiError(400, 'something is off'), ['bad-request', null]],
  long: [apiError(400, 'prompt is too long: 250000 tokens > 200000 maximum'), ['prompt-too-long', null]],
  credit: [apiError(400, 'Your credit balance is too low to access the API.'), ['billing', null]],
  429: [apiError(429, 'slow down', { retryAfterS: 3600 }), ['rate-limit', null]],
  text: [say('No tool call from me.'), ['no-structured-output', null]],
};

test('failures of the service and of the model have their category', async () => {
  const claude = await executor();
  const found: Record<string, unknown> = {};
  for (const [name, [reply]] of Object.entries(FAILURES)) {
    place.model.script(`fail-${name}`, byTurn(reply));
    found[name] = gist(await play(claude, scenarioTag(`fail-${name}`)));
  }
  expect(found).toEqual(
    Object.fromEntries(Object.entries(FAILURES).map(([name, [, gistOf]]) => [name, gistOf])),
  );
});

test('failures that are repeated first end too, and soon', async () => {
  const claude = await executor();
  place.model.script('overload', byTurn(apiError(529, 'busy')));
  place.model.script('key', byTurn(apiError(401, 'invalid x-api-key')));
  const unreachable = await executor({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
  const outcomes = await Promise.all([
    play(claude, scenarioTag('overload')),
    play(claude, scenarioTag('key'), { outputForm: 'json' }),
    play(unreachable, 'x', { outputForm: 'json' }),
  ]);
  expect(outcomes.map(gist)).toEqual([
    ['overload', null],
    ['login', null],
    ['connection', null],
  ]);
});

test('no login, and a usage limit with the moment at which it ends', async () => {
  const none = await executor({ ANTHROPIC_API_KEY: '' });
  const subscribed = await executor({ ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'made-up-token' });
  place.model.script('limit', byTurn(usageLimit(RESETS_AT)));
  expect([
    gist(await play(none, 'x', { outputForm: 'json' })),
    gist(await play(none, 'x')),
    gist(await play(subscribed, scenarioTag('limit'))),
  ]).toEqual([
    ['not-logged-in', null],
    ['not-logged-in', null],
    ['usage-limit', RESETS_AT * 1000],
  ]);
});

test('the budget ends a turn, with what it cost', async () => {
  const claude = await executor();
  place.model.script('dear', byTurn(useTool('Glob', { pattern: '*' }), finish('Done.')));
  const outcome = await play(claude, scenarioTag('dear'), { budgetMicroUsd: microUsd(1_000) });
  expect(outcome.kind === 'failed' && [outcome.category, outcome.report?.turnMicroUsd]).toEqual([
    'budget',
    2900,
  ]);
});

test('sessions that are there or are not, in both forms', async () => {
  const claude = await executor();
  place.model.script('once', byTurn(finish('Done.')));
  const sessionId = ids.sessionId();
  await play(claude, scenarioTag('once'), { sessionId });
  const outcomes: unknown[] = [];
  for (const outputForm of ['stream-json', 'json'] as const) {
    outcomes.push(gist(await play(claude, 'x', { sessionId, outputForm }))[0]);
    outcomes.push(gist(await play(claude, 'x', { session: 'resume', outputForm }))[0]);
  }
  expect(outcomes).toEqual(['session-in-use', 'unknown-session', 'session-in-use', 'unknown-session']);
});

test('a withheld prompt starts nothing and leaves the session id free', async () => {
  const claude = await executor();
  place.model.script('late', byTurn(finish('Done.')));
  const sessionId = ids.sessionId();
  const turn = await launch(claude, { sessionId });
  for await (const event of turn.events) void event;
  const late = [(await turn.outcome).kind, await turn.writePrompt('late')];
  const [trace, again] = [
    await claude.trace(sessionId, place.cwd, ids.deliveryId()),
    await play(claude, scenarioTag('late'), { sessionId }),
  ];
  expect([late, trace, again.kind]).toEqual([['not-started', false], 'no-session', 'done']);
});

test('a stop in the middle leaves no process, and the delivery id stands in the history', async () => {
  const claude = await executor();
  const [gate, sessionId, delivery] = [createGate(), ids.sessionId(), ids.deliveryId()];
  place.model.script('hang', byTurn(finish('Done.', {}, { before: gate })));
  const before = await claude.trace(sessionId, place.cwd, delivery);
  const turn = await launch(claude, { sessionId });
  await turn.writePrompt(`${scenarioTag('hang')} ${delivery}`);
  await gate.reached;
  await waitUntil(
    'the history holds the delivery id',
    async () => (await claude.trace(sessionId, place.cwd, delivery)) === 'present',
  );
  await turn.stop('kill-switch');
  const outcome = await turn.outcome;
  gate.open();
  expect([before, outcome, pidsWithMark(`${world.hub}:att`)]).toEqual([
    'no-session',
    { kind: 'interrupted', by: 'kill-switch', report: null },
    [],
  ]);
  expect(await claude.trace(sessionId, place.cwd, ids.deliveryId())).toBe('absent');
});

test('the history is found for a folder with a long and strange name', async () => {
  const claude = await executor();
  place.model.script('far', byTurn(finish('Done.')));
  const [sessionId, delivery] = [ids.sessionId(), ids.deliveryId()];
  const cwd = path.join(place.cwd, 'ünï dot.dir_under', 'x'.repeat(120), 'y'.repeat(120));
  await mkdir(cwd, { recursive: true });
  const outcome = await play(claude, `${scenarioTag('far')} ${delivery}`, { sessionId, cwd });
  expect([outcome.kind, await claude.trace(sessionId, cwd, delivery)]).toEqual(['done', 'present']);
});
