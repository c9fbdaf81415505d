import { AppError } from '../../../src-shared/errors.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';
import type { Item, ItemState } from '../../../src-shared/model/item.ts';
import { epochMs, secondsBetween } from '../../../src-shared/time.ts';
import type { Millis } from '../../../src-shared/time.ts';
import { refusePersonalData } from '../data-class/refuse.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { Actor, InboxService } from '../services.ts';
import { projectOf, runOf, taskOf } from '../tasks/moves.ts';
import { checkedValue } from './action-value.ts';
import { applyResponse } from './apply-response.ts';
import { optionText } from './option-text.ts';
import { raiseCalls } from './raise-cap.ts';
import { undoResponse } from './undo-response.ts';

export interface InboxSettings {
  /** How long a response from a window can be taken back. */
  readonly undo: Millis;
}

interface Response {
  readonly state: ItemState;
  readonly answer: string | null;
  readonly action: string | null;
}

/**
 * What a person decides. A response is stored first and acted on later (at once for the command line), in the same
 * transaction as its ledger entry; an item takes one response, whoever is first.
 *
 * @param wake tells the engine that there may be work
 */
export function createInboxService(
  deps: CoreDeps,
  settings: InboxSettings,
  hooks: { readonly wake: () => void; readonly checkHold: (item: Item) => void },
): InboxService {
  const { stores, clock } = deps;

  function openItem(number: ItemNumber): Item {
    const item = stores.items.get(number);
    if (item === null) throw new AppError('not-found', `There is no item #${number}.`);
    if (item.state !== 'open') {
      const who = item.respondedBy === null ? '' : ` by ${item.respondedBy}`;
      throw new AppError('item-closed', `Item #${number} is closed: ${item.state.replace('_', ' ')}${who}.`, {
        hint: `What became of it: signalbox inbox show ${number}`,
      });
    }
    return item;
  }

  function requireKind(item: Item, kind: Item['kind'], verb: string, instead: string): void {
    if (item.kind === kind) return;
    throw new AppError(
      'item-wrong-kind',
      `Item #${item.number} is ${item.kind === 'approve' ? 'an' : 'a'} ${item.kind} item and takes no ${verb}.`,
      { hint: instead },
    );
  }

  function respond(number: ItemNumber, actor: Actor, decide: (item: Item) => Response): Item {
    const item = stores.transaction(() => {
      const open = openItem(number);
      const response = decide(open);
      const now = clock.now();
      const isUndoable = actor.via === 'desktop' || actor.via === 'web';
      const responded: Item = {
        ...open,
        ...response,
        respondedAt: now,
        respondedBy: actor.name,
        respondedVia: actor.via,
        dispatchAt: epochMs(now + (isUndoable ? settings.undo : 0)),
        delivery: 'stored',
      };
      stores.items.update(responded);
      stores.ledger.append({
        kind: 'item.responded',
        projectId: open.projectId,
        project: open.projectId === null ? null : (stores.projects.get(open.projectId)?.name ?? null),
        taskId: open.taskId,
        item: number,
        data: {
          kind: open.kind,
          state: response.state,
          by: actor.name,
          via: actor.via,
          waitedMs: Math.round(secondsBetween(open.raisedAt, now) * 1000),
          ...(response.action === null ? {} : { action: response.action }),
          ...(response.answer === null ? {} : { answerHash: deps.hash(response.answer) }),
        },
      });
      deps.feed.itemChanged(number);
      return isUndoable ? responded : applyResponse(deps, responded);
    });
    hooks.wake();
    return item;
  }

  function answer(number: ItemNumber, text: string, actor: Actor): Item {
    return respond(number, actor, (item) => {
      requireKind(item, 'specify', 'answer', hintFor(item));
      if (text.trim() === '')
        throw new AppError('answer-empty', 'An answer needs some text.', { hint: hintFor(item) });
      refuseFor(item, 'The answer', text);
      return { state: 'answered', answer: text, action: null };
    });
  }

  function refuseFor(item: Item, what: string, text: string): void {
    if (item.projectId !== null) refusePersonalData(projectOf(deps, item.projectId), what, text);
  }

  return {
    answer,
    answerOption: (number, option, actor) => answer(number, optionText(openItem(number), option), actor),
    approve: (number, options, actor) =>
      respond(number, actor, (item) => {
        requireKind(item, 'approve', 'approval', hintFor(item));
        const commit = item.offer?.commit ?? null;
        const current = item.taskId === null ? null : runOf(deps, taskOf(deps, item.taskId)).commit;
        if (commit !== current || (options.commit !== undefined && options.commit !== commit)) {
          throw new AppError(
            'item-stale-offer',
            `Item #${number} offers another commit than the one you saw.`,
            {
              hint: `Look again with "signalbox inbox show ${number}".`,
            },
          );
        }
        if (options.note !== undefined) refuseFor(item, 'The note', options.note);
        return { state: 'approved', answer: options.note ?? null, action: null };
      }),
    reject: (number, options, actor) =>
      respond(number, actor, (item) => {
        if (item.kind !== 'specify') requireKind(item, 'approve', 'rejection', hintFor(item));
        if (options.reason !== undefined) refuseFor(item, 'The reason', options.reason);
        return { state: 'rejected', answer: options.reason ?? null, action: null };
      }),
    sendBack: (number, note, actor) =>
      respond(number, actor, (item) => {
        requireKind(item, 'approve', 'note', hintFor(item));
        if (note.trim() === '')
          throw new AppError('answer-empty', 'Sending back needs a note for the agent.', {
            hint: `signalbox send-back ${number} --note "…"`,
          });
        refuseFor(item, 'The note', note);
        return { state: 'sent_back', answer: note, action: null };
      }),
    resolve: (number, action, value, actor) => {
      const item = openItem(number);
      const known = item.actions.find((candidate) => candidate.name === action);
      if (known === undefined) {
        throw new AppError('usage', `Item #${number} has no action "${action}".`, {
          hint: hintFor(item),
        });
      }
      if (item.taskId === null) return resolveHubItem(deps, item, action, value, actor, hooks);
      return respond(number, actor, (open) => {
        const checked = checkedValue(deps, open, action, value);
        if (checked !== null) refuseFor(open, 'The value', checked);
        return { state: 'resolved', answer: checked, action };
      });
    },
    undo: (number, actor) => {
      const undone = undoResponse(deps, number, actor);
      hooks.wake();
      return undone;
    },
  };
}

function actionsHint(item: Item): string {
  const [first, ...others] = item.actions.map((action) => action.name);
  if (first === undefined) return `Look at it: signalbox inbox show ${item.number}`;
  const more = others.length === 0 ? '' : ` (or another of: ${others.join(', ')})`;
  return `Choose an action: signalbox resolve ${item.number} --action ${first}${more}`;
}

/** The commands that an open item takes. */
function hintFor(item: Item): string {
  switch (item.kind) {
    case 'specify':
      return `Answer it: signalbox answer ${item.number} --text "…"`;
    case 'approve':
      return `Decide it: signalbox approve ${item.number}, signalbox reject ${item.number} or signalbox send-back ${item.number} --note "…"`;
    case 'review':
    case 'manual':
      return actionsHint(item);
    case 'gate':
      return `Decide it: signalbox approve ${item.number} or signalbox reject ${item.number}`;
    case 'permission':
      return `Decide it: signalbox allow ${item.number} or signalbox deny ${item.number}`;
  }
}

/** Items without a task: holds stay open until the cause is gone; a calls cap can be raised. */
function resolveHubItem(
  deps: CoreDeps,
  item: Item,
  action: string,
  value: string | null,
  actor: Actor,
  hooks: { readonly wake: () => void; readonly checkHold: (item: Item) => void },
): Item {
  const checked = checkedValue(deps, item, action, value);
  const after = deps.stores.transaction(() => {
    deps.stores.ledger.append({
      kind: 'item.responded',
      projectId: item.projectId,
      item: item.number,
      data: {
        kind: item.kind,
        state: 'resolved',
        by: actor.name,
        via: actor.via,
        action,
        waitedMs: Math.round(secondsBetween(item.raisedAt, deps.clock.now()) * 1000),
      },
    });
    if (action === 'check-again') {
      hooks.checkHold(item);
      return deps.stores.items.get(item.number) ?? item;
    }
    if (action === 'raise-cap' && checked !== null) raiseCalls(deps, item, Number(checked), actor);
    const closed: Item = {
      ...item,
      state: 'resolved',
      action,
      answer: checked,
      respondedAt: deps.clock.now(),
      respondedBy: actor.name,
      respondedVia: actor.via,
      delivery: 'none',
    };
    deps.stores.items.update(closed);
    deps.feed.itemChanged(item.number);
    return closed;
  });
  hooks.wake();
  return after;
}
