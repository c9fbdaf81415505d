import { callErrorFrom, CallError, createConnection, type Transport } from './transport.ts';
import { untracked } from './socket-transport.ts';

type Wire = { readonly code: string; readonly message: string; readonly hint?: string };
/** Errors cross the bridge as data: an Error that crosses Electron's context bridge keeps its message alone. */
export type BridgeAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Wire };
export type BridgeEvent =
  | { readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: Wire }
  | { readonly kind: 'connection'; readonly state: 'open' | 'lost' };

/** What the preload exposes as `window.signalbox`; nothing else crosses. */
export interface Bridge {
  call(kind: 'query' | 'mutation', name: string, input: unknown): Promise<BridgeAnswer>;
  /** @returns what ends it */
  subscribe(name: string, input: unknown, listener: (event: BridgeEvent) => void): () => void;
}

const errorFrom = (wire: Wire): CallError => new CallError(wire.code, wire.message, wire.hint ?? null);

/** The window's way to the hub in Electron. */
export function createBridgeTransport(bridge: Bridge): Transport {
  const connection = createConnection();
  connection.become('open');
  const call = async (kind: 'query' | 'mutation', name: string, input: unknown): Promise<never> => {
    const answer = await bridge.call(kind, name, input).catch((error: unknown) => {
      throw callErrorFrom(error);
    });
    if (!answer.ok) throw errorFrom(answer.error);
    return answer.value as never;
  };
  return {
    query: (name, input) => call('query', name, input),
    mutate: (name, input) => call('mutation', name, input),
    subscribe: (name, input, { onData, onError }) =>
      bridge.subscribe(name, input, (event) => {
        if (event.kind === 'data') onData(untracked(event.value) as never);
        else if (event.kind === 'error') onError(errorFrom(event.error));
        else connection.become(event.state);
      }),
    connection,
    tryNow: () => undefined,
    canKillAlone: true,
  };
}
