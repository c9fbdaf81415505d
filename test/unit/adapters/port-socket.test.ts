import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { initTRPC, tracked, TRPCError } from '@trpc/server';
import { getWSConnectionHandler } from '@trpc/server/adapters/ws';
import { afterEach, describe, expect, test } from 'vitest';
import { AppError, toWireError } from '../../../src-shared/errors.ts';
import { connectByPort, type PortCalls } from '../../../src-main/adapters/hub-calls.ts';
import { PortServerSocket, type MessagePortLike } from '../../../src-main/adapters/port-socket.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Node's ports hand over the message itself where Electron's hand over an event. */
const likeElectron = (port: MessagePort): MessagePortLike => ({
  postMessage: (message) => port.postMessage(message),
  on: (event: 'message' | 'close', listener: (event: { data: unknown }) => void) =>
    port.on(event, (data: unknown) => listener({ data })),
  start: () => port.start(),
  close: () => port.close(),
});

const t = initTRPC.create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: {
      ...shape.data,
      wire: error.cause instanceof AppError ? toWireError(error.cause) : undefined,
    },
  }),
});

/** A hub that counts, and sees from which number a subscription goes on. */
function hubWorld() {
  const asked: (string | null | undefined)[] = [];
  const servers: PortServerSocket[] = [];
  const ports: MessagePort[] = [];
  let isUp = true;
  const router = t.router({
    hub: t.router({
      ping: t.procedure.query(() => ({ pid: 7, version: '1' })),
      pause: t.procedure.mutation(() => {
        throw new TRPCError({ code: 'CONFLICT', cause: new AppError('killed', 'It is killed.') });
      }),
      changes: t.procedure
        .input((input) => input as { lastEventId?: string } | undefined)
        .subscription(async function* ({ input, signal }) {
          asked.push(input?.lastEventId);
          const from = Number(input?.lastEventId ?? 0);
          for (let number = from + 1; number <= from + 3; number += 1) {
            yield tracked(String(number), { kind: 'item', number });
          }
          await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
        }),
    }),
  });
  const accept = getWSConnectionHandler({ router } as never);
  const openPort = (): MessagePortLike | null => {
    if (!isUp) return null;
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    const socket = new PortServerSocket(likeElectron(port2));
    servers.push(socket);
    accept(socket as never, { url: '/', headers: {} } as never);
    socket.start();
    return likeElectron(port1);
  };
  return {
    asked,
    servers,
    openPort,
    setUp: (next: boolean) => (isUp = next),
    end: () => ports.forEach((port) => port.close()),
  };
}

let world: ReturnType<typeof hubWorld>;
let calls: PortCalls;
const open = (onConnection?: (isOpen: boolean) => void): void => {
  world = hubWorld();
  calls = connectByPort(world.openPort, onConnection);
};
afterEach(async () => {
  await calls.close();
  world.end();
});

describe('calls over a message port', () => {
  test('are answered', async () => {
    open();
    expect(await calls.query('hub.ping', undefined)).toEqual({ pid: 7, version: '1' });
  });

  test('reject with the error that the router threw', async () => {
    open();
    await expect(calls.mutate('hub.pause', {})).rejects.toMatchObject({
      name: 'AppError',
      code: 'killed',
      message: 'It is killed.',
    });
  });

  test('a subscription goes on from its last event on the next port, without loss or doubles', async () => {
    const seen: unknown[] = [];
    const states: boolean[] = [];
    open((isOpen) => states.push(isOpen));
    const subscription = calls.subscribe('hub.changes', undefined, {
      onEvent: (event) => seen.push('number' in event ? event.number : event),
    });
    await waitUntil('three events came', () => seen.length === 3);
    world.servers[0]?.close();
    await waitUntil('three more came', () => seen.length === 6);
    subscription.dispose();
    expect([seen, world.asked, states]).toEqual([
      [1, 2, 3, 4, 5, 6],
      [undefined, '3'],
      [true, false, true],
    ]);
  });

  test('a hub that is away is waited for', async () => {
    world = hubWorld();
    world.setUp(false);
    calls = connectByPort(world.openPort);
    const answer = calls.query('hub.ping', undefined);
    world.setUp(true);
    expect(await answer).toEqual({ pid: 7, version: '1' });
  });

  test('what is no text is passed over', async () => {
    open();
    await calls.query('hub.ping', undefined);
    world.servers[0]?.emit('message', Buffer.from('{"broken'), false);
    expect(await calls.query('hub.ping', undefined)).toEqual({ pid: 7, version: '1' });
  });
});
