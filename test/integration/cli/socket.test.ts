import { request } from 'node:http';
import net from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeView } from '../../../src-shared/api/hub.ts';
import { readHubRecord } from '../../../src-main/adapters/hub-lock/hub-record.ts';
import { connectLocally } from '../../../src-main/adapters/local-socket/client.ts';
import type { AppRouter } from '../../../src-main/api/router.ts';
import { RelayWorld, SCRIPTED_CLAUDE } from '../../support/relay-world.ts';
import { waitUntil } from '../../support/wait-until.ts';

async function hubWorld() {
  const world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  const hub = await world.startHub();
  return {
    world,
    hub,
    socket: readHubRecord(world.data)?.socket ?? '',
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** One request; the status and whole body, or null when the hub closed the connection. */
const ask = (
  socketPath: string,
  path: string,
  body?: string | Buffer,
): Promise<{ readonly status: number; readonly body: string } | null> =>
  new Promise((resolve) => {
    const call = request(
      {
        socketPath,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
        response.on('error', () => resolve(null));
      },
    );
    call.on('error', () => resolve(null));
    call.end(body);
  });

/** Writes bytes and waits for the other side to hang up, or for an answer. */
const pour = (path: string, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = net.connect(path, () => socket.end(bytes));
    socket.on('data', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });

describe('the socket of a hub', () => {
  test('answers every malformed call with a typed error, and goes on', async () => {
    await using one = await hubWorld();
    const calls: readonly (readonly [string, string | undefined])[] = [
      ['/none.such', undefined],
      ['/../etc/passwd', undefined],
      ['/task.show', undefined],
      ['/task.show?input=%7B', undefined],
      ['/task.show?input=%7B%22task%22%3A-1%7D', undefined],
      ['/task.add', '{'],
      ['/task.add', 'null'],
      ['/task.add', '[]'],
      ['/task.add', '{"project":{"$ne":1},"title":1}'],
      ['/hub.status', '{}'],
      ['/inbox.answer', '{"item":1,"reply":{"kind":"else"}}'],
      ['/project.add', '{"path":"/","settings":{"__proto__":{"x":1},"zzz":1}}'],
    ];
    for (const [path, body] of calls) {
      const answer = await ask(one.socket, path, body);
      const parsed = JSON.parse(answer?.body ?? '{}') as { error?: { data?: { wire?: { code: string } } } };
      expect([path, body, parsed.error?.data?.wire?.code]).toEqual([
        path,
        body,
        expect.stringMatching(/^(usage|not-found)$/),
      ]);
      expect(answer?.body).not.toMatch(/\n? {4}at |node_modules/);
    }
    expect(await one.world.status()).toMatchObject({ running: true, pid: one.hub.pid });
  });

  test('refuses a body that no text could fill, and goes on', async () => {
    await using one = await hubWorld();
    const answer = await ask(one.socket, '/task.add', Buffer.alloc(100 * 1024 * 1024, 'a'));
    expect(answer === null || answer.status >= 400).toBe(true);
    expect(await one.world.status()).toMatchObject({ running: true, pid: one.hub.pid });
  });

  test('survives bytes that are no HTTP', async () => {
    await using one = await hubWorld();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .uint8Array({ maxLength: 100 })
        .map((tail) =>
          Buffer.concat([
            Buffer.from(
              'GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nHost: x\r\n\r\n',
            ),
            tail,
          ]),
        ),
    );
    await fc.assert(
      fc.asyncProperty(bytes, (each) => pour(one.socket, Buffer.from(each))),
      { numRuns: 60 },
    );
    expect(await one.world.status()).toMatchObject({ running: true, pid: one.hub.pid });
  });

  test('tells a client what changes, as it happens', async () => {
    await using one = await hubWorld();
    await one.world.addProject('shop', { flags: ['--slots', '0'] });
    const caller = { name: 'test', via: 'cli', isAgent: false };
    const connection = await connectLocally<AppRouter>({ path: one.socket, caller, subscriptions: true });
    const seen: ChangeView[] = [];
    let isStarted = false;
    const subscription = connection.client.hub.changes.subscribe(undefined, {
      onStarted: () => {
        isStarted = true;
      },
      onData: ({ data }) => seen.push(data),
    });
    await waitUntil('the subscription started', () => isStarted);
    await one.world.addTask('shop', 'Sum', 'Add.');
    await waitUntil('the change came', () => seen.some((change) => change.kind === 'task'));
    subscription.unsubscribe();
    await connection.close();
  });
});
