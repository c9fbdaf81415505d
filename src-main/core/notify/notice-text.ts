import type { ItemView } from '../../../src-shared/api/item.ts';
import type { TaskView } from '../../../src-shared/api/task.ts';
import { isHoldCause } from './hold-causes.ts';
import { asSentence, clipped, LONGEST_BODY, plainLine, plainName } from './plain-text.ts';
import type { NoticeKind } from './preferences.ts';
import type { NoticeWords } from './notice-words.ts';
import { DEFAULT_WRITING, NOTICE_WORDS, type Writing } from './words.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** The others are told of a task, and of the hub. */
type ItemNoticeKind = Exclude<NoticeKind, 'finished' | 'kill'>;

export const wordsOf = (writing: Writing): NoticeWords => NOTICE_WORDS[writing.language];

const timeOf = (iso: string, writing: Writing): string =>
  new Intl.DateTimeFormat(writing.locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(writing.timeZone === undefined ? {} : { timeZone: writing.timeZone }),
  }).format(Date.parse(iso));

/** Dollars are `$0.23` in every English. */
const money = (usd: number, writing: Writing): string =>
  new Intl.NumberFormat(writing.language === 'en' ? 'en-US' : writing.locale, {
    style: 'currency',
    currency: 'USD',
  }).format(usd);

const inProject = (what: string, project: string | null, words: NoticeWords): string =>
  project === null ? what : words.inProject(what, plainName(project));

/** What a person is told that an item is; a gate is told as an approval. */
export function kindOfItem(item: Pick<ItemView, 'kind' | 'cause'>): ItemNoticeKind {
  switch (item.kind) {
    case 'specify':
      return 'question';
    case 'approve':
    case 'gate':
      return 'approval';
    case 'permission':
      return 'permission';
    case 'review':
    case 'manual':
      return isHoldCause(item.cause) ? 'limit' : 'needsYou';
  }
}

function approvalBody(item: ItemView, words: NoticeWords): string {
  const { offer } = item;
  const facts =
    offer === null ? '' : ` ${words.files(offer.changedFiles)}, ${words.tests[offer.testOutcome]}.`;
  const title = item.taskTitle ?? item.question;
  return asSentence(plainLine(title, LONGEST_BODY - facts.length - 1)) + facts;
}

/** What a permission request asks for, as far as one line can say it: the command, the file, else the tool. */
function wish(item: ItemView, words: NoticeWords): string {
  const input = (typeof item.input === 'object' && item.input !== null ? item.input : {}) as Record<
    string,
    unknown
  >;
  const { command, file_path: file, url } = input;
  if (typeof command === 'string') return words.wantsToRun(plainLine(command, 90));
  const tool = item.tool === undefined ? null : plainLine(item.tool, 60);
  if (typeof file === 'string') return words.wantsToUseOn(tool, plainLine(file, 90));
  if (typeof url === 'string') return words.wantsToOpen(plainLine(url, 90));
  return tool === null ? plainLine(item.question, 100) : words.wantsToUse(tool);
}

/**
 * Title and body for one item (DESIGN, 7). An agent's words are introduced as its words and come last.
 *
 * @param until ISO time at which the hold of the item lifts by itself, null when that is not known
 */
export function itemText(
  item: ItemView,
  until: string | null,
  writing: Writing = DEFAULT_WRITING,
): NoticeText {
  const words = wordsOf(writing);
  const kind = kindOfItem(item);
  const title = inProject(words.titles[kind], item.project, words);
  switch (kind) {
    case 'question':
      return { title, body: clipped(words.agentAsks(plainLine(item.question, LONGEST_BODY)), LONGEST_BODY) };
    case 'approval':
      return { title, body: clipped(approvalBody(item, words), LONGEST_BODY) };
    case 'permission':
      return { title, body: clipped(`${asSentence(wish(item, words))} ${words.turnWaits}`, LONGEST_BODY) };
    case 'limit': {
      const cause = item.cause === null ? words.standsStill : words.causes[item.cause];
      const goesOn = until === null ? '' : ` ${words.goesOnAt(timeOf(until, writing))}`;
      return { title, body: `${cause}${goesOn}` };
    }
    case 'needsYou':
      return {
        title,
        body: item.cause === null ? plainLine(item.question, LONGEST_BODY) : words.causes[item.cause],
      };
  }
}

export function finishedText(
  task: Pick<TaskView, 'project' | 'title' | 'costUsd'>,
  writing: Writing = DEFAULT_WRITING,
): NoticeText {
  const words = wordsOf(writing);
  const cost = ` ${words.estimate(money(task.costUsd, writing))}.`;
  return {
    title: inProject(words.titles.finished, task.project, words),
    body: asSentence(plainLine(task.title, LONGEST_BODY - cost.length - 1)) + cost,
  };
}

/** @param receipt what was verified; null when it is not known yet */
export function killText(
  receipt: { readonly ended: number; readonly alive: number } | null,
  writing: Writing = DEFAULT_WRITING,
): NoticeText {
  const { stopped } = wordsOf(writing);
  return {
    title: stopped.title,
    body: receipt === null ? stopped.unknown : stopped.receipt(receipt.ended, receipt.alive),
  };
}

/** One notification for many items of a project. Kinds in the order of the table, those that are there. */
export function bundleText(
  project: string | null,
  kinds: readonly NoticeKind[],
  writing: Writing = DEFAULT_WRITING,
): NoticeText {
  const words = wordsOf(writing);
  const parts = Object.entries(words.kinds).flatMap(([kind, [one, many]]) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return { title: inProject(words.items(kinds.length), project, words), body: `${parts.join(', ')}.` };
}
