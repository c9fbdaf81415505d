import { formatUsdExactly } from '../../../../src-shared/money.ts';
import type { RelayTurnRequest } from '../../ports/harness.ts';

/** The file tools and nothing else: no shell, no network, no MCP server (10-relay, Command lines). */
export const RELAY_TOOLS = 'Read,Edit,Write,Glob,Grep';

/** What the model must hand in at the end of a turn (12-engine, Structured result of a relay turn). */
export const RELAY_SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    status: { enum: ['done', 'question'] },
    question: { type: 'string' },
    options: { type: 'array', items: { type: 'string' } },
    summary: { type: 'string' },
    remove: { type: 'array', items: { type: 'string' } },
    rename: {
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'string' }, to: { type: 'string' } },
        required: ['from', 'to'],
      },
    },
  },
  required: ['status', 'summary'],
});

type ArgvRequest = Pick<
  RelayTurnRequest,
  'sessionId' | 'session' | 'model' | 'budgetMicroUsd' | 'outputForm'
>;

/**
 * Arguments of one relay turn, without the executable and without the prompt, which goes on stdin. Frozen by a
 * test: what is missing here (skipping permissions, background and cloud runs, unsaved sessions) is missing on
 * purpose.
 */
export function relayArgv(request: ArgvRequest): readonly string[] {
  return [
    '-p',
    '--output-format',
    ...(request.outputForm === 'stream-json' ? ['stream-json', '--verbose'] : ['json']),
    '--json-schema',
    RELAY_SCHEMA,
    request.session === 'new' ? '--session-id' : '--resume',
    request.sessionId,
    '--model',
    request.model,
    '--restricted',
    '--tools',
    RELAY_TOOLS,
    '--allowedTools',
    RELAY_TOOLS,
    '--permission-mode',
    'acceptEdits',
    '--permission-prompts',
    'none',
    '--strict-mcp-config',
    '--max-budget-usd',
    formatUsdExactly(request.budgetMicroUsd),
  ];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Why these values cannot be passed, or null. A value that begins with a dash would be read as another flag,
 * which is a way round everything the command line promises.
 */
export function argvProblem(request: ArgvRequest): string | null {
  if (!UUID.test(request.sessionId)) return 'The session id is not a UUID.';
  if (!/^[A-Za-z0-9][\w.:@/[\]-]{0,199}$/.test(request.model)) {
    return 'The model name holds characters that cannot be passed on.';
  }
  if (!(request.budgetMicroUsd > 0)) return 'A turn without a budget cannot be started.';
  return null;
}
