/** Views of tasks and inbox items. */
import type { ItemView } from '../../src-shared/api/item.ts';
import type { TaskView } from '../../src-shared/api/task.ts';
import { isDurable, type Item } from '../../src-shared/model/item.ts';
import type { Task } from '../../src-shared/model/task.ts';
import { addMoney, usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, isoTimeOrNull, secondsBetween } from '../../src-shared/time.ts';
import type { Stores } from '../core/ports/stores.ts';
import { projectName } from './views.ts';

export function taskView(stores: Stores, task: Task): TaskView {
  const run = task.runId === null ? null : stores.runs.get(task.runId);
  const tree = stores.trees.get(task.id);
  const turns = stores.turns.ofTask(task.id);
  const assumed = turns.filter((turn) => turn.costBasis === 'assumed');
  return {
    id: task.id,
    number: task.number,
    project: projectName(stores, task.projectId) ?? task.projectId,
    projectId: task.projectId,
    title: task.title,
    description: task.description,
    state: task.state,
    step: run?.step ?? null,
    runId: task.runId,
    sessionId: run?.sessionId ?? null,
    branch: tree?.branch ?? null,
    worktree: tree === null || tree.state === 'removed' ? null : tree.path,
    commit: run?.commit ?? null,
    attempts: stores.attempts.ofTask(task.id).length,
    countedAttempts: run?.countedAttempts ?? 0,
    questions: run?.questions ?? 0,
    costUsd: usdFromMicroUsd(addMoney(...turns.map((turn) => turn.costMicroUsd))),
    assumedUsd: usdFromMicroUsd(addMoney(...assumed.map((turn) => turn.costMicroUsd))),
    openItems: stores.items.list({ taskId: task.id, states: ['open'] }).map((item) => item.number),
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    readyAt: isoTimeOrNull(task.readyAt),
    endedReason: task.endedReason,
  };
}

export function itemView(stores: Stores, item: Item): ItemView {
  const task = item.taskId === null ? null : stores.tasks.get(item.taskId);
  const { offer } = item;
  const testRun = offer === null || offer.testRunId === null ? null : stores.testRuns.get(offer.testRunId);
  return {
    number: item.number,
    kind: item.kind,
    state: item.state,
    project: projectName(stores, item.projectId),
    projectId: item.projectId,
    taskId: item.taskId,
    taskNumber: task?.number ?? null,
    taskTitle: task?.title ?? null,
    raisedBy: item.raisedBy,
    raisedByName: stores.agents.get(item.raisedBy)?.displayName ?? item.raisedBy,
    raisedAt: isoTime(item.raisedAt),
    respondedAt: isoTimeOrNull(item.respondedAt),
    respondedBy: item.respondedBy,
    respondedVia: item.respondedVia,
    waitedS: item.respondedAt === null ? null : secondsBetween(item.raisedAt, item.respondedAt),
    cause: item.cause,
    question: item.question,
    options: [...item.options],
    summary: item.summary,
    details: [...item.details],
    cycle: item.cycle,
    answer: item.answer,
    action: item.action,
    durable: isDurable(item.kind),
    actions: item.actions.map((action) => ({ ...action })),
    dispatchAt: isoTimeOrNull(item.dispatchAt),
    delivery: item.delivery,
    runId: item.runId,
    commit: offer?.commit ?? null,
    offer:
      offer === null
        ? null
        : {
            baseCommit: offer.baseCommit,
            testOutcome: offer.testOutcome,
            testRunId: offer.testRunId,
            changedFiles: offer.changedFiles,
            notes: [...offer.notes],
          },
    testTail: testRun === null ? null : testRun.tail,
  };
}
