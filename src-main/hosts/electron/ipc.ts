import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import { INTERNAL, isAppError, toWireError } from '../../../src-shared/errors.ts';
import type { HubCalls } from '../../core/ports/hub-calls.ts';
import type { Disposable, Log } from '../../core/ports/world.ts';
import {
  CallMessage,
  CHANNEL,
  SubscribeMessage,
  UnsubscribeMessage,
  type CallAnswer,
  type FeedEvent,
} from './ipc-messages.ts';
import { maySpeak } from './window-policy.ts';

export interface IpcDeps {
  readonly ipc: IpcMain;
  readonly hub: HubCalls;
  readonly log: Log;
  isOurWindow(contents: WebContents): boolean;
}

export interface Ipc extends Disposable {
  /** Tells every page whether the hub answers. */
  connection(state: 'open' | 'lost'): void;
  /** Ends the subscriptions of a page that is gone or loads anew. */
  forget(contents: WebContents): void;
}

/** A page has some ten; more is a fault in it. */
const MOST_SUBSCRIPTIONS = 200;
const NOT_UNDERSTOOD = { code: 'usage', message: 'The window sent what is not a call.' } as const;
const REFUSED = { code: 'usage', message: 'Only the window of Signalbox may call.' } as const;

/**
 * The window's calls, from our preload to the hub. Who speaks is checked before anything is read of what is said; what
 * may be said is the router's business.
 */
export function createIpc(deps: IpcDeps): Ipc {
  const { ipc, hub, log } = deps;
  const feeds = new Map<WebContents, Map<number, Disposable>>();

  /** To be asked at once: the frame is gone after the first wait. */
  function isAllowed(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
    const frame = event.senderFrame;
    const facts = frame === null ? null : { url: frame.url, isTop: frame.parent === null };
    const isFine = maySpeak(facts, deps.isOurWindow(event.sender));
    if (!isFine) log.warn('a message that is not from our window was refused', {});
    return isFine;
  }

  const wireOf = (error: unknown): { code: string; message: string; hint?: string } => {
    if (isAppError(error)) return toWireError(error);
    log.error('a call of the window broke', { error: String(error) });
    return INTERNAL;
  };

  async function answer(message: unknown): Promise<CallAnswer> {
    const call = CallMessage.safeParse(message);
    if (!call.success) return { ok: false, error: NOT_UNDERSTOOD };
    const { kind, name, input } = call.data;
    try {
      // The names are checked by the router, which answers for those that are none.
      const value = await (kind === 'query'
        ? hub.query(name as never, input as never)
        : hub.mutate(name as never, input as never));
      return { ok: true, value };
    } catch (error) {
      return { ok: false, error: wireOf(error) };
    }
  }

  function send(contents: WebContents, id: number, event: FeedEvent): void {
    if (!contents.isDestroyed()) contents.send(CHANNEL.event, id, event);
  }

  function subscribe(contents: WebContents, message: unknown): void {
    const wanted = SubscribeMessage.safeParse(message);
    if (!wanted.success) return;
    const { id, name, input } = wanted.data;
    const feed = feeds.get(contents) ?? new Map<number, Disposable>();
    feeds.set(contents, feed);
    if (feed.has(id) || feed.size >= MOST_SUBSCRIPTIONS) return;
    const subscription = hub.subscribe(name as never, input as never, {
      onEvent: (value) => send(contents, id, { kind: 'data', value }),
      onError: (error) => send(contents, id, { kind: 'error', error: wireOf(error) }),
    });
    feed.set(id, subscription);
  }

  function forget(contents: WebContents): void {
    for (const subscription of feeds.get(contents)?.values() ?? []) subscription.dispose();
    feeds.delete(contents);
  }

  ipc.handle(CHANNEL.call, (event, message: unknown): Promise<CallAnswer> =>
    isAllowed(event) ? answer(message) : Promise.resolve({ ok: false, error: REFUSED }),
  );
  ipc.on(CHANNEL.subscribe, (event, message: unknown) => {
    if (isAllowed(event)) subscribe(event.sender, message);
  });
  ipc.on(CHANNEL.unsubscribe, (event, message: unknown) => {
    if (!isAllowed(event)) return;
    const { data } = UnsubscribeMessage.safeParse(message);
    const feed = feeds.get(event.sender);
    if (data === undefined) return;
    feed?.get(data.id)?.dispose();
    feed?.delete(data.id);
  });

  return {
    connection: (state) => {
      for (const [contents, feed] of feeds) {
        for (const id of feed.keys()) send(contents, id, { kind: 'connection', state });
      }
    },
    forget,
    dispose: () => {
      ipc.removeHandler(CHANNEL.call);
      ipc.removeAllListeners(CHANNEL.subscribe);
      ipc.removeAllListeners(CHANNEL.unsubscribe);
      for (const contents of [...feeds.keys()]) forget(contents);
    },
  };
}
