import type { ItemView } from '../../../src-shared/api/item.ts';
import { markedBlock, visibleLine } from '../../../src-shared/visible-text.ts';
import type { Output } from './output.ts';
import { duration, renderFields, renderTable } from './tables.ts';

/** Who says the question: the agent only where the text is its own. */
const speaks = (item: ItemView): string =>
  item.kind === 'specify' ? `${item.raisedByName} asks` : item.raisedByName;

export function renderInbox(items: readonly ItemView[], now: number): string {
  if (items.length === 0) return 'The inbox is empty.';
  return renderTable(
    ['item', 'kind', 'state', 'project', 'task', 'from', 'age', 'what'],
    items.map((item) => [
      item.number,
      item.kind,
      item.state === 'open' ? 'open' : `${item.state}, ${item.delivery}`,
      item.project ?? '(hub)',
      item.taskNumber ?? '',
      item.raisedByName,
      duration(Math.max(0, now - Date.parse(item.raisedAt)) / 1000),
      item.question === '' ? (item.taskTitle ?? item.summary) : item.question,
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
        const value = action.value === undefined ? '' : ` --value "${action.value}"`;
        return `signalbox resolve ${number} --action ${action.name}${value}   (${action.consequence})`;
      });
  }
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

export function renderItem(item: ItemView, out: Output): string {
  const isAgents = item.kind === 'specify';
  const head = renderFields([
    ['kind', item.kind],
    ['state', item.state === 'open' ? 'open' : `${item.state} by ${item.respondedBy ?? 'nobody'}`],
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
  return [
    out.strong(`Item ${item.number}`),
    head,
    ...(isAgents ? agentBlock(speaks(item), item.question, out) : ownSentence(item.question)),
    ...agentBlock(`${item.raisedByName} offers`, options, out),
    ...agentBlock(isAgents ? `${item.raisedByName} sums up` : 'the agent sums up', item.summary, out),
    ...offerLines(item),
    ...item.details.map((detail) => `  - ${visibleLine(detail)}`),
    ...agentBlock("end of the tests' output", item.testTail ?? '', out),
    ...agentBlock(`answered by ${item.respondedBy ?? 'nobody'}`, item.answer ?? '', out),
    ...(steps.length === 0 ? [] : ['', ...steps.map((step) => `  ${step}`)]),
  ].join('\n');
}
