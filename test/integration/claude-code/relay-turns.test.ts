import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { TurnOutcome } from '../../../src-main/core/ports/harness.ts';
import type { ScenarioStep } from '../../../src-main/hosts/cli/demo/scripted-scenario.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { TurnWorld } from './turn-world.ts';

const costs = (outcome: TurnOutcome): readonly unknown[] =>
  outcome.kind === 'done' || outcome.kind === 'question'
    ? [outcome.kind, outcome.report.totalMicroUsd, outcome.report.turnMicroUsd]
    : [outcome.kind];

test.each(['stream-json', 'json'] as const)(
  'a question, its answer in the same session and the work after it (%s)',
  async (outputForm) => {
    await using world = await TurnWorld.create();
    const file = path.join(world.cwd, 'invoice.py');
    writeFileSync(file, 'def total(items):\n    return sum(items)\n');
    const sessionId = world.ids.sessionId();
    const first = await world.play('Sum the items. Ask about rounding.', { sessionId, outputForm });
    const answer = 'Round to 2 places or to the nearest rupee?\nThe answer: Nearest rupee';
    const second = await world.play(answer, { sessionId, session: 'resume', outputForm });
    const isStream = outputForm === 'stream-json';
    expect([
      first.outcome.kind === 'question' && [first.outcome.question, first.outcome.options],
      costs(first.outcome),
      second.outcome.kind === 'done' && second.outcome.summary,
      costs(second.outcome),
      second.outcome.kind === 'done' && second.outcome.report.sessionId,
      readFileSync(file, 'utf8'),
      world.alive(),
    ]).toEqual([
      ['Round to 2 places or to the nearest rupee?', ['2 places', 'Nearest rupee']],
      ['question', 5_800, isStream ? 5_800 : null],
      'Totals are now rounded to the nearest rupee.',
      ['done', 14_500, isStream ? 8_700 : null],
      sessionId,
      'def total(items):\n    return round(sum(items))\n',
      [],
    ]);
    const kinds = [...new Set(second.events.map((event) => event.kind))];
    expect(kinds).toEqual(isStream ? ['session', 'tool', 'usage', 'tool-result'] : []);
  },
);

const FAULTS: readonly (readonly [string, readonly ScenarioStep[]])[] = [
  ['not-logged-in', [{ do: 'api-error', error: 'not-logged-in' }]],
  ['login', [{ do: 'api-error', error: 'login' }]],
  ['login', [{ do: 'api-error', error: 'forbidden' }]],
  ['rate-limit', [{ do: 'api-error', error: 'rate-limit' }]],
  ['overload', [{ do: 'api-error', error: 'overload' }]],
  ['overload', [{ do: 'api-error', error: 'server' }]],
  ['connection', [{ do: 'api-error', error: 'connection' }]],
  ['billing', [{ do: 'api-error', error: 'billing' }]],
  ['model-not-found', [{ do: 'api-error', error: 'model-not-found' }]],
  ['prompt-too-long', [{ do: 'api-error', error: 'prompt-too-long' }]],
  ['bad-request', [{ do: 'api-error', error: 'bad-request' }]],
  ['usage-limit', [{ do: 'api-error', error: 'usage-limit' }]],
  ['schema-retries', [{ do: 'limit', limit: 'schema-retries' }]],
  ['max-turns', [{ do: 'limit', limit: 'max-turns' }]],
  ['no-structured-output', [{ do: 'text', text: 'All done.' }]],
  ['no-question', [{ do: 'structured', value: { status: 'question', summary: 's' } }]],
];

test.each(['stream-json', 'json'] as const)(
  'each failure has its category in the form %s',
  async (outputForm) => {
    await using world = await TurnWorld.create();
    const found = [];
    for (const [, steps] of FAULTS) {
      world.steps(...steps);
      const { outcome } = await world.play('x', { outputForm });
      found.push(outcome.kind === 'failed' ? outcome.category : outcome.kind);
    }
    expect(found).toEqual(FAULTS.map(([category]) => category));
  },
);

test('a usage limit says when it ends, in both forms to the same minute', async () => {
  await using world = await TurnWorld.create();
  // On a whole minute, since the sentence of the one-shot form knows no seconds.
  const resetsAt = (Math.floor(Date.now() / 60_000) + 90) * 60;
  world.steps({ do: 'api-error', error: 'usage-limit', resetsAt });
  const resets = [];
  for (const outputForm of ['stream-json', 'json'] as const) {
    const { outcome } = await world.play('x', { outputForm });
    resets.push(outcome.kind === 'failed' && outcome.resetsAt);
  }
  expect(resets).toEqual([resetsAt * 1000, resetsAt * 1000]);
});

test('a reply that crosses the budget is thrown away, and its price is reported', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'write', path: 'late.txt', content: 'x' });
  const { outcome } = await world.play('x', { budgetMicroUsd: microUsd(2_000) });
  expect(outcome.kind === 'failed' && [outcome.category, outcome.report?.turnMicroUsd]).toEqual([
    'budget',
    2_900,
  ]);
  expect(() => readFileSync(path.join(world.cwd, 'late.txt'))).toThrow('ENOENT');
});

test('a session that is there, or is not, is told apart from every other failure', async () => {
  await using world = await TurnWorld.create();
  const sessionId = world.ids.sessionId();
  world.steps({ do: 'done' });
  await world.play('x', { sessionId });
  const categories = [];
  for (const outputForm of ['stream-json', 'json'] as const) {
    for (const change of [{ sessionId }, { session: 'resume' as const }]) {
      const { outcome } = await world.play('x', { ...change, outputForm });
      categories.push(outcome.kind === 'failed' && outcome.category);
    }
  }
  expect(categories).toEqual(['session-in-use', 'unknown-session', 'session-in-use', 'unknown-session']);
  expect(world.prompts()).toEqual(['x']);
});

test('an end without a result is lost, with the code or the signal', async () => {
  await using world = await TurnWorld.create();
  const endings: readonly (readonly ScenarioStep[])[] = [
    [{ do: 'exit', code: 0 }],
    [
      { do: 'say', text: 'hi' },
      { do: 'exit', code: 7 },
    ],
    [{ do: 'die', signal: 'SIGKILL' }],
    [
      { do: 'raw', text: '{"type":"result","subtype":"succ' },
      { do: 'exit', code: 0 },
    ],
    [{ do: 'line', text: '{"type":"assistant",' }, { do: 'hang' }],
  ];
  const found = [];
  for (const steps of endings) {
    world.steps(...steps);
    const { outcome } = await world.play('x');
    found.push(outcome.kind === 'lost' && [outcome.cause, outcome.exitCode, outcome.signal]);
  }
  expect(found).toEqual([
    ['completion-unknown', 0, null],
    ['completion-unknown', 7, null],
    ['completion-unknown', null, 'SIGKILL'],
    ['completion-unknown', 0, null],
    // Broken off by us: the scripted one leaves on SIGTERM as the real one does.
    ['protocol-corruption', 143, null],
  ]);
  expect(world.alive()).toEqual([]);
});

test('plain words on stdout are diagnostics and change nothing', async () => {
  await using world = await TurnWorld.create();
  const go = world.path('go');
  world.steps(
    { do: 'line', text: 'Warning: something' },
    { do: 'stderr', text: 'note' },
    { do: 'wait-for-file', path: go },
    { do: 'done' },
  );
  const turn = await world.launch();
  await turn.writePrompt('x');
  const texts: string[] = [];
  for await (const event of turn.events) {
    if (event.kind === 'diagnostic') texts.push(event.text);
    // Two pipes have no order between them, and nothing follows the result: so it comes after both.
    if (texts.length === 2) writeFileSync(go, '');
  }
  expect([texts.toSorted(), (await turn.outcome).kind]).toEqual([['Warning: something', 'note'], 'done']);
});

test('another session id in the result is reported as it is', async () => {
  await using world = await TurnWorld.create();
  const other = world.ids.sessionId();
  world.steps({ do: 'done-as', sessionId: other });
  const { outcome } = await world.play('x');
  expect(outcome.kind === 'done' && outcome.report.sessionId).toBe(other);
});

test('denied calls are events and stand in the report, and do not fail the turn', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'denied', tool: 'Write', path: '/etc/passwd' });
  const { events, outcome } = await world.play('x');
  expect([
    events.filter((event) => event.kind === 'denied').length,
    outcome.kind === 'done' && outcome.report.denials,
  ]).toEqual([1, [{ tool: 'Write', path: '/etc/passwd' }]]);
});
