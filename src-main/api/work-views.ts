/** Views of tasks and inbox items. */
import type { ItemView } from '../../src-shared/api/item.ts';
import type { TaskView, TestRunView } from '../../src-shared/api/task.ts';
import { isAgentsQuestion, isDurable, type Item } from '../../src-shared/model/item.ts';
import type { Task } from '../../src-shared/model/task.ts';
import { usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, isoTimeOrNull, secondsBetween } from '../../src-shared/time.ts';
import { excerptOf } from '../core/inbox/excerpt.ts';
import { leastBudget, moneyLimitOf, suggestedBudget } from '../core/inbox/raise-cap.ts';
import type { Stores, TestRun } from '../core/ports/stores.ts';
import { bookedMoney } from '../core/report/booked-money.ts';
import type { ApiServices } from './context.ts';
import { projectName } from './views.ts';

export function taskView(stores: Stores, task: Task): TaskView {
  const run = task.runId === null ? null : stores.runs.get(task.runId);
  const tree = stores.trees.get(task.id);
  const turns = stores.turns.ofTask(task.id);
  const money = bookedMoney(turns);
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
    costUsd: usdFromMicroUsd(money.costMicroUsd),
    assumedUsd: usdFromMicroUsd(money.assumedMicroUsd),
    openItems: stores.items.list({ taskId: task.id, states: ['open'] }).map((item) => item.number),
    createdAt: isoTime(task.createdAt),
    updatedAt: isoTime(task.updatedAt),
    readyAt: isoTimeOrNull(task.readyAt),
    endedReason: task.endedReason,
  };
}

/** `task show`: with the newest test run. */
export function wholeTaskView(stores: Stores, task: Task): TaskView {
  const last = stores.testRuns.ofTask(task.id).at(-1);
  return {
    ...taskView(stores, task),
    lastTestRun: last === undefined ? null : { ...testRunView(stores, last), tail: last.tail },
  };
}

export function testRunView(stores: Stores, testRun: TestRun): TestRunView {
  const task = stores.tasks.get(testRun.taskId);
  const settings = task === null ? undefined : stores.projects.get(task.projectId)?.settings;
  const command = testRun.purpose === 'test' ? settings?.testCommand : settings?.setupCommand;
  return {
    id: testRun.id,
    purpose: testRun.purpose,
    state: testRun.state,
    exitCode: testRun.exitCode,
    command: command === undefined ? null : [...command],
    startedAt: isoTime(testRun.startedAt),
    endedAt: isoTimeOrNull(testRun.endedAt),
  };
}

/** Causes of items that a failed test or set-up command can have led to. */
const AFTER_COMMANDS: readonly Item['cause'][] = ['attempts-used-up', 'setup-failed'];

/** The run behind an offer, or the one that failed last before a review item was raised. */
function testRunOf(stores: Stores, item: Item): TestRun | null {
  const offered = item.offer?.testRunId ?? null;
  if (offered !== null) return stores.testRuns.get(offered);
  if (item.taskId === null || !AFTER_COMMANDS.includes(item.cause)) return null;
  const before = stores.testRuns
    .ofTask(item.taskId)
    .filter((each) => each.runId === item.runId && each.startedAt <= item.raisedAt);
  const last = before.at(-1);
  return last !== undefined && FAILED.includes(last.state) ? last : null;
}
const FAILED: readonly TestRun['state'][] = ['failed', 'timed-out'];

function agentNameOf(stores: Stores, item: Item): string | null {
  const project = item.projectId === null ? null : stores.projects.get(item.projectId);
  const name = item.raisedBy === 'signalbox' ? project?.settings.agent : item.raisedBy;
  return name === undefined ? null : (stores.agents.get(name)?.displayName ?? name);
}

function budgetView(deps: ViewDeps, item: Item): ItemView['budget'] {
  const limit = item.state === 'open' ? moneyLimitOf(deps, item) : null;
  if (limit === null || limit.name === 'per-call') return null;
  return {
    which: limit.name,
    limitUsd: usdFromMicroUsd(limit.limit),
    spentUsd: usdFromMicroUsd(limit.booked),
    reservedUsd: usdFromMicroUsd(limit.reserved),
    leastUsd: usdFromMicroUsd(leastBudget(limit)),
    suggestedUsd: usdFromMicroUsd(suggestedBudget(deps, item, limit)),
  };
}

/** What the views of items read. */
export type ViewDeps = Pick<ApiServices, 'stores' | 'clock'>;

export function itemView(deps: ViewDeps, item: Item): ItemView {
  const { stores } = deps;
  const task = item.taskId === null ? null : stores.tasks.get(item.taskId);
  const { offer } = item;
  const testRun = testRunOf(stores, item);
  const asksForAgent = isAgentsQuestion(item);
  const [firstDetail = ''] = item.details;
  const isOurs = item.kind === 'review' || item.kind === 'manual';
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
    questionBy: asksForAgent ? 'agent' : 'signalbox',
    message: !isOurs ? null : asksForAgent ? firstDetail : item.question,
    excerpt: { ...excerptOf(item) },
    agentName: agentNameOf(stores, item),
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
    testRun: testRun === null ? null : testRunView(stores, testRun),
    budget: budgetView(deps, item),
  };
}
