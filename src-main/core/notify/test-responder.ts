import type { NotifyReportInput, NotifyRequestView } from '../../../src-shared/api/notify.ts';
import type { NotifierHost } from '../../../src-shared/model/notice-test.ts';
import { isoTime } from '../../../src-shared/time.ts';
import type { HubCalls } from '../ports/hub-calls.ts';
import type { NoticeAct, Notifier } from '../ports/notifier.ts';
import type { Clock, Disposable, Log } from '../ports/world.ts';
import type { NoticeDesk } from './notice-desk.ts';
import { wordsOf } from './notice-text.ts';
import type { Writing } from './words.ts';

const ANSWER = 'answer';
const LONGEST_DETAIL = 500;
const LONGEST_ANSWER = 2000;

export interface TestResponder extends Disposable {
  /** @returns whether the act was one on a notification of the self-test, and so nobody else's */
  heard(act: NoticeAct): boolean;
}

/**
 * The side of whoever raises notifications: takes the hub's requests to raise one, and reports what became of it.
 * Quiet hours and switches do not hold it back: a person has just asked for it.
 */
export function createTestResponder(deps: {
  readonly hub: HubCalls;
  readonly desk: NoticeDesk;
  readonly notifier: Notifier;
  readonly host: NotifierHost;
  readonly clock: Clock;
  readonly log: Log;
  /** Up to date with what a person prefers. */
  writing(): Promise<Writing>;
}): TestResponder {
  const { hub, desk, clock } = deps;
  /** Key of the notification → id of the request. */
  const questions = new Map<string, string>();

  const report = (id: string, event: NotifyReportInput['event']): Promise<unknown> =>
    hub.mutate('notify.report', { id, event });

  async function raise({ id, kind }: NotifyRequestView): Promise<void> {
    const words = wordsOf(await deps.writing()).test;
    const isQuestion = kind === 'question';
    const result = await desk.tryTell({
      title: words.title,
      body: isQuestion ? words.question : words.body,
      target: { kind: 'inbox' },
      // It stays until it is clicked.
      urgency: isQuestion ? 'critical' : 'normal',
      buttons: isQuestion ? [{ id: ANSWER, label: words.answer }] : [],
      onKey: (key) => {
        if (isQuestion) questions.set(key, id);
      },
    });
    if (result.kind === 'not-shown') {
      await report(id, {
        kind: 'not-shown',
        reason: result.reason,
        detail: result.detail.slice(0, LONGEST_DETAIL),
      });
      return;
    }
    const { click } = await deps.notifier.abilities();
    const { by, isConfirmed: confirmed } = result;
    if (by === null) {
      await report(id, { kind: 'not-shown', reason: 'no-answer', detail: '' });
      return;
    }
    await report(id, { kind: 'shown', by, confirmed, clickable: click });
  }

  async function take(request: NotifyRequestView): Promise<void> {
    if (request.kind !== 'withdraw') {
      await raise(request);
      return;
    }
    for (const [key, id] of questions) {
      if (id !== request.id) continue;
      questions.delete(key);
      await desk.withdraw(key);
    }
  }

  async function acted(id: string, act: Exclude<NoticeAct, { kind: 'closed' }>): Promise<void> {
    const at = isoTime(clock.now());
    const words = wordsOf(await deps.writing()).test;
    const text = act.kind === 'reply' ? act.text.trim() : '';
    const answer = (text === '' ? words.answer : text).slice(0, LONGEST_ANSWER);
    await report(id, { kind: 'acted', answer, at });
  }

  const logged = (work: Promise<void>): void =>
    void work.catch((error: unknown) =>
      deps.log.warn('a test of notifications broke', { error: String(error) }),
    );

  const subscription = hub.subscribe(
    'notify.requests',
    { host: deps.host },
    { onEvent: (request) => logged(take(request)) },
  );
  return {
    heard: (act) => {
      const id = questions.get(act.key);
      if (id === undefined) return false;
      if (act.kind !== 'closed') logged(acted(id, act));
      return true;
    },
    dispose: () => subscription.dispose(),
  };
}
