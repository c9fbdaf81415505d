import { assertNever } from '../../../src-shared/errors.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { NextTurn, Run, Task, Turn } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import {
  frameAgain,
  frameAnswer,
  frameConflict,
  frameNoQuestion,
  frameSendBack,
  frameStart,
  frameTestsFailed,
} from '../relay/prompts.ts';

export type SaidTurn = Pick<Turn, 'kind' | 'prompt' | 'deliveryId' | 'item'>;

/** Writes the prompt of the next turn from what is stored. A turn to recover says what the cut one said. */
export function composeTurn(deps: CoreDeps, task: Task, run: Run, project: Project): SaidTurn {
  const next: NextTurn = run.nextTurn ?? { kind: 'start' };
  if (next.kind === 'recover') {
    const cut = deps.stores.turns.get(next.turnId);
    if (cut === null) throw new Error(`Turn ${next.turnId} of task ${task.id} is not stored.`);
    return { kind: 'recover', prompt: cut.prompt, deliveryId: cut.deliveryId, item: cut.item };
  }
  const delivery = deps.ids.deliveryId();
  return {
    kind: next.kind,
    deliveryId: delivery,
    item: next.kind === 'answer' || next.kind === 'send-back' ? next.item : null,
    prompt: promptOf(deps, next, delivery, task, project),
  };
}

function promptOf(
  deps: CoreDeps,
  next: Exclude<NextTurn, { readonly kind: 'recover' }>,
  delivery: Turn['deliveryId'],
  task: Task,
  project: Project,
): string {
  switch (next.kind) {
    case 'start':
      return frameStart({
        delivery,
        taskNumber: task.number,
        project: project.name,
        title: task.title,
        description: task.description,
        isSynthetic: project.settings.dataClass === 'synthetic',
      });
    case 'answer': {
      const item = itemOf(deps, next.item);
      return frameAnswer({
        delivery,
        item: item.number,
        who: item.respondedBy ?? 'A person',
        question: item.question,
        answer: item.answer ?? '',
      });
    }
    case 'send-back': {
      const item = itemOf(deps, next.item);
      return frameSendBack({
        delivery,
        item: item.number,
        who: item.respondedBy ?? 'A person',
        note: item.answer ?? '',
      });
    }
    case 'tests-failed': {
      const testRun = deps.stores.testRuns.get(next.testRunId);
      const outcome =
        testRun?.state === 'timed-out'
          ? 'they ran past their time limit'
          : `exit code ${testRun?.exitCode ?? 'unknown'}`;
      return frameTestsFailed({ delivery, outcome, tail: testRun?.tail ?? '' });
    }
    case 'no-question':
      return frameNoQuestion(delivery);
    case 'again':
      return frameAgain({ delivery, note: next.note });
    case 'conflict':
      return frameConflict({ delivery, base: project.baseBranch, paths: next.paths });
    default:
      return assertNever(next, 'next turn');
  }
}

function itemOf(deps: CoreDeps, number: ItemNumber): Item {
  const item = deps.stores.items.get(number);
  if (item === null) throw new Error(`Item ${number} is not stored.`);
  return item;
}
