import { isAppError } from '../../../src-shared/errors.ts';
import type { HubCalls } from '../ports/hub-calls.ts';
import type { NoticeAct } from '../ports/notifier.ts';
import type { HashText, Log } from '../ports/world.ts';
import type { NoticeDesk } from './notice-desk.ts';
import type { NoticeRecord, NoticeRecords, NoticeTarget } from './notice-records.ts';
import { DENY, generationOf } from './offers.ts';
import { wordsOf } from './notice-text.ts';
import { LONGEST_BODY, plainLine } from './plain-text.ts';
import type { Writing } from './words.ts';

export interface ActDeps {
  readonly hub: HubCalls;
  readonly desk: NoticeDesk;
  readonly records: NoticeRecords;
  readonly hash: HashText;
  readonly log: Log;
  open(target: NoticeTarget): void;
  writing(): Writing;
}

const INBOX: NoticeTarget = { kind: 'inbox' };

type Decision =
  | { readonly kind: 'option' | 'text'; readonly text: string }
  | { readonly kind: 'deny' }
  | { readonly kind: 'open' };

/** What an act asks for; a button that was not offered opens, as does everything else. */
export function decisionOf(act: NoticeAct, record: NoticeRecord): Decision {
  if (record.generation === null) return { kind: 'open' };
  if (act.kind === 'reply' && record.canReply && act.text.trim() !== '') {
    return { kind: 'text', text: act.text };
  }
  if (act.kind === 'button') {
    const option = Object.hasOwn(record.options, act.button) ? record.options[act.button] : undefined;
    if (option !== undefined) return { kind: 'option', text: option };
    if (act.button === DENY && record.canDeny) return { kind: 'deny' };
  }
  return { kind: 'open' };
}

/**
 * Acts on notifications: the same commands as in the window, or the window itself. An unknown key opens the inbox
 * and does nothing else; a key decides once.
 */
export function createNoticeActs(deps: ActDeps): (act: NoticeAct) => Promise<void> {
  const { hub, desk, records } = deps;
  const deciding = new Set<string>();

  async function decide(record: NoticeRecord, item: number, decision: Decision): Promise<void> {
    const target: NoticeTarget = { kind: 'item', number: item };
    const words = wordsOf(deps.writing()).answered;
    const refuse = async (body: string): Promise<void> => {
      await desk.tell({ title: words.notSent(item), body: plainLine(body, LONGEST_BODY), target });
    };
    try {
      const seen = await hub.query('inbox.show', { item });
      if (seen.state !== 'open' || deps.hash(generationOf(seen)) !== record.generation) {
        await refuse(words.changed);
        return;
      }
      if (decision.kind === 'deny') await hub.mutate('inbox.deny', { item });
      else if (decision.kind !== 'open') {
        const reply =
          decision.kind === 'option'
            ? ({ kind: 'option', option: decision.text } as const)
            : ({ kind: 'text', text: decision.text } as const);
        await hub.mutate('inbox.answer', { item, reply });
      }
      records.put({ ...record, generation: null });
      await desk.tell({
        title: decision.kind === 'deny' ? words.denied(item) : words.sent(item),
        body: plainLine(seen.taskTitle ?? seen.question, LONGEST_BODY),
        target,
        urgency: 'low',
        isSilent: true,
      });
    } catch (error) {
      if (!isAppError(error)) deps.log.error('an answer from a notification broke', { error: String(error) });
      await refuse(isAppError(error) ? error.message : words.broke);
    }
  }

  return async (act) => {
    if (act.kind === 'closed') {
      desk.gone(act.key);
      return;
    }
    const record = records.get(act.key);
    if (record === null) {
      deps.open(INBOX);
      return;
    }
    const decision = decisionOf(act, record);
    const { target } = record;
    if (decision.kind === 'open' || target.kind !== 'item') {
      deps.open(target);
      return;
    }
    if (deciding.has(act.key)) return;
    deciding.add(act.key);
    try {
      await decide(record, target.number, decision);
    } finally {
      deciding.delete(act.key);
    }
  };
}
