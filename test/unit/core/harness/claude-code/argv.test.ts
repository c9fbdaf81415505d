import { expect, test } from 'vitest';
import { argvProblem, relayArgv } from '../../../../../src-main/core/harness/claude-code/argv.ts';
import type { SessionId } from '../../../../../src-shared/ids.ts';
import { microUsd } from '../../../../../src-shared/money.ts';

const request = {
  sessionId: '0a0a0a0a-0000-4000-8000-000000000001' as SessionId,
  session: 'new' as const,
  model: 'sonnet',
  budgetMicroUsd: microUsd(500_000),
  outputForm: 'stream-json' as const,
};

const SCHEMA =
  '{"type":"object","properties":{"status":{"enum":["done","question"]},"question":{"type":"string"},' +
  '"options":{"type":"array","items":{"type":"string"}},"summary":{"type":"string"},' +
  '"remove":{"type":"array","items":{"type":"string"}},"rename":{"type":"array","items":{"type":"object",' +
  '"properties":{"from":{"type":"string"},"to":{"type":"string"}},"required":["from","to"]}}},' +
  '"required":["status","summary"]}';

// A pin: these are the literals of 10-relay. A red test means "decide", not "update".
test('a start in the stream form has exactly this command line', () => {
  expect(relayArgv(request)).toEqual([
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--json-schema',
    SCHEMA,
    '--session-id',
    '0a0a0a0a-0000-4000-8000-000000000001',
    '--model',
    'sonnet',
    '--restricted',
    '--tools',
    'Read,Edit,Write,Glob,Grep',
    '--allowedTools',
    'Read,Edit,Write,Glob,Grep',
    '--permission-mode',
    'acceptEdits',
    '--permission-prompts',
    'none',
    '--strict-mcp-config',
    '--max-budget-usd',
    '0.50',
  ]);
});

test('a resume in the one-shot form has exactly this command line', () => {
  const resume = { ...request, session: 'resume' as const, outputForm: 'json' as const };
  expect(relayArgv({ ...resume, model: 'opus', budgetMicroUsd: microUsd(123_456) })).toEqual([
    '-p',
    '--output-format',
    'json',
    '--json-schema',
    SCHEMA,
    '--resume',
    '0a0a0a0a-0000-4000-8000-000000000001',
    '--model',
    'opus',
    '--restricted',
    '--tools',
    'Read,Edit,Write,Glob,Grep',
    '--allowedTools',
    'Read,Edit,Write,Glob,Grep',
    '--permission-mode',
    'acceptEdits',
    '--permission-prompts',
    'none',
    '--strict-mcp-config',
    '--max-budget-usd',
    '0.123456',
  ]);
});

test('both sessions and both forms differ in nothing but their own flags', () => {
  const words = (session: 'new' | 'resume', outputForm: 'stream-json' | 'json'): readonly string[] =>
    relayArgv({ ...request, session, outputForm });
  expect(words('resume', 'stream-json')).toEqual(
    words('new', 'stream-json').map((word) => (word === '--session-id' ? '--resume' : word)),
  );
  expect(words('new', 'json')).toEqual(
    words('new', 'stream-json')
      .filter((word) => word !== '--verbose')
      .map((word) => (word === 'stream-json' ? 'json' : word)),
  );
});

test('values that would be read as another flag, or cannot be a turn, are refused', () => {
  const problems = [
    request,
    { ...request, model: 'claude-sonnet-5-5[1m]' },
    { ...request, model: '--dangerously-skip-permissions' },
    { ...request, model: '' },
    { ...request, model: 'a b' },
    { ...request, sessionId: '--continue' as SessionId },
    { ...request, budgetMicroUsd: microUsd(0) },
    { ...request, budgetMicroUsd: Number.NaN as typeof request.budgetMicroUsd },
  ].map(argvProblem);
  expect(problems.map((problem) => problem !== null)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
});
