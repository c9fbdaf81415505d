import { expect, test } from 'vitest';
import { mapOutcome } from '../../../../../src-main/core/harness/claude-code/map-result.ts';
import type { TurnEvidence } from '../../../../../src-main/core/harness/claude-code/map-result.ts';
import type { TurnOutcome } from '../../../../../src-main/core/ports/harness.ts';
import { NO_EVIDENCE, replay } from './replay.ts';

/** The parts of an outcome that decide: how, why and what it cost. */
function gist(outcome: TurnOutcome): readonly unknown[] {
  switch (outcome.kind) {
    case 'done':
    case 'question':
      return [outcome.kind, outcome.report.totalMicroUsd, outcome.report.turnMicroUsd];
    case 'failed':
      return [outcome.category, outcome.report?.totalMicroUsd ?? null, outcome.report?.turnMicroUsd ?? null];
    case 'interrupted':
      return [outcome.kind, outcome.by, outcome.report?.totalMicroUsd ?? null];
    case 'lost':
      return [outcome.cause, outcome.exitCode, outcome.signal];
    case 'not-started':
      return [outcome.kind, outcome.message];
  }
}

const RECORDED: Readonly<Record<string, readonly unknown[]>> = {
  'question-answer-done/process-1': ['question', 2900, null],
  // The running total of the session, not this turn's price.
  'question-answer-done/process-2': ['done', 11600, null],
  'containment-denials': ['done', 29000, 29000],
  'api-429-then-ok/json': ['done', 2900, null],
  // Recorded without a schema, so nothing structured could come.
  'api-429-then-ok/stream': ['no-structured-output', 2900, 2900],
  'api-529-exhausted': ['overload', 0, 0],
  'budget-exceeded': ['budget', 2900, null],
  'not-logged-in/json': ['not-logged-in', 0, null],
  'not-logged-in/stream': ['not-logged-in', 0, 0],
  'resume-unknown/json': ['unknown-session', null, null],
  'resume-unknown/stream': ['unknown-session', 0, null],
  'session-in-use/process-1': ['done', 2900, null],
  'session-in-use/process-2': ['session-in-use', null, null],
  'sigint-one-shot': ['completion-unknown', 0, null],
  'sigterm-mid-turn-then-resume/process-1': ['completion-unknown', 143, null],
  'sigterm-mid-turn-then-resume/process-2': ['no-structured-output', 2900, 2900],
  'structured-output-exhausted': ['schema-retries', 14500, null],
  'structured-output-missing': ['no-structured-output', 5800, null],
  'whitespace-message': ['no-structured-output', 0, 0],
  'malformed-line': ['protocol-corruption', 0, null],
};

test.each(Object.entries(RECORDED))(
  'the recording %s ends as it did and costs what it did',
  (folder, expected) => {
    expect(gist(replay(folder).outcome)).toEqual(expected);
  },
);

test('a recorded question and the done after it carry their text, tokens and denials', () => {
  expect(replay('question-answer-done/process-1').outcome).toEqual({
    kind: 'question',
    question: 'Round to 2 places or to the nearest rupee?',
    options: [],
    summary: 'Need the rounding rule.',
    report: {
      sessionId: '0a0a0a0a-0000-4000-8000-000000000001',
      subtype: 'success',
      isError: false,
      numTurns: 2,
      durationMs: 217,
      totalMicroUsd: 2900,
      turnMicroUsd: null,
      usageByModel: [
        {
          model: 'claude-sonnet-5-5',
          inputTokens: 1200,
          outputTokens: 50,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          costMicroUsd: 2900,
        },
      ],
      denials: [],
    },
  });
  const contained = replay('containment-denials').outcome;
  expect(contained.kind === 'done' && contained.report.denials).toEqual([
    { tool: 'Write', path: '/work/outside/abs.txt' },
    { tool: 'Write', path: '/work/outside/rel.txt' },
    { tool: 'Write', path: '/work/project/link/via-symlink.txt' },
    { tool: 'Write', path: '/work/project/.git/config' },
    { tool: 'Write', path: '/work/project/.claude/settings.json' },
    { tool: 'Read', path: '/etc/hostname' },
  ]);
});

/** An API error as every one of them comes: "success", exit 1. */
const apiError = (fields: object, stream: Partial<TurnEvidence['stream']> = {}): TurnOutcome =>
  mapOutcome({
    ...NO_EVIDENCE,
    exitCode: 1,
    stream: { ...NO_EVIDENCE.stream, ...stream },
    result: { type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error', ...fields },
  });
const categoryOf = (outcome: TurnOutcome): string =>
  outcome.kind === 'failed' ? outcome.category : outcome.kind;

test.each([
  [
    'login',
    { api_error_status: 401, result: 'Invalid API key · Fix external API key' },
    'authentication_failed',
  ],
  [
    'login',
    { api_error_status: 403, result: 'Failed to authenticate. API Error: 403 x' },
    'authentication_failed',
  ],
  [
    'not-logged-in',
    { api_error_status: null, result: 'Not logged in · Please run /login' },
    'authentication_failed',
  ],
  [
    'model-not-found',
    { api_error_status: 404, result: "There's an issue with the selected model" },
    'model_not_found',
  ],
  [
    'prompt-too-long',
    { api_error_status: 400, terminal_reason: 'prompt_too_long', result: 'Prompt is too long · x' },
    'invalid_request',
  ],
  [
    'prompt-too-long',
    { api_error_status: null, terminal_reason: 'blocking_limit', result: 'Prompt is too long' },
    null,
  ],
  ['billing', { api_error_status: 400, result: 'Credit balance is too low' }, 'billing_error'],
  ['bad-request', { api_error_status: 400, result: 'API Error: 400 no' }, 'unknown'],
  [
    'rate-limit',
    {
      api_error_status: 429,
      api_error_type: 'rate_limit_error',
      result: 'API Error: Request rejected (429) · x',
    },
    'rate_limit',
  ],
  [
    'overload',
    { api_error_status: 529, api_error_type: 'overloaded_error', result: 'API Error: 529 Overloaded.' },
    'server_error',
  ],
  [
    'overload',
    { api_error_status: 500, api_error_type: 'api_error', result: 'API Error: 500 x' },
    'server_error',
  ],
  [
    'connection',
    { api_error_status: null, api_error: 'connection_failed', result: 'API Error: Connection refused (x)' },
    'server_error',
  ],
  [
    'connection',
    { api_error_status: null, result: 'API Error: Connection dropped (ECONNRESET) x' },
    'server_error',
  ],
  [
    'usage-limit',
    { api_error_status: 429, result: "You've hit your 5-hour limit · resets 7:47pm (UTC)" },
    'rate_limit',
  ],
  ['error', { api_error_status: null, result: 'Something new' }, null],
] as const)('an API error is %s, in the one-shot form as in the stream', (category, fields, code) => {
  expect([categoryOf(apiError(fields)), categoryOf(apiError(fields, { apiError: code }))]).toEqual([
    category,
    category,
  ]);
});

test('a usage limit has its reset time, from the stream or else from the sentence', () => {
  const fields = { api_error_status: 429, result: "You've hit your 5-hour limit · resets 7:47pm (UTC)" };
  const resets = (outcome: TurnOutcome): unknown => outcome.kind === 'failed' && outcome.resetsAt;
  expect([
    resets(apiError(fields)),
    resets(apiError(fields, { isLimitRejected: true, limitResetsAt: 1796068062000 as never })),
    resets(apiError({ api_error_status: 429, result: 'API Error: Request rejected (429)' })),
  ]).toEqual([Date.UTC(2026, 10, 30, 19, 47), 1796068062000, null]);
});

test('what people read is our own sentence, never the internal text of the CLI or of a server', () => {
  const outcome = mapOutcome({
    ...NO_EVIDENCE,
    exitCode: 1,
    result: {
      subtype: 'error_during_execution',
      is_error: true,
      errors: ['[ede_diagnostic] /home/x'],
      result: 'leak',
    },
  });
  expect(outcome.kind === 'failed' && [outcome.category, outcome.message]).toEqual([
    'error',
    'Claude Code ended its turn with an error.',
  ]);
});

const success = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  structured_output: { status: 'done', summary: 's', remove: ['a'], rename: [{ from: 'b', to: 'c' }] },
};

test('a done carries what the file tools cannot do', () => {
  expect(mapOutcome({ ...NO_EVIDENCE, result: success })).toMatchObject({
    kind: 'done',
    summary: 's',
    remove: ['a'],
    rename: [{ from: 'b', to: 'c' }],
  });
});

test.each([
  ['no-question', { structured_output: { status: 'question', summary: 's' } }, 0],
  ['no-question', { structured_output: { status: 'question', question: ' \n', summary: 's' } }, 0],
  ['no-structured-output', { structured_output: { status: 'maybe', summary: 's' } }, 0],
  ['no-structured-output', { structured_output: 'done' }, 0],
  ['no-structured-output', { structured_output: undefined }, 0],
  ['max-turns', { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }, 1],
  // Contradictions are no success, and the model's own text cannot put dispatch on hold.
  ['error', { result: 'Credit balance is too low' }, 1],
  ['error', { subtype: 'error_during_execution' }, 0],
  ['error', { is_error: undefined }, 0],
] as const)('%s when a result is not a plain success', (category, change, exitCode) => {
  expect(categoryOf(mapOutcome({ ...NO_EVIDENCE, exitCode, result: { ...success, ...change } }))).toBe(
    category,
  );
});

test('options that are blank or repeated are left out', () => {
  const structured_output = {
    status: 'question',
    question: 'Q?',
    options: ['a', ' ', 'a', 'b'],
    summary: '',
  };
  const outcome = mapOutcome({ ...NO_EVIDENCE, result: { ...success, structured_output } });
  expect(outcome.kind === 'question' && outcome.options).toEqual(['a', 'b']);
});

test('a result that came before our stop stands, one that came after only keeps its figures', () => {
  const before = mapOutcome({ ...NO_EVIDENCE, result: success, exitCode: 143, wasEndedByUs: true });
  const after = mapOutcome({
    ...NO_EVIDENCE,
    result: { ...success, total_cost_usd: 0.5 },
    exitCode: 0,
    stoppedBy: 'kill-switch',
  });
  expect([gist(before), gist(after)]).toEqual([
    ['done', null, null],
    ['interrupted', 'kill-switch', 500_000],
  ]);
});

test('a process that ended without a result is lost, interrupted or never started, by what is known', () => {
  const ended = (change: Partial<TurnEvidence>): readonly unknown[] =>
    gist(mapOutcome({ ...NO_EVIDENCE, ...change }));
  expect([
    ended({ exitCode: 0 }),
    ended({ exitCode: 1 }),
    ended({ exitCode: null, signal: 'SIGKILL' }),
    ended({ exitCode: 143, stoppedBy: 'time-limit' }),
    ended({ exitCode: null, signal: 'SIGKILL', broken: 'line-too-long' }),
    ended({ exitCode: 1, wasPromptWritten: false }),
    ended({ exitCode: 1, stderr: 'The current directory no longer exists …' }),
    ended({ exitCode: 1, stderr: 'Warning: no stdin\nError: Input must be provided either …' }),
  ]).toEqual([
    ['completion-unknown', 0, null],
    ['completion-unknown', 1, null],
    ['completion-unknown', null, 'SIGKILL'],
    ['interrupted', 'time-limit', null],
    ['line-too-long', null, 'SIGKILL'],
    ['not-started', 'Claude Code ended before it took the prompt (exit code 1).'],
    ['not-started', "The task's folder is gone."],
    ['not-started', 'Claude Code gave up waiting for the prompt.'],
  ]);
});

test.each([
  "error: unknown option '--nope' …",
  'Error: --json-schema is not valid JSON: …',
  'Error: --session-id with --continue or --resume also needs --fork-session.',
  'Error: Invalid session ID. Must be a valid UUID.',
  'Error: Input contained only whitespace. …',
])('arguments that were not accepted are named so: %s', (stderr) => {
  expect(categoryOf(mapOutcome({ ...NO_EVIDENCE, exitCode: 1, stderr: `${stderr}\n` }))).toBe(
    'wrong-arguments',
  );
});

test('figures that cannot be true are no money', () => {
  const totals = [-1, 1e999, '0.5', 1e12, null].map((total_cost_usd) => {
    const outcome = mapOutcome({ ...NO_EVIDENCE, result: { ...success, total_cost_usd } });
    return outcome.kind === 'done' ? outcome.report.totalMicroUsd : 'wrong';
  });
  expect(totals).toEqual([null, null, null, null, null]);
});
