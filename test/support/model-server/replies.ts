import type { Gate } from './gate.ts';

/** Token counts as the Messages API reports them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** One request of this size costs 0.0029 USD by the CLI's list price of its `sonnet` (PROTOCOL.md, 9). */
export const DEFAULT_USAGE: Usage = {
  inputTokens: 1200,
  outputTokens: 50,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';

export type Reply =
  | {
      readonly kind: 'message';
      readonly blocks: readonly Block[];
      readonly usage: Usage;
      readonly stopReason?: StopReason;
      readonly headers?: Readonly<Record<string, string>>;
      /** Waits here before anything is answered. */
      readonly before?: Gate;
      /** Waits here when all blocks but the message's end were sent. */
      readonly beforeEnd?: Gate;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly before?: Gate;
    }
  /** Cuts the connection before a byte, or after the first block of the stream. */
  | { readonly kind: 'drop'; readonly when: 'at-once' | 'in-the-stream'; readonly before?: Gate }
  /** Starts a good stream, then sends an `error` event. */
  | { readonly kind: 'error-in-stream'; readonly type: string; readonly message: string };

export type MessageReply = Extract<Reply, { kind: 'message' }>;
type MessageOptions = Partial<Omit<MessageReply, 'kind' | 'blocks' | 'usage'>> & {
  readonly usage?: Partial<Usage>;
};

export const message = (blocks: readonly Block[], { usage, ...rest }: MessageOptions = {}): MessageReply => ({
  kind: 'message',
  blocks,
  usage: { ...DEFAULT_USAGE, ...usage },
  ...rest,
});

export const textBlock = (text: string): Block => ({ type: 'text', text });
export const toolBlock = (name: string, input: Readonly<Record<string, unknown>>): Block => ({
  type: 'tool_use',
  name,
  input,
});

export const say = (text: string, options: MessageOptions = {}): MessageReply =>
  message([textBlock(text)], options);
export const useTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: MessageOptions = {},
): MessageReply => message([toolBlock(name, input)], options);

/** The structured answer of a relay turn that asks a person. */
export const askPerson = (
  question: string,
  more: { readonly options?: readonly string[]; readonly summary?: string } = {},
  options: MessageOptions = {},
): MessageReply =>
  useTool(
    'StructuredOutput',
    {
      status: 'question',
      question,
      summary: more.summary ?? 'Waiting for an answer.',
      ...(more.options === undefined ? {} : { options: more.options }),
    },
    options,
  );

/** The structured answer of a relay turn that is finished. */
export const finish = (
  summary: string,
  more: Readonly<Record<string, unknown>> = {},
  options: MessageOptions = {},
): MessageReply => useTool('StructuredOutput', { status: 'done', summary, ...more }, options);

const ERROR_TYPE: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

export const apiError = (
  status: number,
  text: string,
  more: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly retryAfterS?: number;
    readonly before?: Gate;
  } = {},
): Reply => ({
  kind: 'error',
  status,
  type: ERROR_TYPE[status] ?? 'api_error',
  message: text,
  headers: {
    ...more.headers,
    ...(more.retryAfterS === undefined ? {} : { 'retry-after': String(more.retryAfterS) }),
  },
  ...(more.before === undefined ? {} : { before: more.before }),
});

/**
 * Headers by which the API tells a subscription's limits; the CLI prints a `rate_limit_event` for them when it
 * is logged in with a subscription token (seen with a made-up one, PROTOCOL.md, 2).
 */
export const limitHeaders = (status: 'allowed' | 'rejected', resetsAtS: number): Record<string, string> => ({
  'anthropic-ratelimit-unified-status': status,
  'anthropic-ratelimit-unified-reset': String(resetsAtS),
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-5h-status': status,
  'anthropic-ratelimit-unified-5h-reset': String(resetsAtS),
  'anthropic-ratelimit-unified-5h-utilization': status === 'rejected' ? '1.0' : '0.4',
});

/** A usage limit of a subscription: rejected, with the moment at which it ends. */
export const usageLimit = (resetsAtS: number): Reply =>
  apiError(429, 'This request would exceed your account’s rate limit. Please try again later.', {
    headers: limitHeaders('rejected', resetsAtS),
  });
