import type { Conversation } from './conversation.ts';
import type { Reply } from './replies.ts';

/** A request as a script sees it. */
export interface ScriptedRequest extends Conversation {
  /** Requests of the same scenario and session answered before this one, retries included; from 0. */
  readonly earlier: number;
  /** Working directory that the CLI tells the model; '' when it tells none. */
  readonly cwd: string;
}

/** Decides what the model answers. May wait for a gate of the test. */
export type Script = (request: ScriptedRequest) => Reply | Promise<Reply>;

type Step = Reply | Script;
const play = (step: Step, request: ScriptedRequest): Reply | Promise<Reply> =>
  typeof step === 'function' ? step(request) : step;

const pick = (steps: readonly Step[], at: number, request: ScriptedRequest) => {
  const step = steps[Math.min(at, steps.length - 1)];
  if (step === undefined) throw new Error('A script needs at least one step.');
  return play(step, request);
};

/**
 * One step per answer that stands in the conversation: a request that is repeated (retry, crash, resume) gets the
 * same step again. The last step is used for all that follow.
 */
export const byTurn =
  (...steps: readonly Step[]): Script =>
  (request) =>
    pick(steps, request.assistantTurns, request);

/** One step per request of the session, repeated ones included. The last step is used for all that follow. */
export const bySequence =
  (...steps: readonly Step[]): Script =>
  (request) =>
    pick(steps, request.earlier, request);

/** Text to put into a task's description or a prompt, by which the server finds the scenario. */
export const scenarioTag = (key: string): string => `[scenario ${key}]`;

/** @returns the first scenario key in the conversation's user texts, null when there is none */
export function scenarioOf(conversation: Conversation): string | null {
  for (const text of conversation.userTexts) {
    const key = /\[scenario ([A-Za-z0-9_-]+)\]/.exec(text)?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

/** The CLI names the working directory in its environment notes. */
export function cwdOf(conversation: Conversation): string {
  return /Primary working directory: (.+)/.exec(conversation.system)?.[1]?.trim() ?? '';
}
