import { AppError } from '../../../src-shared/errors.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { NextTurn, Task } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { waitForBudget } from '../limits/budget-wait.ts';
import { switchOnAfter } from '../tasks/after-safety-stop.ts';
import { endTask } from '../tasks/end-task.ts';
import { moveTask, projectOf, runOf } from '../tasks/moves.ts';
import { beginRunAgain } from '../tasks/runs.ts';
import { raiseBudget } from './raise-cap.ts';
import { raiseItem } from './raise-item.ts';

/** Hashes of values that a person declared not personal, by project (12-engine, States). */
export const acceptedHashesKey = (projectId: string): string => `accepted-hashes:${projectId}`;

/** Carries out the action a person chose on a `review` or `manual` item of a task. Runs in the caller's transaction. */
export function resolveAction(deps: CoreDeps, task: Task, item: Item): void {
  if (item.action !== 'cancel') switchOnAfter(deps, [item]);
  switch (item.action) {
    case 'cancel':
      endTask(deps, task, 'cancel', `cancelled at item #${item.number}`);
      return;
    case 'give-up':
      endTask(deps, task, 'give-up', 'given up');
      return;
    case 'leave-on-branch':
      endTask(deps, task, 'leave-on-branch', 'left on its branch');
      return;
    case 'retry':
      retry(deps, task, item);
      return;
    case 'retry-fresh':
      beginAgain(deps, task, true);
      return;
    case 'recreate':
      recreate(deps, task);
      return;
    case 'done':
      moveTask(deps, task, 'merge-again');
      return;
    case 'more-questions':
      moreQuestions(deps, task, item);
      return;
    case 'answer':
      setNextTurn(deps, task, { kind: 'answer', item: item.number });
      moveTask(deps, task, 'answered');
      return;
    case 'raise-cap':
      raiseBudget(deps, task, item);
      return;
    case 'wait':
      waitFor(deps, task, item);
      return;
    case 'stop':
      deps.stores.settings.set(stopStalledKey(task.id), true);
      return;
    case 'keep':
      acceptPlaces(deps, task, item);
      moveTask(deps, task, 'retry');
      return;
    case 'not-personal-data':
      acceptHashes(deps, task, item);
      moveTask(deps, task, 'retry');
      return;
    case 'send-back':
      sendBack(deps, task, item);
      return;
    default:
      throw new AppError('internal', `Item #${item.number} has no action ${String(item.action)}.`);
  }
}

/** The tree is to be made again from the last commit before the next step. */
export const recreateKey = (taskId: string): string => `recreate:${taskId}`;
/** Places outside the tree on which a tool was executed and which a person has looked at. */
export const acceptedPlacesKey = (taskId: string): string => `accepted-places:${taskId}`;
/** A person asked that the call which does not move be stopped. */
export const stopStalledKey = (taskId: string): string => `stop-stalled:${taskId}`;

/** What was not committed is not in the new tree: an agent that had finished has to do it again. */
function recreate(deps: CoreDeps, task: Task): void {
  deps.stores.settings.set(recreateKey(task.id), true);
  if (runOf(deps, task).step === 'commit') {
    setNextTurn(deps, task, {
      kind: 'again',
      note: 'Your folder was made anew from the last commit: what you had changed since is not in it any more. Look at what is there and do the work again.',
    });
  }
  moveTask(deps, task, 'retry');
}

/** What a tool did outside the tree stays done; the same places do not stop the task a second time. */
function acceptPlaces(deps: CoreDeps, task: Task, item: Item): void {
  const key = acceptedPlacesKey(task.id);
  const before = (deps.stores.settings.get(key) as readonly string[] | null) ?? [];
  deps.stores.settings.set(key, [...new Set([...before, ...item.details])]);
}

function setNextTurn(deps: CoreDeps, task: Task, nextTurn: NextTurn): void {
  deps.stores.runs.update({ ...runOf(deps, task), step: 'work', nextTurn });
}

function retry(deps: CoreDeps, task: Task, item: Item): void {
  if (
    item.cause === 'merge-conflict' ||
    item.cause === 'merge-failed' ||
    runOf(deps, task).step === 'merge'
  ) {
    moveTask(deps, task, 'merge-again');
    return;
  }
  beginAgain(deps, task, false);
}

function beginAgain(deps: CoreDeps, task: Task, fresh: boolean): void {
  const again = beginRunAgain(deps, task, runOf(deps, task), fresh);
  moveTask(deps, again.task, 'retry');
}

/** The question past the limit becomes an ordinary one, and the limit rises by the given number. */
function moreQuestions(deps: CoreDeps, task: Task, item: Item): void {
  const count = Number(item.answer ?? '3');
  const run = runOf(deps, task);
  deps.stores.runs.update({
    ...run,
    extraQuestions: run.extraQuestions + count,
    questions: run.questions + 1,
  });
  deps.stores.ledger.append({
    kind: 'task.questions_raised',
    projectId: task.projectId,
    taskId: task.id,
    item: item.number,
    data: { by: count, limitBefore: run.extraQuestions },
  });
  const agent = projectOf(deps, task.projectId).settings.agent;
  raiseItem(deps, {
    kind: 'specify',
    task,
    agent,
    question: item.question,
    options: item.options,
    summary: item.summary,
    cycle: run.questions + 1,
  });
  deps.stores.ledger.append({
    kind: 'harness.question',
    projectId: task.projectId,
    taskId: task.id,
    sessionId: run.sessionId,
    data: { cycle: run.questions + 1 },
  });
  moveTask(deps, task, 'ask');
}

function waitFor(deps: CoreDeps, task: Task, item: Item): void {
  if (item.cause === 'stall') return;
  if (item.cause === 'budget-used-up') waitForBudget(deps.stores, deps.clock, { id: task.projectId });
  moveTask(deps, task, 'retry');
}

/** `details` of a data-class item are `rule at place [hash]`; the hash is what is let through. */
function acceptHashes(deps: CoreDeps, task: Task, item: Item): void {
  const key = acceptedHashesKey(task.projectId);
  const before = (deps.stores.settings.get(key) as readonly string[] | null) ?? [];
  const hashes = item.details.flatMap((line) => /\[([0-9a-f]{64})\]$/.exec(line)?.[1] ?? []);
  deps.stores.settings.set(key, [...new Set([...before, ...hashes])]);
  deps.stores.ledger.append({
    kind: 'policy.data_class_accepted',
    projectId: task.projectId,
    taskId: task.id,
    item: item.number,
    data: { hashes },
  });
}

function sendBack(deps: CoreDeps, task: Task, item: Item): void {
  const run = runOf(deps, task);
  const nextTurn: NextTurn =
    item.cause === 'merge-conflict'
      ? { kind: 'conflict', paths: item.details }
      : {
          kind: 'again',
          note: `The work was not taken: it looks like real personal data at ${item.details.map((line) => line.replace(/ \[[0-9a-f]{64}\]$/, '')).join('; ')}. Take it out.`,
        };
  deps.stores.runs.update({ ...run, step: 'work', nextTurn });
  moveTask(deps, task, 'send-back');
}
