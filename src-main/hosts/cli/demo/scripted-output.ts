import { randomUUID } from 'node:crypto';
import type { ScriptedTurnArguments } from './scripted-arguments.ts';
import type { ScriptedApiError } from './scripted-scenario.ts';

/** Lines as 2.1.332 prints them, in the shape of the recordings; keys that nobody reads are left out. */
export type Fields = Readonly<Record<string, unknown>>;

export const TOKENS_PER_REPLY = { input: 1200, output: 50 } as const;

const MODELS: Readonly<Record<string, string>> = {
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
};
export const fullModelName = (model: string): string => MODELS[model] ?? model;

export const initLine = (args: ScriptedTurnArguments, cwd: string, version: string): Fields => ({
  type: 'system',
  subtype: 'init',
  cwd,
  session_id: args.sessionId,
  tools: [...args.tools, 'StructuredOutput'].toSorted(),
  mcp_servers: [],
  model: fullModelName(args.model),
  permissionMode: args.permissionMode,
  apiKeySource: 'ANTHROPIC_API_KEY',
  claude_code_version: version,
  uuid: randomUUID(),
});

export const assistantLine = (sessionId: string, model: string, message: string, block: Fields): Fields => ({
  type: 'assistant',
  message: {
    id: message,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: TOKENS_PER_REPLY.input,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  },
  parent_tool_use_id: null,
  session_id: sessionId,
  uuid: randomUUID(),
  timestamp: new Date().toISOString(),
});

export const toolResultLine = (sessionId: string, id: string, text: string, isError: boolean): Fields => ({
  type: 'user',
  message: {
    role: 'user',
    content: [
      { tool_use_id: id, type: 'tool_result', content: text, ...(isError ? { is_error: true } : {}) },
    ],
  },
  parent_tool_use_id: null,
  session_id: sessionId,
  uuid: randomUUID(),
  timestamp: new Date().toISOString(),
});

interface ApiError {
  readonly status: number | null;
  readonly type: string | null;
  /** `error` of the assistant line in the stream. */
  readonly code: string;
  readonly text: string;
  readonly reason?: string;
  readonly more?: Fields;
}

/** The table of PROTOCOL.md, 2. */
export const API_ERRORS: Readonly<Record<ScriptedApiError, ApiError>> = {
  'not-logged-in': {
    status: null,
    type: null,
    code: 'authentication_failed',
    text: 'Not logged in · Please run /login',
  },
  login: {
    status: 401,
    type: 'authentication_error',
    code: 'authentication_failed',
    text: 'Invalid API key · Fix external API key',
  },
  forbidden: {
    status: 403,
    type: 'permission_error',
    code: 'authentication_failed',
    text: 'Failed to authenticate. API Error: 403 forbidden',
  },
  'rate-limit': {
    status: 429,
    type: 'rate_limit_error',
    code: 'rate_limit',
    text: 'API Error: Request rejected (429) · too many requests',
  },
  'usage-limit': {
    status: 429,
    type: 'rate_limit_error',
    code: 'rate_limit',
    text: "You've hit your 5-hour limit · resets 7:47pm (UTC)",
  },
  overload: {
    status: 529,
    type: 'overloaded_error',
    code: 'server_error',
    text: 'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.',
  },
  server: { status: 500, type: 'api_error', code: 'server_error', text: 'API Error: 500 internal' },
  connection: {
    status: null,
    type: null,
    code: 'server_error',
    text: 'API Error: Connection refused (ECONNREFUSED)',
    more: { api_error: 'connection_failed' },
  },
  billing: {
    status: 400,
    type: 'invalid_request_error',
    code: 'billing_error',
    text: 'Credit balance is too low',
  },
  'model-not-found': {
    status: 404,
    type: 'not_found_error',
    code: 'model_not_found',
    text: "There's an issue with the selected model (nope).",
  },
  'prompt-too-long': {
    status: 400,
    type: 'invalid_request_error',
    code: 'invalid_request',
    text: 'Prompt is too long · 250000 tokens',
    reason: 'prompt_too_long',
  },
  'bad-request': {
    status: 400,
    type: 'invalid_request_error',
    code: 'unknown',
    text: 'API Error: 400 bad request',
  },
};

/** "resets 7:47pm (UTC)" for a moment in seconds since 1970. */
export function resetSentence(resetsAt: number): string {
  const date = new Date(resetsAt * 1000);
  const hour = date.getUTCHours();
  const minute = String(date.getUTCMinutes()).padStart(2, '0');
  return `You've hit your 5-hour limit · resets ${hour % 12 || 12}:${minute}${hour < 12 ? 'am' : 'pm'} (UTC)`;
}

export const syntheticLine = (sessionId: string, error: ApiError, text: string): Fields => ({
  type: 'assistant',
  message: {
    id: randomUUID(),
    model: '<synthetic>',
    role: 'assistant',
    stop_reason: 'stop_sequence',
    type: 'message',
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    content: [{ type: 'text', text }],
  },
  parent_tool_use_id: null,
  session_id: sessionId,
  uuid: randomUUID(),
  timestamp: new Date().toISOString(),
  error: error.code,
  is_api_error_message: true,
  ...(error.status === null ? {} : { api_error_status: error.status, api_error_type: error.type }),
});

export interface Spent {
  readonly replies: number;
  readonly usd: number;
}

const modelUsage = (model: string, spent: Spent): Fields =>
  spent.replies === 0
    ? {}
    : {
        [model]: {
          inputTokens: TOKENS_PER_REPLY.input * spent.replies,
          outputTokens: TOKENS_PER_REPLY.output * spent.replies,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
          webSearchRequests: 0,
          costUSD: spent.usd,
          costBasis: 'list',
        },
      };

export interface ResultParts {
  readonly sessionId: string;
  readonly model: string;
  readonly outputForm: 'json' | 'stream-json';
  /** Of the whole conversation, this turn included. */
  readonly total: Spent;
  readonly turn: Spent;
  readonly denials: readonly Fields[];
  readonly durationMs: number;
  /** `subtype`, `is_error`, `result`, `structured_output`, … */
  readonly fields: Fields;
}

/** `type` is not the first key, as in the real thing. */
export const resultLine = (parts: ResultParts): Fields => ({
  duration_api_ms: parts.durationMs,
  stop_reason: 'tool_use',
  session_id: parts.sessionId,
  total_cost_usd: parts.total.usd,
  usage: {
    input_tokens: TOKENS_PER_REPLY.input * parts.turn.replies,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: TOKENS_PER_REPLY.output * parts.turn.replies,
  },
  modelUsage: modelUsage(parts.model, parts.total),
  permission_denials: parts.denials,
  terminal_reason: 'completed',
  num_turns: parts.turn.replies + 1,
  ...parts.fields,
  type: 'result',
  duration_ms: parts.durationMs,
  uuid: randomUUID(),
  queued_turn_count: 0,
  result_index: 0,
  ...(parts.outputForm === 'json'
    ? {}
    : { begun_message_ids: [], model_usage_since_last_result: modelUsage(parts.model, parts.turn) }),
});
