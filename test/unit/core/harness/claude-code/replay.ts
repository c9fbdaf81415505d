import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLineSplitter } from '../../../../../src-main/core/harness/claude-code/line-splitter.ts';
import { mapOutcome } from '../../../../../src-main/core/harness/claude-code/map-result.ts';
import type { TurnEvidence } from '../../../../../src-main/core/harness/claude-code/map-result.ts';
import { createStreamParser } from '../../../../../src-main/core/harness/claude-code/parse-stream.ts';
import type { JsonObject } from '../../../../../src-main/core/harness/claude-code/read-json.ts';
import type { TurnEvent, TurnOutcome } from '../../../../../src-main/core/ports/harness.ts';
import { epochMs } from '../../../../../src-shared/time.ts';

export const RECORDINGS = path.resolve('test/fixtures/recordings');

export const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

export const NO_EVIDENCE: TurnEvidence = {
  wasPromptWritten: true,
  result: null,
  broken: null,
  stream: { apiError: null, isLimitRejected: false, limitResetsAt: null },
  exitCode: 0,
  signal: null,
  stderr: '',
  stoppedBy: null,
  wasEndedByUs: false,
  now: epochMs(Date.UTC(2026, 10, 30, 18, 53)),
};

/** What the pure parts make of bytes on stdout, in chunks of `size`. */
export function readStdout(
  stdout: Uint8Array,
  size = 64 * 1024,
): Pick<TurnEvidence, 'result' | 'broken' | 'stream'> & { readonly events: readonly TurnEvent[] } {
  const splitter = createLineSplitter({ decode });
  const parser = createStreamParser();
  const events: TurnEvent[] = [];
  let result: JsonObject | null = null;
  let isCorrupt = false;
  const take = (line: string): void => {
    if (result !== null || isCorrupt) return;
    const parsed = parser.parseLine(line);
    if (parsed.kind === 'events') events.push(...parsed.events);
    else if (parsed.kind === 'result') result = parsed.result;
    else isCorrupt = true;
  };
  for (let at = 0; at < stdout.length; at += size)
    splitter.push(stdout.subarray(at, at + size)).forEach(take);
  const rest = splitter.end();
  if (rest !== null) take(rest);
  return { events, result, broken: isCorrupt ? 'protocol-corruption' : null, stream: parser.evidence };
}

/** One recorded process through the same steps as the adapter takes. */
export function replay(folder: string): {
  readonly events: readonly TurnEvent[];
  readonly outcome: TurnOutcome;
} {
  const file = (name: string): Buffer => readFileSync(path.join(RECORDINGS, folder, name));
  const exit = JSON.parse(file('exit.json').toString()) as { code: number | null; signal: string | null };
  const { events, ...read } = readStdout(file('stdout'));
  const outcome = mapOutcome({
    ...NO_EVIDENCE,
    ...read,
    exitCode: exit.code,
    signal: exit.signal,
    stderr: file('stderr').toString(),
  });
  return { events, outcome };
}
