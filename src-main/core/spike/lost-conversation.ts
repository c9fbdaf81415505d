import type { SessionTrace } from '../ports/harness.ts';

export type LostConversation = 'another-session' | 'no-transcript' | 'asked-again';

/** What is known of a turn that resumed a session. */
export interface ResumedTurn {
  readonly expectedSession: string;
  /** As the stream or the result named it; null when neither did. */
  readonly reportedSession: string | null;
  /** What the harness had of the session just before the resume; null when nobody looked. */
  readonly traceBefore: SessionTrace | null;
  /** Whether an earlier turn of this session had ended with a result, so that a transcript must exist. */
  readonly hadResult: boolean;
  /** The question it ended with; null when it ended otherwise. */
  readonly question: string | null;
  /** Questions of the same session whose answers were delivered. */
  readonly answeredQuestions: readonly string[];
}

/**
 * Whether a resume lost the conversation (10-relay, Stop condition of a spike): another session id, no transcript
 * of the session before the resume, or the same question asked again after its answer was delivered.
 *
 * @returns what shows it, or null when nothing does
 */
export function lostConversation(turn: ResumedTurn): LostConversation | null {
  if (turn.reportedSession !== null && !isSameId(turn.reportedSession, turn.expectedSession)) {
    return 'another-session';
  }
  if (turn.hadResult && turn.traceBefore === 'no-session') return 'no-transcript';
  const { question } = turn;
  if (question === null) return null;
  return turn.answeredQuestions.some((each) => isSameQuestion(each, question)) ? 'asked-again' : null;
}

const isSameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Words and numbers alone: a model that asks the same again rarely keeps case, spacing and punctuation. */
export const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Whether two questions ask the same by their words. */
export function isSameQuestion(a: string, b: string): boolean {
  const words = normalised(a);
  return words === normalised(b) && (words !== '' || a.trim() === b.trim());
}
