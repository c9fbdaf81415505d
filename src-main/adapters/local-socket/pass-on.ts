import net from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { seconds } from '../../../src-shared/time.ts';
import { LONGEST_BODY } from './call-handler.ts';
import { headersOf, type Caller } from './caller.ts';

/** A hub that runs answers at once; one that hangs is not waited for by a window. */
const CONNECTS_WITHIN = seconds(10);
/** What may wait for a window that does not read, before it is cut: it comes back and goes on where it was. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** WebSocket close code for "try again later". */
const TRY_AGAIN = 1013;

/**
 * Passes a client's messages on to the hub that listens at `path`, and its answers back, as they are: calls,
 * subscriptions, cursors and error codes are the hub's. Ends with whichever side ends first; a client whose hub has
 * gone is told to try again. The client's messages are taken from this turn on.
 */
export function passOnToHub(client: WebSocket, path: string, caller: Caller): void {
  const hub = new WebSocket('ws://signalbox/', {
    headers: headersOf(caller),
    createConnection: () => net.connect(path),
    perMessageDeflate: false,
    handshakeTimeout: CONNECTS_WITHIN,
    maxPayload: 0,
  });
  const early: { readonly data: RawData; readonly binary: boolean }[] = [];
  let earlyBytes = 0;
  client.on('message', (data: Buffer, binary) => {
    if (hub.readyState === WebSocket.OPEN) {
      hub.send(data, { binary });
      return;
    }
    earlyBytes += data.length;
    if (earlyBytes > LONGEST_BODY) client.terminate();
    else early.push({ data, binary });
  });
  hub.on('open', () => {
    for (const { data, binary } of early.splice(0)) hub.send(data as Buffer, { binary });
  });
  hub.on('message', (data: Buffer, binary) => {
    if (client.bufferedAmount > MOST_UNREAD_BYTES) client.terminate();
    else if (client.readyState === WebSocket.OPEN) client.send(data, { binary });
  });
  client.on('error', () => client.terminate());
  hub.on('error', () => hub.terminate());
  client.once('close', () => hub.close());
  hub.once('close', () => client.close(TRY_AGAIN, 'the hub has gone'));
}
