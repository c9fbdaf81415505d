import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * A session as the real CLI keeps it: `<configuration>/projects/<folder>/<id>.jsonl`, mode 600, made by the
 * first prompt, appended to where it was begun (PROTOCOL.md, 1, Sessions, and 8, Storage). Its lines are ours.
 */
export interface ScriptedSession {
  /** Prompts received before this turn. */
  readonly prompts: readonly string[];
  /** Those among them that came after the first question; null before any was asked. */
  readonly promptsSinceQuestion: readonly string[] | null;
  /** Running total before this turn, in dollars; turns cut without a result are not in it. */
  readonly totalUsd: number;
  /** Replies of the model that the total stands for. */
  readonly totalReplies: number;
  recordPrompt(text: string): void;
  recordReply(text: string): void;
  recordEnd(end: { readonly usd: number; readonly replies: number; readonly question: string | null }): void;
}

interface Line {
  readonly type: string;
  readonly prompt?: string;
  readonly question?: string | null;
  readonly usd?: number;
  readonly replies?: number;
}

export const configFolder = (env: NodeJS.ProcessEnv): string =>
  env['CLAUDE_CONFIG_DIR'] ?? path.join(env['HOME'] ?? env['USERPROFILE'] ?? '.', '.claude');

/** As the real CLI folds a working folder into a name; its hash for long paths is not known, ours is the length. */
function folderName(cwd: string): string {
  const name = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
  return name.length <= 200 ? name : `${name.slice(0, 200)}-${name.length.toString(36)}`;
}

export type OpenedSession =
  | { readonly kind: 'open'; readonly session: ScriptedSession }
  | { readonly kind: 'in-use' }
  | { readonly kind: 'unknown' };

export function openSession(
  config: string,
  cwd: string,
  sessionId: string,
  how: 'new' | 'resume',
): OpenedSession {
  const projects = path.join(config, 'projects');
  const own = path.join(projects, folderName(cwd), `${sessionId}.jsonl`);
  if (how === 'new') {
    return existsSync(own) ? { kind: 'in-use' } : { kind: 'open', session: sessionIn(own, sessionId, cwd) };
  }
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  const file = [own, ...folders.map((name) => path.join(projects, name, `${sessionId}.jsonl`))].find(
    existsSync,
  );
  return file === undefined
    ? { kind: 'unknown' }
    : { kind: 'open', session: sessionIn(file, sessionId, cwd) };
}

function sessionIn(file: string, sessionId: string, cwd: string): ScriptedSession {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').flatMap(readLine);
  let isTorn = text !== '' && !text.endsWith('\n');
  const append = (line: object): void => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const whole = { ...line, uuid: randomUUID(), sessionId, cwd, timestamp: new Date().toISOString() };
    appendFileSync(file, `${isTorn ? '\n' : ''}${JSON.stringify(whole)}\n`, { mode: 0o600 });
    isTorn = false;
  };
  const ends = lines.filter((line) => line.type === 'cost-state');
  const asked = lines.findIndex((line) => typeof line.question === 'string');
  const promptsFrom = (from: number): string[] =>
    lines.slice(from).flatMap((line) => (line.type === 'user' ? [line.prompt ?? ''] : []));
  return {
    prompts: promptsFrom(0),
    promptsSinceQuestion: asked === -1 ? null : promptsFrom(asked),
    totalUsd: ends.reduce((sum, line) => sum + (line.usd ?? 0), 0),
    totalReplies: ends.reduce((sum, line) => sum + (line.replies ?? 0), 0),
    recordPrompt: (text) => append({ type: 'user', prompt: text }),
    recordReply: (text) => append({ type: 'assistant', text }),
    recordEnd: (end) => append({ type: 'cost-state', ...end }),
  };
}

/** A line that a kill has torn counts as not written. */
function readLine(line: string): Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}
