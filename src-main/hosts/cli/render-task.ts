import type { KeptView, TaskView, TranscriptEntryView } from '../../../src-shared/api/task.ts';
import { markedBlock, visibleLine, visibleText } from '../../../src-shared/visible-text.ts';
import type { Output } from './output.ts';
import { renderTestRun } from './render-test-run.ts';
import { dollars, renderFields, renderTable, withAssumed } from './tables.ts';

export function renderTasks(tasks: readonly TaskView[]): string {
  if (tasks.length === 0)
    return 'No tasks. Add one: signalbox task add <project> --title "…" --description "…"';
  return renderTable(
    ['task', 'project', 'state', 'step', 'attempts', 'questions', 'cost (estimate)', 'title'],
    tasks.map((task) => [
      task.number,
      task.project,
      task.state,
      task.step ?? '',
      task.attempts,
      task.questions,
      withAssumed(task.costUsd, task.assumedUsd),
      task.title,
    ]),
  );
}

/** Cost with the assumed part apart (12-engine, Money). */
export const costText = (costUsd: number, assumedUsd: number): string =>
  `${dollars(costUsd)}, an estimate${assumedUsd > 0 ? `, of which ${dollars(assumedUsd)} is assumed` : ''}`;

export function renderTask(task: TaskView, out: Output): string {
  const fields = renderFields([
    ['id', task.id],
    ['project', visibleLine(task.project)],
    ['state', task.endedReason === null ? task.state : `${task.state} (${visibleLine(task.endedReason)})`],
    ['step', task.step],
    ['waits for', task.openItems.map((number) => `item ${number}`).join(', ')],
    ['session', task.sessionId],
    ['branch', task.branch],
    ['worktree', task.worktree],
    ['commit', task.commit],
    ['attempts', `${task.attempts} started, ${task.countedAttempts} counted`],
    ['questions', task.questions],
    ['cost', costText(task.costUsd, task.assumedUsd)],
    ['created', task.createdAt],
    ['updated', task.updatedAt],
  ]);
  return [
    out.strong(`Task ${task.number}: ${visibleLine(task.title)}`),
    fields,
    '',
    markedBlock('description', task.description, out.columns),
    ...(task.lastTestRun === null || task.lastTestRun === undefined
      ? []
      : renderTestRun(task.lastTestRun, task.lastTestRun.tail, out)),
  ].join('\n');
}

const AUTHORS: Readonly<Record<TranscriptEntryView['role'], string>> = {
  person: 'you',
  signalbox: 'Signalbox',
  assistant: 'agent',
  tool: 'tool',
};

export const renderTranscriptEntry = (entry: TranscriptEntryView, out: Output): string =>
  markedBlock(`${AUTHORS[entry.role]}, ${entry.at}`, entry.content, out.columns);

const BRANCHES = 'refs/heads/';

export function renderKept(kept: readonly KeptView[]): string {
  if (kept.length === 0) return 'Nothing is kept.';
  const table = renderTable(
    ['task', 'project', 'commit', 'files', 'kept at', 'on', 'why'],
    kept.map((one) => [
      one.taskNumber ?? one.taskId,
      one.project,
      one.commit.slice(0, 12),
      one.files,
      one.at,
      one.ref.startsWith(BRANCHES) ? one.ref.slice(BRANCHES.length) : 'a side ref',
      one.reason,
    ]),
  );
  const aside = kept.find((one) => !one.ref.startsWith(BRANCHES));
  if (aside === undefined) return table;
  return `${table}\n\nFrom a side ref onto a branch: signalbox task restore ${aside.taskNumber ?? aside.taskId}`;
}

/** A diff is the agent's text: visible, line by line, without colours of its own. */
export const renderDiff = (diff: string): string =>
  diff === '' ? 'Nothing changed.' : visibleText(diff).replace(/\n$/, '');
