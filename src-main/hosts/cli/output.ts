import { styleText } from 'node:util';
import type { WireError } from '../../../src-shared/errors.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';

/** The part of a stream that output needs. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Where a command's words go: with `--json` one JSON value on stdout and nothing else there, everything for people
 * on stderr; without it the value as text on stdout.
 */
export interface Output {
  readonly json: boolean;
  /** Width to lay text out for; no bound where nobody looks at a window, so that a pipe gets lines as they are. */
  readonly columns: number;
  /** The command's answer, once. `render` makes the text for people, without a last line feed. */
  value(value: unknown, render: () => string): void;
  /** One line of NDJSON, or one line of text. */
  line(value: unknown, render: () => string): void;
  /** Text that is the answer by itself in both forms: a script, an export, a report in Markdown. */
  raw(text: string): void;
  /** For people only. */
  note(text: string): void;
  error(error: WireError): void;
  strong(text: string): string;
  dim(text: string): string;
}

const DEFAULT_COLUMNS = 80;

export function createOutput(options: {
  readonly json: boolean;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Output {
  const { json, stdout, stderr, env } = options;
  const noColor = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  const isStyled = !json && stdout.isTTY === true && !noColor && env['TERM'] !== 'dumb';
  const styled = (style: 'bold' | 'dim', text: string): string =>
    isStyled ? styleText(style, text, { validateStream: false }) : text;
  const print = (value: unknown, render: () => string): void => {
    const text = json ? JSON.stringify(value) : render();
    if (text !== '') stdout.write(`${text}\n`);
  };
  return {
    json,
    columns: stdout.isTTY === true ? (stdout.columns ?? DEFAULT_COLUMNS) : Number.POSITIVE_INFINITY,
    value: print,
    line: print,
    raw: (text) => void stdout.write(text),
    note: (text) => void stderr.write(`${text}\n`),
    error: (error) => {
      if (json) stdout.write(`${JSON.stringify({ error })}\n`);
      // A message may name what was typed or found: one visible line, whatever is in it.
      const hint = error.hint === undefined ? '' : ` ${visibleLine(error.hint)}`;
      stderr.write(`signalbox: ${visibleLine(error.message)}${hint}\n`);
    },
    strong: (text) => styled('bold', text),
    dim: (text) => styled('dim', text),
  };
}
