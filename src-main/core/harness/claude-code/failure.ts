import type { EpochMs } from '../../../../src-shared/time.ts';
import type { FailureCategory } from '../../../../src-shared/model/turn-failure.ts';
import type { StreamEvidence } from './parse-stream.ts';
import { asArray, asNumber, asText, asTexts } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { parseResetTime } from './reset-time.ts';

/**
 * What people read. Our own sentences throughout: `errors` of a result holds internal text of the CLI, and its
 * `result` may hold what a server or a model wrote.
 */
export const FAILURE_TEXT: Readonly<Record<FailureCategory, string>> = {
  'no-structured-output': 'Claude Code ended its turn without the structured answer that was asked for.',
  'no-question': 'Claude Code said that it has a question and asked none.',
  'schema-retries': 'Claude Code did not manage to give its answer in the form that was asked for.',
  budget: 'The turn reached the cost cap of a call.',
  'max-turns': 'The turn reached its limit of model replies.',
  login: 'Authentication required for Claude Code. Log in separately through Claude Code, then retry.',
  'not-logged-in':
    'Authentication required for Claude Code. Log in separately through Claude Code, then retry.',
  'rate-limit': 'The model service refused the request because of too many requests.',
  'usage-limit': 'The usage limit of the Claude Code login is reached.',
  overload: 'The model service is overloaded or out of order.',
  connection: 'The model service could not be reached.',
  billing: 'The credit of the Claude Code login is used up.',
  'model-not-found': 'The model does not exist or this login may not use it.',
  'prompt-too-long': 'The conversation is too long for the model.',
  'session-in-use': 'Claude Code already has a session with this id in this folder.',
  'unknown-session': 'Claude Code does not know the session.',
  'bad-request': 'The model service refused the request.',
  'wrong-arguments': 'Claude Code did not accept its arguments. Is its version supported?',
  error: 'Claude Code ended its turn with an error.',
};

export interface Failure {
  readonly category: FailureCategory;
  readonly resetsAt: EpochMs | null;
}

const plain = (category: FailureCategory): Failure => ({ category, resetsAt: null });

const USAGE_LIMIT =
  /^(you've hit your .{0,60}limit|you've reached your .{0,60}limit|claude .{0,20}usage limit reached)/i;

/** Categories of `subtype` and `terminal_reason`, which are exact words (PROTOCOL.md, 1 and 2). */
function byReason(result: JsonObject): FailureCategory | null {
  switch (asText(result['subtype'])) {
    case 'error_max_budget_usd':
      return 'budget';
    case 'error_max_turns':
      return 'max-turns';
    case 'error_max_structured_output_retries':
      return 'schema-retries';
    default:
      break;
  }
  switch (asText(result['terminal_reason'])) {
    case 'budget_exhausted':
      return 'budget';
    case 'max_turns':
      return 'max-turns';
    case 'structured_output_retry_exhausted':
      return 'schema-retries';
    case 'prompt_too_long':
    case 'blocking_limit':
      return 'prompt-too-long';
    default:
      return null;
  }
}

/** Why a result that is an error is one. The stream's evidence comes first where it says more than the text. */
export function classifyResult(result: JsonObject, stream: StreamEvidence, now: EpochMs): Failure {
  const exact = byReason(result);
  if (exact !== null) return plain(exact);
  if (asTexts(asArray(result['errors'])).some(isUnknownSession)) return plain('unknown-session');

  const status = asNumber(result['api_error_status']);
  const type = asText(result['api_error_type']);
  const code = stream.apiError;
  const text = (asText(result['result']) ?? '').trimStart();

  if (code === 'billing_error' || /^credit balance is too low/i.test(text)) return plain('billing');
  if (stream.isLimitRejected || USAGE_LIMIT.test(text)) {
    return { category: 'usage-limit', resetsAt: stream.limitResetsAt ?? parseResetTime(text, now) };
  }
  if (status === 429 || type === 'rate_limit_error' || code === 'rate_limit') return plain('rate-limit');
  if (/^not logged in/i.test(text)) return plain('not-logged-in');
  if (status === 401 || status === 403) return plain('login');
  if (code === 'authentication_failed') return plain(status === null ? 'not-logged-in' : 'login');
  if (status === 404 || code === 'model_not_found') return plain('model-not-found');
  if (asText(result['api_error']) === 'connection_failed') return plain('connection');
  if (/^api error: (connection|unable to connect|fetch failed)/i.test(text)) return plain('connection');
  if (status !== null && status >= 500) return plain('overload');
  if (type === 'overloaded_error' || (code === 'server_error' && status === null)) return plain('overload');
  if (/^prompt is too long/i.test(text)) return plain('prompt-too-long');
  if (status === 400 || status === 413 || code === 'invalid_request') return plain('bad-request');
  return plain('error');
}

const isUnknownSession = (text: string): boolean => /No conversation found with session ID/i.test(text);

/** How a process that printed no result explained itself on stderr. */
export type StartProblem =
  | { readonly kind: 'failed'; readonly category: FailureCategory }
  /** It ended before it took the prompt: the session is as it was. */
  | { readonly kind: 'not-started'; readonly message: string };

/**
 * Reads the last lines of stderr of a process that exited with 1 and an empty stdout: these are the ends that
 * come before any request is made (PROTOCOL.md, 1, Sessions, and 8).
 */
export function classifyStderr(stderr: string): StartProblem | null {
  if (isUnknownSession(stderr)) return { kind: 'failed', category: 'unknown-session' };
  if (/Error: Session ID \S+ is already in use/i.test(stderr)) {
    return { kind: 'failed', category: 'session-in-use' };
  }
  if (/The current directory no longer exists/i.test(stderr)) {
    return { kind: 'not-started', message: "The task's folder is gone." };
  }
  if (/Error: Input must be provided/i.test(stderr)) {
    return { kind: 'not-started', message: 'Claude Code gave up waiting for the prompt.' };
  }
  if (
    /^error: (unknown option|option .* argument|required option|too many arguments|unknown command)/im.test(
      stderr,
    ) ||
    /^Error: (--[a-z-]+ |Invalid session ID|Input contained only whitespace|Invalid )/m.test(stderr)
  ) {
    return { kind: 'failed', category: 'wrong-arguments' };
  }
  return null;
}
