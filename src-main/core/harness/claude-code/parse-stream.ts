import { epochMs } from '../../../../src-shared/time.ts';
import type { EpochMs } from '../../../../src-shared/time.ts';
import type { TurnEvent } from '../../ports/harness.ts';
import { asArray, asCount, asNumber, asObject, asText, asTexts, jsonText } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { pathOfInput } from './tool-path.ts';
import { usageOfMessage } from './usage.ts';

/** What one line of stdout means. */
export type ParsedLine =
  | { readonly kind: 'events'; readonly events: readonly TurnEvent[] }
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** Looks like JSON and is not: the stream cannot be trusted any more. */
  | { readonly kind: 'corrupt' };

/** Facts that only the stream form tells and that the result alone does not carry. */
export interface StreamEvidence {
  /** Error code of the last reply that the CLI made up in place of the model's (`authentication_failed`, …). */
  readonly apiError: string | null;
  /** From a `rate_limit_event` that says rejected. */
  readonly isLimitRejected: boolean;
  readonly limitResetsAt: EpochMs | null;
}

export interface StreamParser {
  parseLine(line: string): ParsedLine;
  readonly evidence: StreamEvidence;
}

const MESSAGE_TEXT_LIMIT = 2_000;
const nothing: ParsedLine = { kind: 'events', events: [] };
const events = (...list: readonly TurnEvent[]): ParsedLine => ({ kind: 'events', events: list });

const cut = (text: string): string =>
  text.length <= MESSAGE_TEXT_LIMIT ? text : `${text.slice(0, MESSAGE_TEXT_LIMIT)}…`;
const diagnostic = (text: string): TurnEvent => ({ kind: 'diagnostic', text: cut(text) });
const activity = (...words: readonly (string | null)[]): TurnEvent => ({
  kind: 'activity',
  type: words
    .map((word) => (word ?? 'unknown').slice(0, 100))
    .filter((word) => word !== '')
    .join('/'),
});

/** Text of a tool result: a string, or blocks of which the text ones count. */
function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((block) => asText(asObject(block)?.['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

function systemEvent(message: JsonObject): TurnEvent {
  const subtype = asText(message['subtype']);
  switch (subtype) {
    case 'init':
      return {
        kind: 'session',
        sessionId: asText(message['session_id']) ?? '',
        model: asText(message['model']) ?? '',
        version: asText(message['claude_code_version']) ?? '',
        tools: asTexts(message['tools']),
      };
    case 'api_retry':
      return {
        kind: 'retry',
        attempt: asCount(message['attempt']),
        maxRetries: asCount(message['max_retries']),
        delayMs: asCount(message['retry_delay_ms']),
        status: asNumber(message['error_status']),
        error: asText(message['error']) ?? 'unknown',
      };
    case 'permission_denied':
      return {
        kind: 'denied',
        tool: asText(message['tool_name']) ?? 'unknown',
        reason: cut(asText(message['message']) ?? asText(message['decision_reason']) ?? ''),
      };
    default:
      return activity('system', subtype);
  }
}

function userEvents(message: JsonObject): readonly TurnEvent[] {
  const found: TurnEvent[] = [];
  for (const value of asArray(asObject(message['message'])?.['content'])) {
    const block = asObject(value);
    if (block?.['type'] !== 'tool_result') continue;
    found.push({
      kind: 'tool-result',
      id: asText(block['tool_use_id']) ?? '',
      isError: block['is_error'] === true,
      text: textOfContent(block['content']),
    });
  }
  // Nudges, reminders and echoes: not the person's words and not the model's.
  return found.length > 0 ? found : [activity('user')];
}

function blockEvent(value: unknown): TurnEvent {
  const block = asObject(value);
  const type = asText(block?.['type']);
  if (block !== null && type === 'text') return { kind: 'assistant', text: asText(block['text']) ?? '' };
  if (block !== null && type === 'tool_use') {
    const input = asObject(block['input']);
    return {
      kind: 'tool',
      id: asText(block['id']) ?? '',
      name: asText(block['name']) ?? 'unknown',
      input: jsonText(block['input'] ?? {}),
      path: pathOfInput(input),
    };
  }
  // Thinking is private reasoning: that it happened is an event, its text is not.
  return activity('assistant', type);
}

/** `resetsAt` is in seconds since 1970 in every sample; a value in milliseconds would be thousands of years off. */
function resetTime(value: unknown): EpochMs | null {
  const seconds = asNumber(value);
  if (seconds === null || seconds <= 0) return null;
  return epochMs(Math.round(seconds > 100_000_000_000 ? seconds : seconds * 1000));
}

/**
 * Reads stdout of one turn, line by line (20-claude-code, Reading the stream). It keeps what several lines tell
 * together: the reply whose usage was counted (one reply is several lines, PROTOCOL.md, surprise 18) and the
 * evidence for the reason of a failure. Never throws.
 */
export function createStreamParser(): StreamParser {
  let countedReply: string | null = null;
  let apiError: string | null = null;
  let isLimitRejected = false;
  let limitResetsAt: EpochMs | null = null;

  const assistantEvents = (line: JsonObject): readonly TurnEvent[] => {
    const message = asObject(line['message']);
    if (message === null) return [activity('assistant', null)];
    const content = asArray(message['content']);
    if (message['model'] === '<synthetic>' || line['is_api_error_message'] === true) {
      // Written by the CLI in the model's place: no proof that the model saw the prompt.
      apiError = asText(line['error']) ?? apiError;
      return [diagnostic(textOfContent(content))];
    }
    const found = content.map(blockEvent);
    const reply = asText(message['id']);
    const usage = reply !== null && reply === countedReply ? null : usageOfMessage(message);
    countedReply = reply;
    return usage === null ? found : [...found, usage];
  };

  const limitEvent = (line: JsonObject): TurnEvent => {
    const info = asObject(line['rate_limit_info']);
    const status = asText(info?.['status']) ?? 'unknown';
    const resetsAt = resetTime(info?.['resetsAt']);
    if (status === 'rejected') {
      isLimitRejected = true;
      limitResetsAt = resetsAt ?? limitResetsAt;
    }
    return { kind: 'rate-limit', status: status.slice(0, 100), resetsAt };
  };

  return {
    parseLine(line) {
      const text = line.trim();
      if (text === '') return nothing;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return text.startsWith('{') ? { kind: 'corrupt' } : events(diagnostic(text));
      }
      const message = asObject(value);
      if (message === null) return events(diagnostic(text));
      const type = asText(message['type']);
      switch (type) {
        case 'result':
          return { kind: 'result', result: message };
        case 'system':
          return events(systemEvent(message));
        case 'assistant':
          return events(...assistantEvents(message));
        case 'user':
          return events(...userEvents(message));
        case 'rate_limit_event':
          return events(limitEvent(message));
        default:
          return events(activity(type));
      }
    },
    get evidence() {
      return { apiError, isLimitRejected, limitResetsAt };
    },
  };
}
