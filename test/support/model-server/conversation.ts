/** What a request to the Messages API shows of the conversation so far. */
export interface Conversation {
  readonly model: string;
  readonly isStreaming: boolean;
  /** System prompt and the system notes that the CLI puts between messages (environment, budget). */
  readonly system: string;
  readonly toolNames: readonly string[];
  /** Texts of all user messages in order, tool results left out. */
  readonly userTexts: readonly string[];
  /** The first user text: holds the scenario key. */
  readonly firstUserText: string;
  /** Text of the last message that a user sent, tool results left out; '' when it was tool results only. */
  readonly lastUserText: string;
  /** Assistant messages before this request that a model wrote (not the CLI's own `No response requested.`). */
  readonly assistantTurns: number;
  /** Results of the tools that the last assistant message asked for. */
  readonly toolResults: readonly ToolResult[];
  /** Every tool result in the history. */
  readonly allToolResults: readonly ToolResult[];
  /** UUID of the CLI's session, from the request's metadata or headers; null when it says none. */
  readonly sessionId: string | null;
}

export interface ToolResult {
  readonly toolUseId: string;
  /** Name of the tool that was called, null when the call is not in the history. */
  readonly tool: string | null;
  readonly text: string;
  readonly isError: boolean;
}

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const blocksOf = (content: unknown): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).filter(isRecord);

const textOf = (blocks: readonly Json[]): string =>
  blocks
    .filter((block) => block['type'] === 'text')
    .map((block) => text(block['text']))
    .join('\n');

/** Assistant text that the CLI puts where a turn ended without one (PROTOCOL.md, 1). */
const PLACEHOLDER = 'No response requested.';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

function sessionOf(body: Json, headers: Readonly<Record<string, string>>): string | null {
  const header = headers['x-claude-code-session-id'];
  if (header !== undefined) return header;
  const metadata = isRecord(body['metadata']) ? text(body['metadata']['user_id']) : '';
  return metadata.match(UUID)?.at(-1) ?? null;
}

export function readConversation(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Conversation {
  const request = isRecord(body) ? body : {};
  const messages = list(request['messages']).filter(isRecord);
  const toolByCall = new Map<string, string>();
  const userTexts: string[] = [];
  const allToolResults: ToolResult[] = [];
  let toolResults: ToolResult[] = [];
  const notes: string[] = [];
  let lastUserText = '';
  let assistantTurns = 0;
  for (const message of messages) {
    const blocks = blocksOf(message['content']);
    if (message['role'] === 'assistant') {
      for (const block of blocks)
        if (block['type'] === 'tool_use') toolByCall.set(text(block['id']), text(block['name']));
      if (!(blocks.length === 1 && textOf(blocks) === PLACEHOLDER)) assistantTurns += 1;
      toolResults = [];
      continue;
    }
    if (message['role'] !== 'user') {
      notes.push(textOf(blocks));
      continue;
    }
    const results = blocks
      .filter((block) => block['type'] === 'tool_result')
      .map((block) => ({
        toolUseId: text(block['tool_use_id']),
        tool: toolByCall.get(text(block['tool_use_id'])) ?? null,
        text: textOf(blocksOf(block['content'])),
        isError: block['is_error'] === true,
      }));
    toolResults.push(...results);
    allToolResults.push(...results);
    lastUserText = textOf(blocks);
    if (lastUserText !== '') userTexts.push(lastUserText);
  }
  return {
    model: text(request['model']),
    isStreaming: request['stream'] === true,
    system: [textOf(blocksOf(request['system'])), ...notes].join('\n'),
    toolNames: list(request['tools'])
      .filter(isRecord)
      .map((tool) => text(tool['name'])),
    userTexts,
    firstUserText: userTexts[0] ?? '',
    lastUserText,
    assistantTurns,
    toolResults,
    allToolResults,
    sessionId: sessionOf(request, headers),
  };
}
