import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapOutcome } from '../../../../../src-main/core/harness/claude-code/map-result.ts';
import { parseResetTime } from '../../../../../src-main/core/harness/claude-code/reset-time.ts';
import { parseWindowsShim } from '../../../../../src-main/core/harness/claude-code/windows-shim.ts';
import { epochMs } from '../../../../../src-shared/time.ts';
import { NO_EVIDENCE, RECORDINGS, readStdout } from './replay.ts';

/** The bar is 100k (R2): `SIGNALBOX_FUZZ_RUNS=100000 npm run test:unit`. */
const RUNS = Number(process.env['SIGNALBOX_FUZZ_RUNS'] ?? 3_000);

const OUTCOMES = ['done', 'question', 'failed', 'interrupted', 'lost', 'not-started'];

/** Every recorded line, shortened lists of commands aside. */
const lines: readonly Buffer[] = readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'stdout')
  .flatMap((file) => readFileSync(path.join(RECORDINGS, file), 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => Buffer.from(line));

/** A recorded line with some bytes changed, cut out or doubled. */
const mutatedLine = fc
  .record({
    line: fc.constantFrom(...lines),
    edits: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        kind: fc.constantFrom('set', 'cut', 'double', 'insert'),
        byte: fc.nat(255),
        length: fc.nat(40),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ line, edits }) => {
    let bytes = Buffer.from(line);
    for (const edit of edits) {
      const at = Math.floor(edit.at * bytes.length);
      const rest = bytes.subarray(at);
      if (edit.kind === 'set' && rest.length > 0) bytes[at] = edit.byte;
      else if (edit.kind === 'cut')
        bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(edit.length)]);
      else if (edit.kind === 'double') bytes = Buffer.concat([bytes, rest.subarray(0, edit.length)]);
      else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([edit.byte]), rest]);
    }
    return bytes;
  });

/** A recorded result whose fields hold anything. */
const strangeResult = fc.record(
  {
    type: fc.constant('result'),
    subtype: fc.oneof(fc.constant('success'), fc.jsonValue()),
    is_error: fc.oneof(fc.boolean(), fc.jsonValue()),
    structured_output: fc.jsonValue(),
    total_cost_usd: fc.jsonValue(),
    modelUsage: fc.jsonValue(),
    model_usage_since_last_result: fc.jsonValue(),
    permission_denials: fc.jsonValue(),
    errors: fc.jsonValue(),
    result: fc.jsonValue(),
    api_error_status: fc.jsonValue(),
    terminal_reason: fc.jsonValue(),
  },
  { requiredKeys: ['type'] },
);

const ending = fc.record({
  exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
  signal: fc.option(fc.constantFrom('SIGTERM', 'SIGKILL')),
  stderr: fc.string(),
  wasPromptWritten: fc.boolean(),
  wasEndedByUs: fc.boolean(),
  stoppedBy: fc.option(fc.constantFrom('person' as const, 'time-limit' as const)),
});

test(
  'mutated recordings always end in an outcome of a known kind, in any chunking',
  { timeout: Math.max(60_000, RUNS * 20) },
  () => {
    fc.assert(
      fc.property(
        fc.array(mutatedLine, { maxLength: 8 }),
        ending,
        fc.integer({ min: 1, max: 5_000 }),
        (list, end, size) => {
          const stdout = Buffer.concat(list.flatMap((line) => [line, Buffer.from('\n')]));
          const read = readStdout(stdout, size);
          expect(OUTCOMES).toContain(mapOutcome({ ...NO_EVIDENCE, ...read, ...end }).kind);
        },
      ),
      { numRuns: RUNS },
    );
  },
);

test(
  'results whose fields hold anything never count as success without what makes one',
  { timeout: Math.max(60_000, RUNS * 20) },
  () => {
    fc.assert(
      fc.property(strangeResult, ending, (result, end) => {
        const read = readStdout(Buffer.from(`${JSON.stringify(result)}\n`));
        const outcome = mapOutcome({ ...NO_EVIDENCE, ...read, ...end });
        expect(OUTCOMES).toContain(outcome.kind);
        if (outcome.kind !== 'done' && outcome.kind !== 'question') return;
        expect([result.is_error, result.subtype, end.exitCode === 0 || end.wasEndedByUs]).toEqual([
          false,
          'success',
          true,
        ]);
      }),
      { numRuns: RUNS },
    );
  },
);

test('reset times and batch files of any text are read or left, never thrown at', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(2_000_000_000), (text, at) => {
      const sentences = [text, `resets ${text}`, `resets 7:47pm (${text})`];
      for (const sentence of sentences) {
        const found = parseResetTime(sentence, epochMs(at * 1000));
        expect(found === null || Number.isInteger(found)).toBe(true);
      }
      expect(() => parseWindowsShim(`"%dp0%\\${text}" %*`)).not.toThrow();
    }),
  );
});
