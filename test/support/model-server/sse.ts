import type { Block, MessageReply, Usage } from './replies.ts';

const usageJson = (usage: Usage, outputTokens: number) => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  output_tokens: outputTokens,
  service_tier: 'standard',
});

const stopReasonOf = (reply: MessageReply): string =>
  reply.stopReason ?? (reply.blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');

const blockJson = (block: Block, id: string) =>
  block.type === 'text' ? block : { type: 'tool_use', id, name: block.name, input: block.input };

/** The reply as the API gives it without streaming. `id` is the message's number on this server. */
export const renderMessage = (reply: MessageReply, id: string, model: string) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  content: reply.blocks.map((block, index) => blockJson(block, `toolu_${id}_${index}`)),
  stop_reason: stopReasonOf(reply),
  stop_sequence: null,
  usage: usageJson(reply.usage, reply.usage.outputTokens),
});

export interface Frame {
  readonly text: string;
  /** Output tokens that were sent once this frame is written. */
  readonly outputTokens: number;
}

const frame = (event: Record<string, unknown> & { type: string }, outputTokens: number): Frame => ({
  text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  outputTokens,
});

const DELTA_CHARACTERS = 4000;

function* deltasOf(block: Block): Generator<Record<string, unknown>> {
  const text = block.type === 'text' ? block.text : JSON.stringify(block.input);
  for (let at = 0; at < text.length || at === 0; at += DELTA_CHARACTERS) {
    const part = text.slice(at, at + DELTA_CHARACTERS);
    yield block.type === 'text'
      ? { type: 'text_delta', text: part }
      : { type: 'input_json_delta', partial_json: part };
  }
}

/** Everything up to the message's end: the start and the blocks. */
export function* renderBlocks(reply: MessageReply, id: string, model: string): Generator<Frame> {
  yield frame(
    {
      type: 'message_start',
      message: {
        ...renderMessage({ ...reply, blocks: [] }, id, model),
        stop_reason: null,
        usage: usageJson(reply.usage, Math.min(1, reply.usage.outputTokens)),
      },
    },
    Math.min(1, reply.usage.outputTokens),
  );
  for (const [index, block] of reply.blocks.entries()) {
    const sent = Math.floor((reply.usage.outputTokens * (index + 1)) / reply.blocks.length);
    const empty =
      block.type === 'text'
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${id}_${index}`, name: block.name, input: {} };
    yield frame({ type: 'content_block_start', index, content_block: empty }, sent);
    for (const delta of deltasOf(block)) yield frame({ type: 'content_block_delta', index, delta }, sent);
    yield frame({ type: 'content_block_stop', index }, sent);
  }
}

/** The message's end, which carries the final token counts. */
export const renderEnd = (reply: MessageReply): Frame[] => [
  frame(
    {
      type: 'message_delta',
      delta: { stop_reason: stopReasonOf(reply), stop_sequence: null },
      usage: usageJson(reply.usage, reply.usage.outputTokens),
    },
    reply.usage.outputTokens,
  ),
  frame({ type: 'message_stop' }, reply.usage.outputTokens),
];

export const renderStreamError = (type: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`;
