import type { ItemView } from '../../../src-shared/api/item.ts';
import { formatUsdExactly, microUsdFromUsd } from '../../../src-shared/money.ts';
import { markedBlock, visibleLine } from '../../../src-shared/visible-text.ts';
import type { Output } from './output.ts';
import { renderTestRun } from './render-test-run.ts';
import { duration, renderFields, renderTable } from './tables.ts';

/** Our own sentence where there is one, before anybody else's words. */
const inShort = (item: ItemView): string => {
  if (item.message !== null) return item.message;
  return item.question === '' ? (item.taskTitle ?? item.summary) : item.question;
};

export function renderInbox(items: readonly ItemView[], now: number): string {
  if (items.length === 0) return 'The inbox is empty.';
  return renderTable(
    ['item', 'kind', 'state', 'project', 'task', 'from', 'age', 'what'],
    items.map((item) => [
      item.number,
      item.kind,
      item.delivery === 'none' ? item.state : `${item.state}, ${item.delivery}`,
      item.project ?? '(hub)',
      item.taskNumber ?? '',
      item.raisedByName,
      duration(Math.max(0, now - Date.parse(item.raisedAt)) / 1000),
      inShort(item),
    ]),
  );
}

/** What to type next, for an open item. */
function nextSteps(item: ItemView): readonly string[] {
  const { number } = item;
  switch (item.kind) {
    case 'specify':
      return [
        `signalbox answer ${number} --text "…"`,
        ...(item.options.length > 0 ? [`signalbox answer ${number} --option 1`] : []),
        `signalbox reject ${number}   (cancels the task)`,
      ];
    case 'approve':
    case 'gate':
      return [
        `signalbox approve ${number}`,
        `signalbox send-back ${number} --note "…"`,
        `signalbox reject ${number}`,
      ];
    case 'permission':
      return [`signalbox allow ${number}`, `signalbox deny ${number}`];
    case 'review':
    case 'manual':
      return item.actions.map((action) => {
        const value = action.value === undefined ? '' : ` --value ${valueFor(item, action.name)}`;
        const meaning = action.value === undefined ? '' : ` --value is ${action.value}.`;
        return `signalbox resolve ${number} --action ${action.name}${value}   (${action.consequence}${meaning})`;
      });
  }
}

/** Something that can be typed as it stands; `"…"` where only the person knows. */
function valueFor(item: ItemView, action: string): string {
  if (action === 'more-questions') return '3';
  return action === 'raise-cap' && item.budget !== null ? String(item.budget.suggestedUsd) : '"…"';
}

const agentBlock = (label: string, text: string, out: Output): readonly string[] =>
  text === '' ? [] : ['', markedBlock(label, text, out.columns)];

/** Ours, but it may name what somebody else wrote. */
const ownSentence = (text: string): readonly string[] => (text === '' ? [] : ['', visibleLine(text)]);

const offerLines = (item: ItemView): readonly string[] => {
  if (item.offer === null) return [];
  return [
    renderFields([
      ['commit', item.commit],
      ['base', item.offer.baseCommit],
      ['tests', item.offer.testOutcome],
      ['changed files', item.offer.changedFiles],
      ['diff', item.taskNumber === null ? null : `signalbox task diff ${item.taskNumber}`],
    ]),
    ...item.offer.notes.map((note) => `  - ${visibleLine(note)}`),
  ];
};

const BUDGETS = { 'project-budget': 'budget of the project', 'spike-budget': 'budget of the spike' } as const;

/** Not rounded to cents: what is left may be less than one. */
const exactly = (usd: number): string => `$${formatUsdExactly(microUsdFromUsd(usd))}`;

const budgetLines = (item: ItemView): readonly string[] =>
  item.budget === null
    ? []
    : [
        '',
        renderFields([
          [BUDGETS[item.budget.which], exactly(item.budget.limitUsd)],
          ['spent', `${exactly(item.budget.spentUsd)}, an estimate`],
          ['reserved', exactly(item.budget.reservedUsd)],
          ['least that helps', exactly(item.budget.leastUsd)],
        ]),
      ];

/** Whose text `answer` is; on an open item it is what was taken back. */
function answerLabel(item: ItemView): string {
  const who = item.respondedBy ?? 'nobody';
  if (item.state === 'open') return 'draft: a response that was taken back';
  if (item.state === 'approved' || item.state === 'sent_back') return `note of ${who}`;
  if (item.state === 'rejected') return `reason of ${who}`;
  return item.state === 'resolved' && item.action !== 'answer' ? `value of ${who}` : `answered by ${who}`;
}

export function renderItem(item: ItemView, out: Output): string {
  const asksForAgent = item.questionBy === 'agent';
  const agent = item.agentName ?? item.raisedByName;
  const head = renderFields([
    ['kind', item.kind],
    [
      'state',
      item.state === 'open' ? 'open' : `${item.state.replace('_', ' ')} by ${item.respondedBy ?? 'nobody'}`,
    ],
    ['delivery', item.delivery === 'none' ? null : item.delivery],
    ['project', item.project === null ? null : visibleLine(item.project)],
    ['task', item.taskNumber === null ? null : `${item.taskNumber} ${visibleLine(item.taskTitle ?? '')}`],
    ['raised', item.raisedAt],
    ['cycle', item.cycle],
    ['cause', item.cause],
    ['waited', item.waitedS === null ? null : duration(item.waitedS)],
    ['action', item.action],
  ]);
  const steps = item.state === 'open' ? nextSteps(item) : [];
  const options = item.options.map((option, index) => `${index + 1}. ${option}`).join('\n');
  // Beside an agent's question our own sentence is the first detail; it stands above the question.
  const details = asksForAgent && item.message !== null ? item.details.slice(1) : item.details;
  return [
    out.strong(`Item ${item.number}`),
    head,
    ...ownSentence(item.message ?? (asksForAgent ? '' : item.question)),
    ...(asksForAgent ? agentBlock(`${agent} asks`, item.question, out) : []),
    ...agentBlock(`${agent} offers`, options, out),
    ...agentBlock(`${agent} sums up`, item.summary, out),
    ...offerLines(item),
    ...details.map((detail) => `  - ${visibleLine(detail)}`),
    ...budgetLines(item),
    ...(item.testRun === null ? [] : renderTestRun(item.testRun, item.testTail ?? '', out)),
    ...agentBlock(answerLabel(item), item.answer ?? '', out),
    ...(steps.length === 0 ? [] : ['', ...steps.map((step) => `  ${step}`)]),
  ].join('\n');
}
