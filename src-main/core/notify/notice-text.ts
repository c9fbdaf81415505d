import type { ItemView } from '../../../src-shared/api/item.ts';
import type { TaskView } from '../../../src-shared/api/task.ts';
import { CAUSE_TEXT, isHoldCause } from './cause-texts.ts';
import { asSentence, clipped, LONGEST_BODY, plainLine, plainName } from './plain-text.ts';
import type { NoticeKind } from './preferences.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** How times and money are written; from Intl, with a zone of their own in tests. */
export interface Writing {
  readonly locale: string;
  readonly timeZone?: string;
}
export const DEFAULT_WRITING: Writing = { locale: 'en-GB' };

const timeOf = (iso: string, writing: Writing): string =>
  new Intl.DateTimeFormat(writing.locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(writing.timeZone === undefined ? {} : { timeZone: writing.timeZone }),
  }).format(Date.parse(iso));

/** Costs are the command line's own estimate, and every place says so. */
const estimate = (usd: number): string =>
  `${new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(usd)} estimate`;

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const inProject = (what: string, project: string | null): string =>
  project === null ? what : `${what} in ${plainName(project)}`;

/** Null for an item that nobody is told of by itself (a gate comes with its workflow). */
export function kindOfItem(item: Pick<ItemView, 'kind' | 'cause'>): NoticeKind {
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

const TESTS: Readonly<Record<NonNullable<ItemView['offer']>['testOutcome'], string>> = {
  passed: 'tests passed',
  'not-configured': 'no test command',
  'nothing-to-test': 'nothing to test',
};

function approvalBody(item: ItemView): string {
  const { offer } = item;
  const facts = offer === null ? '' : ` ${counted(offer.changedFiles, 'file')}, ${TESTS[offer.testOutcome]}.`;
  const title = item.taskTitle ?? item.question;
  return asSentence(plainLine(title, LONGEST_BODY - facts.length - 1)) + facts;
}

/** What a permission request asks for, as far as one line can say it: the command, the file, else the tool. */
function wish(item: ItemView): string {
  const input = (typeof item.input === 'object' && item.input !== null ? item.input : {}) as Record<
    string,
    unknown
  >;
  const { command, file_path: file, url } = input;
  if (typeof command === 'string') return `Wants to run: ${plainLine(command, 90)}`;
  if (typeof file === 'string') return `Wants to use ${item.tool ?? 'a tool'} on ${plainLine(file, 90)}`;
  if (typeof url === 'string') return `Wants to open ${plainLine(url, 90)}`;
  return item.tool === undefined ? plainLine(item.question, 100) : `Wants to use ${plainLine(item.tool, 60)}`;
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
  switch (kindOfItem(item)) {
    case 'question':
      return {
        title: inProject('Question', item.project),
        body: clipped(`The agent asks: ${plainLine(item.question, LONGEST_BODY)}`, LONGEST_BODY),
      };
    case 'approval':
      return {
        title: inProject('Ready for approval', item.project),
        body: clipped(approvalBody(item), LONGEST_BODY),
      };
    case 'permission':
      return {
        title: inProject('Permission', item.project),
        body: clipped(`${asSentence(wish(item))} The turn waits.`, LONGEST_BODY),
      };
    case 'limit': {
      const cause = item.cause === null ? 'Dispatch stands still.' : CAUSE_TEXT[item.cause];
      const goesOn = until === null ? '' : ` Goes on at ${timeOf(until, writing)}.`;
      return { title: inProject('On hold', item.project), body: `${cause}${goesOn}` };
    }
    default:
      return {
        title: inProject('Needs you', item.project),
        body: item.cause === null ? plainLine(item.question, LONGEST_BODY) : CAUSE_TEXT[item.cause],
      };
  }
}

export function finishedText(task: Pick<TaskView, 'project' | 'title' | 'costUsd'>): NoticeText {
  const cost = ` ${estimate(task.costUsd)}.`;
  return {
    title: inProject('Done', task.project),
    body: asSentence(plainLine(task.title, LONGEST_BODY - cost.length - 1)) + cost,
  };
}

/** @param receipt what was verified; null when it is not known yet */
export function killText(receipt: { readonly ended: number; readonly alive: number } | null): NoticeText {
  return {
    title: 'Everything is stopped',
    body:
      receipt === null
        ? 'The kill switch is engaged. Nothing starts until it is released.'
        : `${counted(receipt.ended, 'process', 'processes')} ended, ${receipt.alive} still alive.`,
  };
}

const KIND_WORDS: Readonly<Record<NoticeKind, readonly [one: string, many: string]>> = {
  question: ['question', 'questions'],
  approval: ['approval', 'approvals'],
  permission: ['permission', 'permissions'],
  needsYou: ['item to look at', 'items to look at'],
  finished: ['finished task', 'finished tasks'],
  limit: ['hold', 'holds'],
  kill: ['kill switch', 'kill switches'],
};

/** One notification for many items of a project. Kinds in the order of the table, those that are there. */
export function bundleText(project: string | null, kinds: readonly NoticeKind[]): NoticeText {
  const parts = Object.entries(KIND_WORDS).flatMap(([kind, [one, many]]) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [counted(count, one, many)];
  });
  return { title: inProject(counted(kinds.length, 'item'), project), body: `${parts.join(', ')}.` };
}
