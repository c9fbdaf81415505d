import type { TurnEvent } from '../ports/harness.ts';
import { changeOfTool, type ToolChange } from './tool-change.ts';
import { cutText } from './cut-text.ts';

/** Longest text of an event in a page; the whole is one call away. */
export const SHORT_TEXT = 400;

/** One stored event as a timeline shows it. Every text in it is untrusted. */
export interface EventDescription {
  readonly kind: TurnEvent['kind'];
  /** What was said, read, asked for or refused; empty for kinds that are only facts. */
  readonly text: string;
  /** Length of the whole text. */
  readonly chars: number;
  readonly isCut: boolean;
  /** Name of the tool that a `tool` or `denied` event is about. */
  readonly tool: string | null;
  /** Joins a `tool` with its `tool-result`. */
  readonly toolId: string | null;
  readonly path: string | null;
  readonly isError: boolean;
  /** What an editing tool was asked to change. */
  readonly change: ToolChange | null;
  /** Figures of `session`, `retry`, `rate-limit` and `usage` events, under the names they are stored with. */
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** The member of a tool's input that says most, by the tools that Claude Code has. */
const TELLING = ['command', 'pattern', 'query', 'url', 'file_path', 'notebook_path', 'path', 'description'];

/** A tool's input in one line: what it runs, looks for or opens; else its JSON. */
export function inputText(input: string): string {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return input;
  }
  if (value === null || typeof value !== 'object') return input;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of TELLING) {
    const member = members[name];
    if (typeof member === 'string' && member !== '') return member;
  }
  return input;
}

const EMPTY = {
  tool: null,
  toolId: null,
  path: null,
  isError: false,
  change: null,
  facts: {},
} as const;

/**
 * @param longest of the text; tools that edit show their change in bounded lines beside it
 */
export function describeEvent(event: TurnEvent, longest = SHORT_TEXT): EventDescription {
  const said = (text: string): Pick<EventDescription, 'text' | 'chars' | 'isCut'> => {
    const short = cutText(text, longest);
    return { text: short, chars: text.length, isCut: short.length < text.length };
  };
  const { kind } = event;
  switch (event.kind) {
    case 'assistant':
    case 'diagnostic':
      return { ...EMPTY, kind, ...said(event.text) };
    case 'activity':
      return { ...EMPTY, kind, ...said(event.type) };
    case 'tool':
      return {
        ...EMPTY,
        kind,
        ...said(inputText(event.input)),
        tool: cutText(event.name, 100),
        toolId: event.id,
        path: event.path === null ? null : cutText(event.path, SHORT_TEXT),
        change: changeOfTool(event.name, event.input),
      };
    case 'tool-result':
      return { ...EMPTY, kind, ...said(event.text), toolId: event.id, isError: event.isError };
    case 'denied':
      return { ...EMPTY, kind, ...said(event.reason), tool: cutText(event.tool, 100), isError: true };
    case 'retry': {
      const { attempt, maxRetries, delayMs, status } = event;
      return { ...EMPTY, kind, ...said(event.error), facts: { attempt, maxRetries, delayMs, status } };
    }
    case 'rate-limit':
      return { ...EMPTY, kind, ...said(event.status), facts: { resetsAt: event.resetsAt } };
    case 'session': {
      const { model, version, sessionId } = event;
      return {
        ...EMPTY,
        kind,
        ...said(''),
        facts: {
          model: cutText(model, 200),
          version: cutText(version, 100),
          sessionId: cutText(sessionId, 100),
        },
      };
    }
    case 'usage': {
      const { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = event;
      return {
        ...EMPTY,
        kind,
        ...said(''),
        facts: { model: cutText(model, 200), inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
      };
    }
  }
}

/** Whole text of an event, for the one that was asked for: a tool's input as the harness gave it. */
export function wholeText(event: TurnEvent): string {
  switch (event.kind) {
    case 'tool':
      return event.input;
    case 'assistant':
    case 'diagnostic':
    case 'tool-result':
      return event.text;
    case 'denied':
      return event.reason;
    case 'retry':
      return event.error;
    case 'rate-limit':
      return event.status;
    case 'activity':
      return event.type;
    case 'session':
      return event.tools.join(', ');
    case 'usage':
      return '';
  }
}

/** Whether an event is worth the one line that a board has for a running task. */
export function isTelling(event: TurnEvent): boolean {
  switch (event.kind) {
    case 'assistant':
    case 'diagnostic':
      return event.text.trim() !== '';
    case 'tool':
    case 'denied':
    case 'retry':
      return true;
    case 'tool-result':
      return event.isError;
    case 'session':
    case 'rate-limit':
    case 'usage':
    case 'activity':
      return false;
  }
}
