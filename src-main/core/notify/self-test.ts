import type { NotifySelfTestView, NotifyTestView, SelfTestLink } from '../../../src-shared/api/notify.ts';
import { seconds, type Millis } from '../../../src-shared/time.ts';
import type { Clock, Disposable } from '../ports/world.ts';
import type { NoticeTests } from './notice-tests.ts';

/** An agent that follows a script, started as every agent is: it asks one question, and goes on with the answer. */
export interface ScriptedAgent {
  /** Resolves once its question is here. Rejects with what went wrong. */
  ask(): Promise<void>;
  /** Resumes it with the answer. Resolves once it has taken it. */
  answer(text: string): Promise<void>;
  /** Leaves neither process nor file. */
  end(): Promise<void>;
}

export interface SelfTestDeps {
  readonly clock: Clock;
  readonly tests: NoticeTests;
  startAgent(): ScriptedAgent;
}

const AGENT_WITHIN = seconds(20);
const LINKS: readonly SelfTestLink[] = [
  'agentToHub',
  'hubToNotification',
  'notificationToClick',
  'clickToAnswer',
  'answerToAgent',
];

/** Breaks a link; the message says what was not there. */
class Broken extends Error {}

/**
 * Lets a scripted agent ask, shows its question as a notification, waits for a person's click and hands the answer back
 * to the agent. Nothing of it is a task: neither inbox nor ledger knows of it.
 */
export async function runSelfTest(deps: SelfTestDeps, clickWithin: Millis): Promise<NotifySelfTestView> {
  const { clock } = deps;
  const took = new Map<SelfTestLink, number>();
  let notification: NotifyTestView | null = null;
  let current: SelfTestLink = 'agentToHub';

  async function timed<T>(link: SelfTestLink, step: () => Promise<T>): Promise<T> {
    current = link;
    const from = clock.monotonic();
    const result = await step();
    took.set(link, Math.round(clock.monotonic() - from));
    return result;
  }
  const inTime = <T>(work: Promise<T>, message: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = clock.after(AGENT_WITHIN, () => reject(new Broken(message)));
      work.then(resolve, reject).finally(() => timer.dispose());
    });
  const view = (brokenAt: SelfTestLink | null, message: string): NotifySelfTestView => ({
    ok: brokenAt === null,
    links: LINKS.map((link) => ({ link, ms: took.get(link) ?? null })),
    brokenAt,
    message,
    notification,
  });

  const agent = deps.startAgent();
  const owned: Disposable[] = [];
  try {
    await timed('agentToHub', () => inTime(agent.ask(), 'The scripted agent asked nothing in time.'));
    const asked = await timed('hubToNotification', async () => {
      const each = deps.tests.ask('question');
      owned.push(each);
      notification = await each.shown;
      if (!notification.shown) throw new Broken(notification.message);
      if (!notification.clickable) {
        throw new Broken(`${notification.message} It brings no click back: answer in the window.`);
      }
      return each;
    });
    current = 'notificationToClick';
    const shownAt = clock.now();
    const act = await asked.acted(clickWithin);
    if (act === null) throw new Broken('It was shown, and no click came in time.');
    // The host says when the click came: what is left of the time is the answer's way to the hub.
    const clickedAt = Math.min(clock.now(), Math.max(shownAt, Date.parse(act.at)));
    took.set('notificationToClick', clickedAt - shownAt);
    took.set('clickToAnswer', clock.now() - clickedAt);
    await timed('answerToAgent', () =>
      inTime(agent.answer(act.answer), 'The agent did not take the answer in time.'),
    );
    return view(null, 'The question went the whole way to you and back to the agent.');
  } catch (error) {
    return view(current, error instanceof Error ? error.message : String(error));
  } finally {
    for (const each of owned) each.dispose();
    await agent.end();
  }
}
