import type { EpochMs } from '../../../../src-shared/time.ts';
import type { FailureCategory } from '../../../../src-shared/model/turn-failure.ts';
import type { StopReason, TurnOutcome, TurnReport } from '../../ports/harness.ts';
import { FAILURE_TEXT, classifyResult, classifyStderr } from './failure.ts';
import type { StreamEvidence } from './parse-stream.ts';
import type { JsonObject } from './read-json.ts';
import { asText } from './read-json.ts';
import { readRelayAnswer } from './structured-answer.ts';
import { reportOfResult } from './usage.ts';

/** Everything that is known of a turn once its process has closed. */
export interface TurnEvidence {
  readonly wasPromptWritten: boolean;
  /** The result line or object; null when none came. */
  readonly result: JsonObject | null;
  /** What broke the reading before a result came. */
  readonly broken: 'protocol-corruption' | 'line-too-long' | null;
  readonly stream: StreamEvidence;
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Last part of stderr. */
  readonly stderr: string;
  /** Our stop that came before the result and before the exit; null otherwise. */
  readonly stoppedBy: StopReason | null;
  /** True when we ended a process that had given its result and stayed: then its exit says nothing. */
  readonly wasEndedByUs: boolean;
  readonly now: EpochMs;
}

const failed = (
  category: FailureCategory,
  report: TurnReport,
  resetsAt: EpochMs | null = null,
): TurnOutcome => ({
  kind: 'failed',
  category,
  message: FAILURE_TEXT[category],
  resetsAt,
  report,
});

const howItEnded = (exitCode: number | null, signal: string | null): string =>
  signal === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;

function withResult(result: JsonObject, evidence: TurnEvidence): TurnOutcome {
  const report = reportOfResult(result);
  if (evidence.stoppedBy !== null) return { kind: 'interrupted', by: evidence.stoppedBy, report };
  // `subtype` proves nothing: API errors come as "success" (PROTOCOL.md, surprise 1).
  if (report.isError) {
    const { category, resetsAt } = classifyResult(result, evidence.stream, evidence.now);
    return failed(category, report, resetsAt);
  }
  const isExitRight = evidence.exitCode === 0 || evidence.wasEndedByUs;
  // Not classified by its text: that is the model's, which must not be able to put dispatch on hold.
  if (asText(result['subtype']) !== 'success' || !isExitRight) return failed('error', report);
  const answer = readRelayAnswer(result['structured_output']);
  switch (answer.kind) {
    case 'done':
    case 'question':
      return { ...answer, report };
    case 'no-question':
      return failed('no-question', report);
    case 'none':
      return failed('no-structured-output', report);
  }
}

function withoutResult(evidence: TurnEvidence): TurnOutcome {
  const { exitCode, signal, broken } = evidence;
  if (broken !== null) {
    const message =
      broken === 'line-too-long'
        ? 'Claude Code printed a line that is longer than 16 MiB.'
        : 'Claude Code printed a line that is broken JSON.';
    return { kind: 'lost', cause: broken, message, exitCode, signal };
  }
  if (evidence.stoppedBy !== null) return { kind: 'interrupted', by: evidence.stoppedBy, report: null };
  const problem = exitCode !== null && exitCode !== 0 ? classifyStderr(evidence.stderr) : null;
  if (problem?.kind === 'failed') {
    const { category } = problem;
    return { kind: 'failed', category, message: FAILURE_TEXT[category], resetsAt: null, report: null };
  }
  if (problem !== null) return problem;
  if (!evidence.wasPromptWritten) {
    const how = howItEnded(exitCode, signal);
    return { kind: 'not-started', message: `Claude Code ended before it took the prompt (${how}).` };
  }
  // Exit 0 with nothing on stdout is an interrupted run, not a success (PROTOCOL.md, surprise 3).
  const message = `Claude Code ended without a result (${howItEnded(exitCode, signal)}).`;
  return { kind: 'lost', cause: 'completion-unknown', message, exitCode, signal };
}

/**
 * How the turn ended. Success is `is_error:false`, exit 0 and a structured answer, nothing else. A result that
 * came before we stopped the process stands; one that came after is kept for its costs. Pure and total.
 */
export const mapOutcome = (evidence: TurnEvidence): TurnOutcome =>
  evidence.result === null ? withoutResult(evidence) : withResult(evidence.result, evidence);
