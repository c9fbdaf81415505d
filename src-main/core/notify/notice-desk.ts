import type { ItemView } from '../../../src-shared/api/item.ts';
import type { NotShownReason } from '../../../src-shared/model/notice-test.ts';
import { NotShownError, type Notice, type Notifier, type Shown } from '../ports/notifier.ts';
import type { Clock, HashText, Log } from '../ports/world.ts';
import type { NoticeRecord, NoticeRecords, NoticeTarget } from './notice-records.ts';
import { bundleText, itemText, kindOfItem, wordsOf, type NoticeText } from './notice-text.ts';
import { generationOf, offerFor } from './offers.ts';
import { planNotices, type NoticeSubject, type StandingNotice } from './plan-notices.ts';
import type { NoticeKind } from './preferences.ts';
import type { Writing } from './words.ts';

export interface DeskDeps {
  readonly notifier: Notifier;
  readonly records: NoticeRecords;
  readonly clock: Clock;
  readonly log: Log;
  readonly hash: HashText;
  /** 128 random bits as text: a notification's name must not be guessed (12-engine, Notification actions). */
  newKey(): string;
  /** In whose words, now. */
  writing(): Writing;
  /** What is wrong with showing, null once it works again. */
  onProblem(problem: string | null): void;
}

export interface PlainNotice extends NoticeText {
  readonly target: NoticeTarget;
  readonly urgency?: Notice['urgency'];
  readonly isSilent?: boolean;
  /** What they do is up to who knows the key; without one they open. */
  readonly buttons?: Notice['buttons'];
  /** Before it is shown: an act on it may come at once. */
  readonly onKey?: (key: string) => void;
}

export type ShowResult =
  | ({ readonly kind: 'shown'; readonly key: string } & Shown)
  | { readonly kind: 'not-shown'; readonly reason: NotShownReason; readonly detail: string };

/** Puts notifications up and takes them down; knows which ones stand. */
export interface NoticeDesk {
  /** @param untilOf when the hold of an item lifts by itself, as ISO time */
  raise(items: readonly ItemView[], untilOf: (item: number) => string | null): Promise<void>;
  /** One that offers nothing but to open. @returns its key, null when it could not be shown */
  tell(notice: PlainNotice): Promise<string | null>;
  /** The same, for who wants to know why not. */
  tryTell(notice: PlainNotice): Promise<ShowResult>;
  /** The item waits no more. */
  close(item: number): Promise<void>;
  withdraw(key: string): Promise<void>;
  /** A person or the system took it away. */
  gone(key: string): void;
  /** Items with a notification that stands. */
  standing(): readonly number[];
}

const NOTHING_OFFERED = { generation: null, options: {}, canReply: false, canDeny: false } as const;
const urgencyOf = (kind: NoticeKind): Notice['urgency'] => (kind === 'permission' ? 'critical' : 'normal');

export function createNoticeDesk(deps: DeskDeps): NoticeDesk {
  const { notifier, records, clock } = deps;
  const standing = new Map<string, StandingNotice>();

  async function show(notice: Notice, record: Omit<NoticeRecord, 'key' | 'at'>): Promise<ShowResult> {
    // Before it is shown: an answer may be there at once.
    records.put({ ...record, key: notice.key, at: clock.now() });
    try {
      const shown = await notifier.show(notice);
      deps.onProblem(null);
      return { kind: 'shown', key: notice.key, ...shown };
    } catch (error) {
      records.remove(notice.key);
      deps.log.warn('a notification could not be shown', { error: String(error) });
      deps.onProblem(wordsOf(deps.writing()).problem);
      const reason = error instanceof NotShownError ? error.reason : 'failed';
      return { kind: 'not-shown', reason, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async function withdraw(key: string): Promise<void> {
    standing.delete(key);
    await notifier.withdraw(key).catch((error: unknown) => {
      deps.log.warn('a notification could not be withdrawn', { error: String(error) });
    });
  }

  async function showItem(item: ItemView, until: string | null): Promise<void> {
    const key = deps.newKey();
    const kind = kindOfItem(item);
    const offer = offerFor(item, await notifier.abilities(), deps.writing());
    const notice: Notice = {
      key,
      ...itemText(item, until, deps.writing()),
      urgency: urgencyOf(kind),
      isSilent: false,
      buttons: offer.buttons,
      reply: offer.reply,
    };
    standing.set(key, {
      key,
      project: item.project,
      isBundle: false,
      subjects: [{ number: item.number, kind, project: item.project }],
    });
    const result = await show(notice, {
      target: { kind: 'item', number: item.number },
      items: [item.number],
      project: item.project,
      isBundle: false,
      generation: deps.hash(generationOf(item)),
      options: offer.options,
      canReply: offer.reply !== null,
      canDeny: item.kind === 'permission',
    });
    if (result.kind === 'not-shown') standing.delete(key);
  }

  async function showBundle(project: string | null, subjects: readonly NoticeSubject[]): Promise<void> {
    const key = deps.newKey();
    const kinds = subjects.map((subject) => subject.kind);
    standing.set(key, { key, project, isBundle: true, subjects });
    const result = await show(
      {
        key,
        ...bundleText(project, kinds, deps.writing()),
        urgency: kinds.includes('permission') ? 'critical' : 'normal',
        isSilent: false,
        buttons: [],
        reply: null,
      },
      {
        target: { kind: 'inbox' },
        items: subjects.map((subject) => subject.number),
        project,
        isBundle: true,
        ...NOTHING_OFFERED,
      },
    );
    if (result.kind === 'not-shown') standing.delete(key);
  }

  async function tryTell(notice: PlainNotice): Promise<ShowResult> {
    const { target, urgency = 'normal', isSilent = false, title, body } = notice;
    const key = deps.newKey();
    notice.onKey?.(key);
    const buttons = notice.buttons ?? [];
    const can = buttons.length > 0 && (await notifier.abilities()).buttons;
    return show(
      { key, title, body, urgency, isSilent, buttons: can ? buttons : [], reply: null },
      { target, items: [], project: null, isBundle: false, ...NOTHING_OFFERED },
    );
  }

  return {
    raise: async (items, untilOf) => {
      const subjects = items.map((item) => ({
        number: item.number,
        kind: kindOfItem(item),
        project: item.project,
      }));
      const plan = planNotices(subjects, [...standing.values()]);
      for (const key of plan.withdraw) await withdraw(key);
      for (const { number } of plan.singles) {
        const item = items.find((each) => each.number === number);
        if (item !== undefined) await showItem(item, untilOf(number));
      }
      for (const bundle of plan.bundles) await showBundle(bundle.project, bundle.subjects);
    },
    tryTell,
    tell: async (notice) => {
      const result = await tryTell(notice);
      return result.kind === 'shown' ? result.key : null;
    },
    close: async (item) => {
      for (const notice of [...standing.values()]) {
        const left = notice.subjects.filter((subject) => subject.number !== item);
        if (left.length === notice.subjects.length) continue;
        if (left.length === 0) await withdraw(notice.key);
        else standing.set(notice.key, { ...notice, subjects: left });
      }
    },
    withdraw,
    gone: (key) => void standing.delete(key),
    standing: () => [...standing.values()].flatMap(({ subjects }) => subjects.map(({ number }) => number)),
  };
}
