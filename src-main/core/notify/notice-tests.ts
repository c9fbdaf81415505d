import type { NotifyReportInput, NotifyRequestView, NotifyTestView } from '../../../src-shared/api/notify.ts';
import type { NotifierHost, NotShownReason } from '../../../src-shared/model/notice-test.ts';
import { seconds, type Millis } from '../../../src-shared/time.ts';
import type { Clock, Disposable, StopSignal } from '../ports/world.ts';

/** Above what all backends together may take before they give up. */
const SHOWN_WITHIN = seconds(20);
/** Requests that a host has not taken yet; more are of nobody who reads. */
const MOST_REQUESTS = 20;

type Event = NotifyReportInput['event'];
type Act = Extract<Event, { kind: 'acted' }>;

/** A request to show something, as long as its answers are of interest. */
export interface Asked extends Disposable {
  /** What became of it; in time in any case. */
  readonly shown: Promise<NotifyTestView>;
  /** What a person did with it, and when; null when nothing came in time. */
  acted(within: Millis): Promise<Act | null>;
}

/**
 * Where the hub asks whoever raises notifications to raise one, and hears what became of it. The desktop application
 * raises them where it is there, else the hub itself; both are clients that follow the requests.
 */
export interface NoticeTests {
  /** A host takes requests until it is disposed. */
  serve(host: NotifierHost, take: (request: NotifyRequestView) => void): Disposable;
  /** @returns whether somebody waits for it */
  report(report: NotifyReportInput): boolean;
  ask(kind: 'test' | 'question'): Asked;
}

export interface NoticeTestsDeps {
  readonly clock: Clock;
  newKey(): string;
  /** Why nobody may be there: switched off, no desktop, or not yet. */
  noneBecause(): NotShownReason;
}

const BY: Readonly<Record<NonNullable<NotifyTestView['by']>, string>> = {
  dbus: 'the notification service on the session bus',
  electron: "the desktop application's own notifications",
  text: 'a plain text notification',
};

const REASONS: Readonly<Record<NotShownReason, string>> = {
  off: 'Notifications are switched off: SIGNALBOX_NOTIFICATIONS=off is set for the hub.',
  'no-desktop': 'The hub runs without a desktop: there is no session bus to show notifications on.',
  'no-daemon': 'No notification service runs on this desktop.',
  'not-allowed': 'The system does not let Signalbox show notifications. Allow them in its settings.',
  nobody: 'Nobody raises notifications now: no hub runs, or it has only just started.',
  'no-answer': 'The notification service did not answer in time.',
  failed: 'The notification could not be shown.',
};

/** What is said of an unshown one; `tookMs` counts from the request. */
const notShown = (
  host: NotifierHost | null,
  reason: NotShownReason,
  detail: string | null,
  tookMs: number,
): NotifyTestView => ({
  shown: false,
  host,
  by: null,
  confirmed: false,
  clickable: false,
  reason,
  message: REASONS[reason],
  detail,
  tookMs,
});

function viewOf(
  host: NotifierHost,
  event: Exclude<Event, { kind: 'acted' }>,
  tookMs: number,
): NotifyTestView {
  if (event.kind === 'not-shown') {
    return notShown(host, event.reason, event.detail === '' ? null : event.detail, tookMs);
  }
  const { by, confirmed, clickable } = event;
  return {
    shown: true,
    host,
    by,
    confirmed,
    clickable,
    reason: null,
    message: confirmed
      ? `Shown by ${BY[by]}.`
      : `Handed to ${BY[by]}, which did not say whether it is shown.`,
    detail: null,
    tookMs,
  };
}

export function createNoticeTests(deps: NoticeTestsDeps): NoticeTests {
  const { clock } = deps;
  const servers: { readonly host: NotifierHost; take(request: NotifyRequestView): void }[] = [];
  const waiting = new Map<string, (event: Event) => void>();

  function ask(kind: 'test' | 'question'): Asked {
    const server = servers.findLast((each) => each.host === 'desktop') ?? servers.at(-1);
    const startedAt = clock.monotonic();
    const took = (): number => Math.round(clock.monotonic() - startedAt);
    if (server === undefined) {
      return {
        shown: Promise.resolve(notShown(null, deps.noneBecause(), null, 0)),
        acted: () => Promise.resolve(null),
        dispose: () => undefined,
      };
    }
    const id = deps.newKey();
    const shown = Promise.withResolvers<NotifyTestView>();
    const acted = Promise.withResolvers<Act>();
    const timer = clock.after(SHOWN_WITHIN, () =>
      shown.resolve(notShown(server.host, 'no-answer', null, took())),
    );
    waiting.set(id, (event) => {
      if (event.kind === 'acted') acted.resolve(event);
      else {
        timer.dispose();
        shown.resolve(viewOf(server.host, event, took()));
      }
    });
    server.take({ id, kind });
    return {
      shown: shown.promise,
      acted: (within) =>
        new Promise((resolve) => {
          const tooLate = clock.after(within, () => resolve(null));
          void acted.promise.then((act) => {
            tooLate.dispose();
            resolve(act);
          });
        }),
      dispose: () => {
        timer.dispose();
        waiting.delete(id);
        if (kind === 'question') server.take({ id, kind: 'withdraw' });
      },
    };
  }

  return {
    ask,
    serve: (host, take) => {
      const server = { host, take };
      servers.push(server);
      return {
        dispose: () => {
          const at = servers.indexOf(server);
          if (at !== -1) servers.splice(at, 1);
        },
      };
    },
    report: ({ id, event }) => {
      const heard = waiting.get(id);
      heard?.(event);
      return heard !== undefined;
    },
  };
}

/** Raises one and says what happened. */
export async function testNotification(tests: NoticeTests): Promise<NotifyTestView> {
  const asked = tests.ask('test');
  try {
    return await asked.shown;
  } finally {
    asked.dispose();
  }
}

/** The requests of a host as a feed that ends with its signal. */
export async function* noticeRequests(
  tests: NoticeTests,
  host: NotifierHost,
  signal: StopSignal,
): AsyncGenerator<NotifyRequestView> {
  const requests: NotifyRequestView[] = [];
  let wake = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => wake.resolve());
  const server = tests.serve(host, (request) => {
    if (requests.length < MOST_REQUESTS) requests.push(request);
    wake.resolve();
  });
  try {
    while (!signal.aborted) {
      yield* requests.splice(0);
      await wake.promise;
      wake = Promise.withResolvers<void>();
    }
  } finally {
    server.dispose();
  }
}
