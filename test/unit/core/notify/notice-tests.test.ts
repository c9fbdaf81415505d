import { describe, expect, test } from 'vitest';
import type { NotifyReportInput, NotifyRequestView } from '../../../../src-shared/api/notify.ts';
import type { NotifierHost, NotShownReason } from '../../../../src-shared/model/notice-test.ts';
import { millis, seconds } from '../../../../src-shared/time.ts';
import {
  createNoticeTests,
  noticeRequests,
  testNotification,
} from '../../../../src-main/core/notify/notice-tests.ts';
import { runSelfTest, type ScriptedAgent } from '../../../../src-main/core/notify/self-test.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { START } from './items.ts';

type Event = NotifyReportInput['event'];
const SHOWN: Event = { kind: 'shown', by: 'dbus', confirmed: true, clickable: true };

function world(noneBecause: NotShownReason = 'nobody') {
  const clock = new FakeClock(START);
  let keys = 0;
  const tests = createNoticeTests({
    clock,
    newKey: () => `id-${(keys += 1)}`,
    noneBecause: () => noneBecause,
  });
  const requests: (NotifyRequestView & { readonly host: NotifierHost })[] = [];
  const host = (name: NotifierHost, answer: (request: NotifyRequestView) => Event | null = () => null) =>
    tests.serve(name, (request) => {
      requests.push({ ...request, host: name });
      const event = answer(request);
      if (event !== null) tests.report({ id: request.id, event });
    });
  return { clock, tests, requests, host };
}

describe('a test notification', () => {
  test('is raised by the desktop application where it is there, and says what showed it', async () => {
    const { tests, requests, host } = world();
    host('desktop', () => SHOWN);
    host('hub', () => SHOWN);
    expect(await testNotification(tests)).toEqual({
      shown: true,
      host: 'desktop',
      by: 'dbus',
      confirmed: true,
      clickable: true,
      reason: null,
      message: 'Shown by the notification service on the session bus.',
      detail: null,
      tookMs: 0,
    });
    expect(requests.map(({ host: by, kind }) => [by, kind])).toEqual([['desktop', 'test']]);
  });

  test('does not claim more than the service says', async () => {
    const { tests, host } = world();
    host('hub', () => ({ kind: 'shown', by: 'text', confirmed: false, clickable: false }));
    const { confirmed, clickable, message } = await testNotification(tests);
    expect([confirmed, clickable, message]).toEqual([
      false,
      false,
      'Handed to a plain text notification, which did not say whether it is shown.',
    ]);
  });

  test.each(['off', 'no-desktop', 'nobody'] as const)('says that nobody raises any: %s', async (reason) => {
    const { tests } = world(reason);
    expect(await testNotification(tests)).toMatchObject({ shown: false, host: null, by: null, reason });
  });

  test.each(['no-daemon', 'not-allowed', 'failed'] as const)(
    'says why it was not shown: %s',
    async (reason) => {
      const { tests, host } = world();
      host('hub', () => ({ kind: 'not-shown', reason, detail: 'its own words' }));
      expect(await testNotification(tests)).toMatchObject({
        shown: false,
        host: 'hub',
        reason,
        detail: 'its own words',
      });
    },
  );

  test('ends when nobody answers, and what comes later is nobody’s', async () => {
    const { clock, tests, requests, host } = world();
    host('hub');
    const tested = testNotification(tests);
    clock.advance(millis(20_000));
    expect(await tested).toMatchObject({ shown: false, reason: 'no-answer', tookMs: 20_000 });
    expect([tests.report({ id: requests[0]?.id ?? '', event: SHOWN }), clock.pending]).toEqual([false, 0]);
  });

  test('is not asked of a host that is gone', async () => {
    const { tests, requests, host } = world();
    host('desktop', () => SHOWN).dispose();
    host('hub', () => SHOWN);
    expect([(await testNotification(tests)).host, requests.length]).toEqual(['hub', 1]);
  });
});

test('the requests of a host are a feed that ends with its connection', async () => {
  const { tests } = world();
  const end = new AbortController();
  const feed = noticeRequests(tests, 'hub', end.signal);
  const first = feed.next();
  const asked = tests.ask('question');
  expect((await first).value).toEqual({ id: 'id-1', kind: 'question' });
  asked.dispose();
  expect((await feed.next()).value).toEqual({ id: 'id-1', kind: 'withdraw' });
  const rest = feed.next();
  end.abort();
  expect([(await rest).done, await testNotification(tests)]).toMatchObject([true, { reason: 'nobody' }]);
});

describe('the self-test', () => {
  /** An agent that takes a while for each of its parts. */
  const agentOf = (clock: FakeClock, over: Partial<ScriptedAgent> = {}) => {
    const heard: string[] = [];
    let isEnded = false;
    const agent: ScriptedAgent = {
      ask: () => {
        clock.advance(300);
        return Promise.resolve();
      },
      answer: (text) => {
        clock.advance(400);
        heard.push(text);
        return Promise.resolve();
      },
      end: () => {
        isEnded = true;
        return Promise.resolve();
      },
      ...over,
    };
    return { agent, heard, ended: () => isEnded };
  };
  const at = (clock: FakeClock): string => new Date(clock.now()).toISOString();

  test('times each link from the agent to a person and back', async () => {
    const { clock, tests, requests, host } = world();
    const { agent, heard, ended } = agentOf(clock);
    host('desktop', ({ id, kind }) => {
      if (kind !== 'question') return null;
      clock.advance(20);
      setImmediate(() => {
        clock.advance(2000);
        const clicked = at(clock);
        clock.advance(5);
        tests.report({ id, event: { kind: 'acted', answer: 'It does', at: clicked } });
      });
      return SHOWN;
    });
    const result = await runSelfTest({ clock, tests, startAgent: () => agent }, seconds(30));
    const { links } = result;
    expect([result.ok, result.brokenAt, result.notification?.by, heard, ended()]).toEqual([
      true,
      null,
      'dbus',
      ['It does'],
      true,
    ]);
    expect(links).toEqual([
      { link: 'agentToHub', ms: 300 },
      { link: 'hubToNotification', ms: 20 },
      { link: 'notificationToClick', ms: 2000 },
      { link: 'clickToAnswer', ms: 5 },
      { link: 'answerToAgent', ms: 400 },
    ]);
    expect([requests.at(-1)?.kind, clock.pending]).toEqual(['withdraw', 0]);
  });

  test('says that it was shown and nobody clicked', async () => {
    const { clock, tests, requests, host } = world();
    const { agent, heard, ended } = agentOf(clock);
    host('hub', ({ kind }) => (kind === 'question' ? SHOWN : null));
    const running = runSelfTest({ clock, tests, startAgent: () => agent }, seconds(30));
    await clock.advanceAsync(31_000, 1000);
    const { ok, brokenAt, message, links, notification } = await running;
    expect([ok, brokenAt, message, notification?.shown]).toEqual([
      false,
      'notificationToClick',
      'It was shown, and no click came in time.',
      true,
    ]);
    expect([links.slice(2).every(({ ms }) => ms === null), heard, ended(), requests.at(-1)?.kind]).toEqual([
      true,
      [],
      true,
      'withdraw',
    ]);
  });

  test.each([
    [{ kind: 'not-shown', reason: 'no-daemon', detail: '' } as const, 'No notification service runs'],
    [{ kind: 'shown', by: 'text', confirmed: true, clickable: false } as const, 'It brings no click back'],
  ])('ends at a notification that cannot be clicked: %j', async (event, said) => {
    const { clock, tests, host } = world();
    const { agent, ended } = agentOf(clock);
    host('hub', ({ kind }) => (kind === 'question' ? event : null));
    const result = await runSelfTest({ clock, tests, startAgent: () => agent }, seconds(30));
    expect([result.brokenAt, result.message.includes(said), ended()]).toEqual([
      'hubToNotification',
      true,
      true,
    ]);
  });

  test('says what an agent says that cannot start, and raises nothing', async () => {
    const { clock, tests, requests, host } = world();
    host('hub', () => SHOWN);
    const { agent, ended } = agentOf(clock, {
      ask: () => Promise.reject(new Error('The kill switch is engaged.')),
    });
    const result = await runSelfTest({ clock, tests, startAgent: () => agent }, seconds(30));
    expect([result.brokenAt, result.message, result.notification, requests, ended()]).toEqual([
      'agentToHub',
      'The kill switch is engaged.',
      null,
      [],
      true,
    ]);
  });

  test('does not wait for ever for an agent that says nothing', async () => {
    const { clock, tests } = world();
    const { agent } = agentOf(clock, { ask: () => new Promise(() => undefined) });
    const running = runSelfTest({ clock, tests, startAgent: () => agent }, seconds(30));
    await clock.advanceAsync(21_000, 1000);
    expect((await running).message).toBe('The scripted agent asked nothing in time.');
  });
});
