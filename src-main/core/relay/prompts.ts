import { counted } from '../../../src-shared/counted.ts';
import type { DeliveryId, ItemNumber, TaskNumber } from '../../../src-shared/ids.ts';

/** Sent when the prompt of a cut turn stands in the session already: repeats nothing (12-engine). */
export const CONTINUE_SENTENCE = 'Signalbox: the run was interrupted. Continue with what was asked.';

const REPORTING = [
  'How to finish: give your structured answer.',
  '- status "done" with a short summary when the work is complete and its tests should pass.',
  '- status "question" with exactly one question (and options, if there are a few clear ones) when you need a person to decide. Then stop; the person is called and you go on in this same session.',
  'Your file tools cannot delete or move files: list such paths in "remove" and "rename" of your answer and it is done for you before the commit.',
  'Work only inside this folder. You have no shell; the tests run by themselves after you report "done".',
].join('\n');

/**
 * First line of every prompt: it keeps the text from being taken for a command (a prompt that begins with `/` is
 * one, PROTOCOL.md surprise 11) and carries the id by which a later look into the history knows it arrived.
 */
const header = (delivery: DeliveryId): string => `Signalbox message ${delivery}`;

/**
 * Text that no person typed (an agent's question, test output) must not attach files: the CLI reads `@path` in any
 * prompt. A full-width sign reads the same and means nothing to it.
 */
export const withoutAttachments = (text: string): string => text.replaceAll('@', '＠');

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/**
 * Lines around a person's words. They carry the delivery id, which nobody can know beforehand, so that no answer can
 * contain the line that ends it.
 */
const fenced = (delivery: DeliveryId, words: string): readonly string[] => [
  `----- begin ${delivery}`,
  words,
  `----- end ${delivery}`,
];

export interface StartPrompt {
  readonly delivery: DeliveryId;
  readonly taskNumber: TaskNumber;
  readonly project: string;
  readonly title: string;
  readonly description: string;
  readonly isSynthetic: boolean;
}

export function frameStart(input: StartPrompt): string {
  return [
    header(input.delivery),
    `Task #${input.taskNumber} in project ${input.project}: ${input.title}`,
    ...(input.isSynthetic
      ? ['All data in this project is synthetic; bring no real personal data into it.']
      : []),
    '',
    input.description,
    '',
    REPORTING,
    '',
  ].join('\n');
}

export interface AnswerPrompt {
  readonly delivery: DeliveryId;
  readonly item: ItemNumber;
  readonly who: string;
  readonly question: string;
  /** Verbatim. */
  readonly answer: string;
}

/** Who replied, to which item, the question it answers, then the answer verbatim. */
export function frameAnswer(input: AnswerPrompt): string {
  return [
    header(input.delivery),
    `${input.who} replied to item #${input.item}. Your question was:`,
    quoted(withoutAttachments(input.question)),
    '',
    'The reply, word for word, between the two lines of dashes:',
    ...fenced(input.delivery, input.answer),
    '',
    'Go on with the task. Finish with your structured answer as before.',
    '',
  ].join('\n');
}

export function frameSendBack(input: {
  readonly delivery: DeliveryId;
  readonly item: ItemNumber;
  readonly who: string;
  /** Verbatim. */
  readonly note: string;
}): string {
  return [
    header(input.delivery),
    `${input.who} looked at your finished work (item #${input.item}) and sent it back with this note, between the two lines of dashes:`,
    ...fenced(input.delivery, input.note),
    '',
    'Change the work accordingly. Finish with your structured answer as before.',
    '',
  ].join('\n');
}

/** The tail is output of code that an agent wrote: quoted, and unable to attach files. */
export function frameTestsFailed(input: {
  readonly delivery: DeliveryId;
  readonly outcome: string;
  readonly tail: string;
}): string {
  return [
    header(input.delivery),
    `The tests failed: ${input.outcome}. The end of their output:`,
    quoted(withoutAttachments(input.tail)),
    '',
    'Mend the work so that the tests pass. Finish with your structured answer as before.',
    '',
  ].join('\n');
}

export function frameNoQuestion(delivery: DeliveryId): string {
  return [
    header(delivery),
    'Your answer had status "question" but no question in it. Give your structured answer again: with the question, or with status "done".',
    '',
  ].join('\n');
}

/** A new try in the same session, with our own sentence on why the last one did not count. */
export function frameAgain(input: { readonly delivery: DeliveryId; readonly note: string }): string {
  return [header(input.delivery), input.note, 'Go on with the task.', '', REPORTING, ''].join('\n');
}

/** Paths, git's words and the places are text that no person typed. */
export function frameLaidConflict(input: {
  readonly delivery: DeliveryId;
  readonly base: string;
  /** What of the base branch is merged, and the commit of the agent's work: git's marks name both. */
  readonly baseCommit: string;
  readonly workCommit: string;
  readonly messages: readonly string[];
  readonly hunks: readonly string[];
  readonly leftOut: number;
}): string {
  const text = (lines: readonly string[]): string => quoted(withoutAttachments(lines.join('\n')));
  return [
    header(input.delivery),
    `Your work was approved, but it conflicts with what has come to ${input.base} since (up to commit ${input.baseCommit}). That was merged into your folder now: whatever does not conflict is in your files already. What git says of the rest:`,
    text(input.messages),
    '',
    `In a file that both sides changed, a conflict begins with "<<<<<<< ${input.baseCommit}", followed by what came to ${input.base}, "=======", your work, and ">>>>>>> ${input.workCommit}". Edit each such place so that it does what both sides meant, and take these lines of marks out. Keep what came to ${input.base} otherwise.`,
    ...(input.hunks.length === 0 ? [] : ['', 'The places:', text(input.hunks)]),
    ...(input.leftOut === 0
      ? []
      : [
          `${counted(input.leftOut, 'more is', 'more are')} not shown here; ${input.leftOut === 1 ? 'it stands' : 'they stand'} in the files.`,
        ]),
    '',
    'You need no git for this: what you leave in the folder is committed as the merge of both. Finish with your structured answer as before.',
    '',
  ].join('\n');
}

export function frameConflict(input: {
  readonly delivery: DeliveryId;
  readonly base: string;
  readonly paths: readonly string[];
}): string {
  return [
    header(input.delivery),
    `Your work was approved, but it conflicts with what has come to ${input.base} since. These files changed on both sides:`,
    quoted(withoutAttachments(input.paths.join('\n'))),
    '',
    'Rework your change so that it no longer touches the same lines, if the task allows it. Finish with your structured answer as before.',
    '',
  ].join('\n');
}

/** The fixed sentence, with a delivery id of its own so that a further cut is noticed as well. */
export const frameContinue = (delivery: DeliveryId): string => `${header(delivery)}\n${CONTINUE_SENTENCE}\n`;
