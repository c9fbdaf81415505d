import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Log } from '../core/ports/world.ts';
import { isoTime } from '../../src-shared/time.ts';

/*
 * Own writer instead of pino: a hub writes a few lines a minute, while importing pino costs 40 ms at every start of
 * the command line, and its file destination neither rotates nor survives a full disk without an 'error' event.
 */

/** Names of fields that hold a credential or somebody's words. Numbers are let through (`inputTokens`). */
const SECRET_NAME =
  /token|secret|passw|authori[sz]ation|cookie|credential|api[-_]?key|private[-_]?key|session[-_]?key|prompt|answer|transcript/i;
/** Shapes of credentials that may stand inside a text: Anthropic, GitHub, AWS, Slack, bearer headers, JWTs. */
const SECRET_TEXT =
  /sk-ant-[\w-]{8,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}|xox[abprs]-[\w-]{10,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}|(?<=\bBearer\s)[\w.~+/-]{8,}=*/g;
const REDACTED = '[redacted]';
const DEEPEST = 6;
const LONGEST_TEXT = 4_000;
const MOST_ENTRIES = 100;

export interface FileLogOptions {
  /** Absolute; its folder is made if need be. Rotated ones are `<file>.1` (younger) and so on. */
  readonly file: string;
  readonly clock: Clock;
  /** Default 5 MB. */
  readonly maxBytes?: number;
  /** Rotated files kept, default 3. */
  readonly keep?: number;
}

/**
 * Writes one JSON object a line: `{"at","level","message",…fields}`. Each line is written at once, since the last
 * one before a crash is the one that matters. A line that cannot be written is counted, and the count is told by
 * the next one that can: a log never stops what it reports on.
 */
export function createFileLog(options: FileLogOptions): Log {
  const { file, clock, maxBytes = 5_000_000, keep = 3 } = options;
  let lost = 0;

  const append = (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const head = { at: isoTime(clock.now()), level, message: cleanText(message) };
    // First for the order of the line, last so that no field takes the place of one of these.
    const line = (extra: Readonly<Record<string, unknown>>): string =>
      `${JSON.stringify({ ...head, ...extra, ...head })}\n`;
    try {
      const values = clean(fields, 0) as Readonly<Record<string, unknown>>;
      rotateIfFull();
      appendFileSync(file, line(lost === 0 ? values : { ...values, linesLostBefore: lost }), { mode: 0o600 });
      lost = 0;
    } catch {
      lost += 1;
    }
  };

  const rotateIfFull = (): void => {
    let size: number;
    try {
      ({ size } = statSync(file));
    } catch {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      return;
    }
    if (size < maxBytes) return;
    rmSync(`${file}.${keep}`, { force: true });
    for (let at = keep - 1; at >= 1; at -= 1) renameIfThere(`${file}.${at}`, `${file}.${at + 1}`);
    if (keep > 0) renameIfThere(file, `${file}.1`);
    else rmSync(file, { force: true });
  };

  return {
    info: (message, fields) => append('info', message, fields),
    warn: (message, fields) => append('warn', message, fields),
    error: (message, fields) => append('error', message, fields),
  };
}

/** Another process of ours may have rotated in between. */
function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A copy that can be written as JSON: without credentials, cut in length, depth and number. */
function clean(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return cleanText(value);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return '[function]';
    case 'object':
      break;
    default:
      return value;
  }
  if (value === null) return null;
  if (depth >= DEEPEST) return '[deeper]';
  if (value instanceof Error) {
    const { name, message, stack, cause, code } = value as Error & { code?: unknown };
    return clean({ name, message, code, stack, ...(cause === undefined ? {} : { cause }) }, depth + 1);
  }
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((entry) => clean(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ENTRIES)
      .map(([name, entry]) => [name, isSecret(name, entry) ? REDACTED : clean(entry, depth + 1)]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  return (
    SECRET_NAME.test(name) && !['number', 'boolean', 'undefined'].includes(typeof value) && value !== null
  );
}

function cleanText(text: string): string {
  const cut = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return cut.replaceAll(SECRET_TEXT, REDACTED);
}
