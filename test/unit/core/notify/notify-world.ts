import type { Calls, SubscriptionName } from '../../../../src-shared/api/calls.ts';
import type { ChangeView, HubStatusView } from '../../../../src-shared/api/hub.ts';
import type { NotifyRequestView } from '../../../../src-shared/api/notify.ts';
import type { ItemView } from '../../../../src-shared/api/item.ts';
import { AppError } from '../../../../src-shared/errors.ts';
import type { NoticeRecord, NoticeTarget } from '../../../../src-main/core/notify/notice-records.ts';
import { createNotifyService, type NotifyState } from '../../../../src-main/core/notify/notify-service.ts';
import { DEFAULT_PREFERENCES, type NotifyPreferences } from '../../../../src-main/core/notify/preferences.ts';
import type { EventHandlers, HubCalls } from '../../../../src-main/core/ports/hub-calls.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { FakeNotifier } from '../../../support/fake-notifier.ts';
import { START } from './items.ts';

/** What the fake hub answers; a test changes it and says that it did. */
export interface HubFacts {
  items: Map<number, ItemView>;
  tasks: Map<string, object>;
  killed: NonNullable<HubStatusView['killed']> | null;
  holds: HubStatusView['holds'];
  receipt: object | null;
  refusal: AppError | null;
}

export function notifyWorld(saved: readonly NoticeRecord[] = []) {
  const clock = new FakeClock(START);
  const notifier = new FakeNotifier();
  const facts: HubFacts = {
    items: new Map(),
    tasks: new Map(),
    killed: null,
    holds: [],
    receipt: null,
    refusal: null,
  };
  const decided: unknown[] = [];
  const opened: NoticeTarget[] = [];
  const states: NotifyState[] = [];
  const records = { saved: [...saved] };
  const preferences: { now: NotifyPreferences } = { now: DEFAULT_PREFERENCES };
  const shown = { item: null as number | null };
  let feed: EventHandlers<ChangeView> | null = null;
  let requests: EventHandlers<NotifyRequestView> | null = null;

  const find = <T>(found: T | undefined): T => {
    if (found === undefined) throw new AppError('not-found', 'There is none.');
    return found;
  };
  const answers: Record<string, (input: never) => unknown> = {
    'inbox.list': () => [...facts.items.values()].filter((item) => item.state === 'open'),
    'inbox.show': ({ item }: { item: number }) => find(facts.items.get(item)),
    'task.show': ({ task }: { task: string }) => find(facts.tasks.get(task)),
    'hub.status': () => ({ running: true, killed: facts.killed, holds: facts.holds }),
    'ledger.list': () => (facts.receipt === null ? [] : [{ data: facts.receipt }]),
  };
  const hub: HubCalls = {
    query: (name, input) =>
      Promise.resolve().then(() => {
        const answer = answers[name];
        if (answer === undefined) throw new AppError('not-found', `The fake hub knows no ${name}.`);
        return answer(input as never) as never;
      }),
    mutate: (name, input) =>
      Promise.resolve().then(() => {
        if (facts.refusal !== null) throw facts.refusal;
        decided.push([name, input]);
        return {} as never;
      }),
    subscribe: <Name extends SubscriptionName>(
      name: Name,
      _input: Calls[Name]['input'],
      handlers: EventHandlers<Calls[Name]['output']>,
    ) => {
      if (name === 'notify.requests') {
        requests = handlers;
        return { dispose: () => (requests = null) };
      }
      feed = handlers;
      feed.onStart?.();
      return { dispose: () => (feed = null) };
    },
  };
  let keys = 0;
  const service = createNotifyService({
    hub,
    notifier,
    host: 'desktop',
    locale: 'en-GB',
    records: { load: () => saved, save: (all) => (records.saved = [...all]) },
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    hash: (text) => `hash of ${text}`,
    newKey: () => `key-${(keys += 1)}`,
    preferences: () => Promise.resolve(preferences.now),
    open: (target) => opened.push(target),
    isShown: (item) => shown.item === item,
    onState: (state) => states.push(state),
  });

  /** Lets what came together be looked at, and everything that follows happen. */
  const settle = async (ms = 400): Promise<void> => {
    await clock.advanceAsync(ms, 100);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const put = (item: ItemView): void => {
    facts.items.set(item.number, item);
    feed?.onEvent({ kind: 'item', number: item.number });
  };
  return {
    clock,
    notifier,
    facts,
    decided,
    opened,
    states,
    records,
    preferences,
    shown,
    service,
    settle,
    put,
    change: (change: ChangeView) => feed?.onEvent(change),
    request: (request: NotifyRequestView) => requests?.onEvent(request),
    raise: async (...items: readonly ItemView[]) => {
      for (const item of items) put(item);
      await settle();
    },
    start: async () => {
      service.start();
      await settle();
    },
  };
}
