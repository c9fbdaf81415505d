import { expect, test } from 'vitest';
import { createStreamParser } from '../../../../../src-main/core/harness/claude-code/parse-stream.ts';
import type { ParsedLine } from '../../../../../src-main/core/harness/claude-code/parse-stream.ts';
import { replay } from './replay.ts';

const parse = (...lines: readonly unknown[]): readonly ParsedLine[] => {
  const parser = createStreamParser();
  return lines.map((line) => parser.parseLine(typeof line === 'string' ? line : JSON.stringify(line)));
};
const kinds = (...lines: readonly unknown[]): readonly unknown[] =>
  parse(...lines).flatMap((line): readonly unknown[] => (line.kind === 'events' ? line.events : [line.kind]));

test('a recorded turn becomes session facts, tool calls, denials and their results in order', () => {
  const { events } = replay('containment-denials');
  expect(events.slice(0, 5)).toEqual([
    {
      kind: 'session',
      sessionId: '0a0a0a0a-0000-4000-8000-000000000021',
      model: 'claude-sonnet-5-5',
      version: '2.1.332',
      tools: ['Edit', 'Glob', 'Grep', 'Read', 'StructuredOutput', 'Write'],
    },
    {
      kind: 'tool',
      id: 'toolu_scripted_001',
      name: 'Write',
      input: '{"file_path":"/work/outside/abs.txt","content":"x\\n"}',
      path: '/work/outside/abs.txt',
    },
    {
      kind: 'usage',
      model: 'claude-sonnet-5-5',
      inputTokens: 1200,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    },
    {
      kind: 'denied',
      tool: 'Write',
      reason:
        '/work/outside/abs.txt is outside /work/project; --restricted confines the file tools to the working directory.',
    },
    {
      kind: 'tool-result',
      id: 'toolu_scripted_001',
      isError: true,
      text: '/work/outside/abs.txt is outside /work/project; --restricted confines the file tools to the working directory.',
    },
  ]);
  expect(events.filter((event) => event.kind === 'denied')).toHaveLength(6);
  expect(events.filter((event) => event.kind === 'usage')).toHaveLength(10);
});

test('retries come through with their wait and their cause', () => {
  const retries = replay('api-529-exhausted').events.filter((event) => event.kind === 'retry');
  expect(retries).toEqual([
    { kind: 'retry', attempt: 1, maxRetries: 2, delayMs: 554, status: 529, error: 'overloaded' },
    { kind: 'retry', attempt: 2, maxRetries: 2, delayMs: 1169, status: 529, error: 'overloaded' },
  ]);
});

test('what the CLI writes in the place of the model is a diagnostic, never the word of the model', () => {
  const { events } = replay('not-logged-in/stream');
  expect(events.filter((event) => event.kind === 'assistant')).toEqual([]);
  expect(events.at(-1)).toEqual({ kind: 'diagnostic', text: 'Not logged in · Please run /login' });
});

test('a broken JSON line is corruption, a plain line is a diagnostic, an empty one is nothing', () => {
  expect(kinds('{"type":"stream_event","event":', 'Warning: this is not JSON', '', ' \r')).toEqual([
    'corrupt',
    { kind: 'diagnostic', text: 'Warning: this is not JSON' },
  ]);
  expect(replay('malformed-line').outcome).toMatchObject({ kind: 'lost', cause: 'protocol-corruption' });
});

test('JSON that is no message is a diagnostic, and unknown messages are activity', () => {
  expect(kinds('null', '42', '[1]', {}, { type: 'brand_new' }, { type: 'system', subtype: 'ui' })).toEqual([
    { kind: 'diagnostic', text: 'null' },
    { kind: 'diagnostic', text: '42' },
    { kind: 'diagnostic', text: '[1]' },
    { kind: 'activity', type: 'unknown' },
    { kind: 'activity', type: 'brand_new' },
    { kind: 'activity', type: 'system/ui' },
  ]);
});

test('a reply that comes in several lines is counted once', () => {
  const line = (content: unknown): unknown => ({
    type: 'assistant',
    message: { id: 'msg_1', model: 'm', content: [content], usage: { input_tokens: 7, output_tokens: 1 } },
  });
  const found = kinds(
    line({ type: 'thinking', thinking: 'secret plan' }),
    line({ type: 'text', text: 'Hello' }),
    line({ type: 'tool_use', id: 't', name: 'Glob', input: { path: 'src', pattern: '*' } }),
  );
  expect(found).toEqual([
    { kind: 'activity', type: 'assistant/thinking' },
    {
      kind: 'usage',
      model: 'm',
      inputTokens: 7,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    },
    { kind: 'assistant', text: 'Hello' },
    { kind: 'tool', id: 't', name: 'Glob', input: '{"path":"src","pattern":"*"}', path: 'src' },
  ]);
});

test('a limit that rejects is remembered with its reset time, one that allows is not', () => {
  const parser = createStreamParser();
  const line = (status: string): string =>
    JSON.stringify({
      type: 'rate_limit_event',
      rate_limit_info: { status, resetsAt: 1796068062, rateLimitType: 'five_hour' },
    });
  parser.parseLine(line('allowed'));
  const before = parser.evidence;
  const event = parser.parseLine(line('rejected'));
  expect([before, parser.evidence, event]).toEqual([
    { apiError: null, isLimitRejected: false, limitResetsAt: null },
    { apiError: null, isLimitRejected: true, limitResetsAt: 1796068062000 },
    { kind: 'events', events: [{ kind: 'rate-limit', status: 'rejected', resetsAt: 1796068062000 }] },
  ]);
});

test('nesting that no stack can print is noted, not thrown', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const line = `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Write","input":${deep}}]}}`;
  expect(kinds(line)).toEqual([
    { kind: 'tool', id: 't', name: 'Write', input: '"(nested too deeply to be shown)"', path: null },
  ]);
});
