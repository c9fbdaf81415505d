import { AppError } from '../../../src-shared/errors.ts';
import { isEnded } from '../../../src-shared/model/task.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import { refusePersonalData } from '../data-class/refuse.ts';
import { workspaceOf } from '../engine/prepare-tree.ts';
import { stopJob } from '../engine/runtime.ts';
import type { Runtime } from '../engine/runtime.ts';
import { closeItemsOfTask } from '../inbox/raise-item.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { Actor, TaskService } from '../services.ts';
import { requireRoomInSpike } from '../spike/spike-tasks.ts';
import { switchOnAfter } from './after-safety-stop.ts';
import { endTask } from './end-task.ts';
import { moveTask, projectOf, runOf, taskFact, taskOf } from './moves.ts';
import { beginRunAgain } from './runs.ts';

const LONGEST_TITLE = 200;
const LONGEST_DESCRIPTION = 1_000_000;

/** Tasks as a person handles them. Every change and its ledger entry are one transaction; processes end after it. */
export function createTaskService(
  deps: CoreDeps,
  parts: { readonly runtime: Runtime; readonly wake: () => void },
): TaskService {
  const { stores, clock, ids } = deps;
  const { runtime, wake } = parts;

  async function endNow(id: TaskId, actor: Actor): Promise<Task> {
    const task = stores.transaction(() => {
      const current = taskOf(deps, id);
      stores.ledger.append(taskFact(deps, current, 'task.cancel_asked', { by: actor.name, via: actor.via }));
      return endTask(deps, current, 'cancel', `cancelled by ${actor.name}`);
    });
    await stopJob(runtime, id, 'person');
    wake();
    return task;
  }

  /** A task of a removed project would be ready for ever: nothing is dispatched there. */
  function requireProjectInUse(task: Task, verb: string): void {
    const project = projectOf(deps, task.projectId);
    if (project.removedAt === null) return;
    throw new AppError(
      'task-wrong-state',
      `Task #${task.number} belongs to the project ${project.name}, which was removed; it cannot be ${verb}.`,
      {
        hint: `Register the repository again (signalbox project add ${project.path}) and add the task anew.`,
      },
    );
  }

  return {
    add: (input, actor) => {
      const project = projectOf(deps, input.projectId);
      const title = input.title.trim();
      if (title === '')
        throw new AppError('usage', 'A task needs a title.', { hint: 'Give one with --title "…".' });
      if (title.length > LONGEST_TITLE)
        throw new AppError('usage', `A title has at most ${LONGEST_TITLE} characters.`);
      if (input.description.trim() === '') {
        throw new AppError('usage', 'A task needs a description: it is what the agent is told.', {
          hint: 'Give one with --description "…", --description-file <file>, or - for standard input.',
        });
      }
      if (input.description.length > LONGEST_DESCRIPTION)
        throw new AppError('usage', 'A description has at most 1,000,000 characters.');
      refusePersonalData(project, 'The title', title);
      refusePersonalData(project, 'The description', input.description);
      const now = clock.now();
      const task = stores.transaction(() => {
        if (!input.isDraft) requireRoomInSpike(stores, project);
        const added = stores.tasks.insert({
          id: ids.next('task'),
          projectId: project.id,
          title,
          description: input.description,
          state: input.isDraft ? 'draft' : 'ready',
          position: stores.tasks.endOfQueue(project.id),
          runId: null,
          endedReason: null,
          createdAt: now,
          updatedAt: now,
          readyAt: input.isDraft ? null : now,
        });
        stores.ledger.append(
          taskFact(deps, added, 'task.added', {
            number: added.number,
            state: added.state,
            by: actor.name,
            via: actor.via,
          }),
        );
        return added;
      });
      deps.feed.taskChanged(task.id);
      wake();
      return task;
    },
    submit: (id) => {
      const task = stores.transaction(() => {
        const draft = taskOf(deps, id);
        const project = projectOf(deps, draft.projectId);
        if (draft.state === 'draft' && draft.createdAt >= (stores.spikes.current()?.startedAt ?? Infinity))
          requireRoomInSpike(stores, project);
        return moveTask(deps, draft, 'submit');
      });
      wake();
      return task;
    },
    cancel: endNow,
    retry: async (id, options, actor) => {
      const before = taskOf(deps, id);
      requireProjectInUse(before, 'retried');
      if (before.state !== 'parked' && before.state !== 'failed' && before.state !== 'cancelled') {
        throw new AppError(
          'task-wrong-state',
          `Task #${before.number} is ${before.state}; only a parked, failed or cancelled task can be retried.`,
        );
      }
      const task = stores.transaction(() => {
        const current = taskOf(deps, id);
        requireProjectInUse(current, 'retried');
        stores.ledger.append(
          taskFact(deps, current, 'task.retry_asked', {
            fresh: options.fresh,
            by: actor.name,
            via: actor.via,
          }),
        );
        switchOnAfter(deps, stores.items.list({ taskId: id, states: ['open'] }));
        closeItemsOfTask(deps, id, 'retried');
        if (current.runId === null) return moveTask(deps, current, 'retry');
        const run = runOf(deps, current);
        if (current.state === 'parked' && run.step === 'merge' && !options.fresh)
          return moveTask(deps, current, 'merge-again');
        const isFresh = options.fresh || isEnded(current.state);
        return moveTask(deps, beginRunAgain(deps, current, run, isFresh).task, 'retry');
      });
      wake();
      return task;
    },
    interrupt: async (id, actor) => {
      const task = stores.transaction(() => {
        const current = taskOf(deps, id);
        if (current.state !== 'running' && current.state !== 'testing') {
          throw new AppError(
            'task-wrong-state',
            `Task #${current.number} is ${current.state}; there is nothing to interrupt.`,
          );
        }
        stores.ledger.append(
          taskFact(deps, current, 'task.interrupt_asked', { by: actor.name, via: actor.via }),
        );
        return moveTask(deps, current, 'park', 'interrupted');
      });
      await stopJob(runtime, id, 'person');
      wake();
      return task;
    },
    move: (id, before, actor) => {
      const task = stores.transaction(() => {
        const moving = taskOf(deps, id);
        if (before === id) {
          throw new AppError('usage', `Task #${moving.number} cannot be moved before itself.`, {
            hint: 'Name the task that it shall go before, or put it last: --last',
          });
        }
        const queue = stores.tasks.list({ projectId: moving.projectId }).filter((each) => each.id !== id);
        const at = before === null ? queue.length : queue.findIndex((each) => each.id === before);
        if (at < 0) {
          throw new AppError('usage', 'Both tasks must be in the same project.', {
            hint: `See the queue with "signalbox task list --project ${projectOf(deps, moving.projectId).name}".`,
          });
        }
        const order = [...queue.slice(0, at), moving, ...queue.slice(at)];
        order.forEach((each, index) => {
          if (each.position !== index + 1) stores.tasks.update({ ...each, position: index + 1 });
        });
        stores.ledger.append(taskFact(deps, moving, 'task.moved', { position: at + 1, by: actor.name }));
        return taskOf(deps, id);
      });
      deps.feed.taskChanged(id);
      wake();
      return task;
    },
    diff: (id) => deps.workspaces.diff(workspaceOf(deps, taskOf(deps, id))),
    kept: () => deps.workspaces.kept(),
    restore: async (id, actor) => {
      const task = taskOf(deps, id);
      const restored = await deps.workspaces.restore(workspaceOf(deps, task));
      stores.ledger.append(taskFact(deps, task, 'task.restored', { ...restored, by: actor.name }));
      return restored;
    },
  };
}
