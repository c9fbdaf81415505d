import net from 'node:net';
import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src-shared/time.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { ask, openSocket, pour, startWebWorld, WHO } from './web-world.ts';

type World = Awaited<ReturnType<typeof startWebWorld>>;

/** A person's browser gets in and is answered: whatever was tried before, the service is up. */
async function expectAlive(world: World): Promise<void> {
  const { cookie, first } = await world.enter();
  const end = await openSocket(
    world.port,
    { origin: world.origin, cookie },
    [first, WHO],
    (seen) => seen.length > 0,
  );
  expect(JSON.parse(end.messages[0] ?? '{}')).toMatchObject({ id: 1, result: { data: 'ada via web' } });
}

describe('the files', () => {
  test('carry headers that let the page load and reach its own host only', async () => {
    await using world = await startWebWorld();
    const page = await ask(world.port, { headers: { host: world.host } });
    expect(page?.status).toBe(200);
    expect(page?.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining(
        "default-src 'none'; script-src 'self'; style-src 'self';",
      ),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(String(page?.headers['content-security-policy'])).not.toMatch(/unsafe|\*/);
    const asset = await ask(world.port, { path: '/assets/index-abc.js', headers: { host: world.host } });
    expect(asset?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    await expectAlive(world);
  });

  test('outside the folder are out of reach', async () => {
    await using world = await startWebWorld();
    for (const path of [
      '/../secret',
      '/..%2fsecret',
      '/%2e%2e/secret',
      '/assets/..%5c..%5csecret',
      '/\0',
      '//etc/passwd',
    ]) {
      const answer = await ask(world.port, {
        path: encodeURI(path) === path ? path : encodeURI(path),
        headers: { host: world.host },
      });
      expect([path, answer?.status, answer?.body.includes('outside')]).toEqual([
        path,
        expect.toSatisfy((status) => [400, 404].includes(status as number)),
        false,
      ]);
    }
    await expectAlive(world);
  });
});

describe('a foreign page', () => {
  test.each(['localhost:PORT', 'evil.example:PORT', '127.0.0.1', '[::1]:PORT'])(
    'whose name was made to lead here (%s) gets nothing',
    async (name) => {
      await using world = await startWebWorld();
      const host = name.replace('PORT', String(world.port));
      const { cookie, first } = await world.enter();
      const refused = [
        await ask(world.port, { headers: { host } }),
        await world.session(world.access.issueToken(), { host, origin: `http://${host}` }),
      ];
      expect(refused.map((answer) => answer?.status)).toEqual([421, 421]);
      const end = await openSocket(world.port, { host, origin: `http://${host}`, cookie }, [first, WHO]);
      expect(end).toEqual({ status: 421, messages: [] });
      await expectAlive(world);
    },
  );

  test.each([undefined, 'null', 'http://evil.example', 'http://127.0.0.1:1', 'http://localhost:PORT'])(
    'of the origin %s cannot use a token, nor open a WebSocket',
    async (name) => {
      await using world = await startWebWorld();
      const origin = name?.replace('PORT', String(world.port));
      const token = world.access.issueToken();
      const headers = { host: world.host, 'content-type': 'application/json' };
      const answer = await ask(world.port, {
        method: 'POST',
        path: '/session',
        headers: origin === undefined ? headers : { ...headers, origin },
        body: JSON.stringify({ token }),
      });
      expect([answer?.status, answer?.headers['set-cookie']]).toEqual([403, undefined]);
      const { cookie, first } = await world.enter();
      const end = await openSocket(world.port, origin === undefined ? { cookie } : { origin, cookie }, [
        first,
        WHO,
      ]);
      expect(end).toEqual({ status: 403, messages: [] });
      // The token was not used up by it.
      expect((await world.session(token))?.status).toBe(200);
      await expectAlive(world);
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'cannot send a form (%s) as a session',
    async (type) => {
      await using world = await startWebWorld();
      const answer = await world.session(world.access.issueToken(), { 'content-type': type });
      expect([answer?.status, answer?.headers['set-cookie']]).toEqual([415, undefined]);
      await expectAlive(world);
    },
  );

  test('is never allowed to read an answer across origins', async () => {
    await using world = await startWebWorld();
    const preflight = await ask(world.port, {
      method: 'OPTIONS',
      path: '/session',
      headers: { host: world.host, origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    const allowed = Object.keys(preflight?.headers ?? {}).filter((name) =>
      name.startsWith('access-control-'),
    );
    expect([preflight?.status, allowed]).toEqual([405, []]);
    await expectAlive(world);
  });
});

describe('a token', () => {
  test('opens once; a wrong, missing or used one opens nothing, and says how to get another', async () => {
    await using world = await startWebWorld();
    const token = world.access.issueToken();
    const first = await world.session(token);
    const again = await world.session(token);
    const wrong = await world.session('x');
    const missing = await world.session('');
    expect([first, again, wrong, missing].map((answer) => answer?.status)).toEqual([200, 401, 401, 400]);
    expect(JSON.parse(again?.body ?? '')).toMatchObject({
      error: { code: 'link-invalid', hint: expect.stringContaining('signalbox serve --link') },
    });
    expect(String(first?.headers['set-cookie'])).toMatch(
      new RegExp(`^signalbox-${world.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=\\d+$`),
    );
    await expectAlive(world);
  });

  test('cannot be guessed at for long', async () => {
    await using world = await startWebWorld();
    const statuses: (number | undefined)[] = [];
    for (let guess = 0; guess < 12; guess += 1)
      statuses.push((await world.session(`guess ${guess}`))?.status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    // Who is in already is not locked out by it.
    expect((await ask(world.port, { headers: { host: world.host } }))?.status).toBe(200);
  });
});

describe('a WebSocket', () => {
  test('without the cookie, or with one of another port or browser, is refused', async () => {
    await using world = await startWebWorld();
    const { cookie, first } = await world.enter();
    const value = cookie.split('=')[1] ?? '';
    const cookies = [
      null,
      `signalbox-${world.port}=x`,
      `signalbox-${world.port + 1}=${value}`,
      `signalbox=${value}`,
      `${cookie}; ${cookie}`,
    ];
    for (const each of cookies) {
      const headers = each === null ? { origin: world.origin } : { origin: world.origin, cookie: each };
      expect([each, await openSocket(world.port, headers, [first, WHO])]).toEqual([
        each,
        { status: 401, messages: [] },
      ]);
    }
    await expectAlive(world);
  });

  test('with the cookie alone, as a server on another port of this machine gets it, opens nothing', async () => {
    await using world = await startWebWorld();
    const { cookie } = await world.enter();
    const other = await world.enter();
    const firsts = [
      WHO,
      '{',
      'null',
      '[]',
      JSON.stringify({ method: 'connectionParams', data: null }),
      JSON.stringify({ method: 'connectionParams', data: { key: '' } }),
      JSON.stringify({ method: 'connectionParams', data: { key: 'x' } }),
      JSON.stringify({ method: 'connectionParams', data: { key: cookie.split('=')[1] } }),
      other.first,
      'PING',
      Buffer.from(other.first),
      'x'.repeat(100_000),
    ];
    for (const first of firsts) {
      for (const path of ['/api', '/api?connectionParams=1']) {
        const end = await openSocket(
          world.port,
          { origin: world.origin, cookie },
          [first, WHO],
          undefined,
          path,
        );
        expect([first.toString().slice(0, 40), end]).toEqual([
          first.toString().slice(0, 40),
          { code: 4401, messages: [] },
        ]);
      }
    }
    const key = { host: world.host, cookie };
    expect((await ask(world.port, { path: '/session', headers: key }))?.status).toBe(401);
    await expectAlive(world);
  });

  test('that says nothing is closed', async () => {
    const clock = new FakeClock();
    await using world = await startWebWorld({ clock });
    const { cookie } = await world.enter();
    const end = openSocket(world.port, { origin: world.origin, cookie });
    await waitUntil('the host waits for a key', () => clock.pending > 0);
    clock.advance(seconds(5));
    expect(await end).toEqual({ code: 4401, messages: [] });
    await expectAlive(world);
  });

  test('somewhere else than at /api is refused', async () => {
    await using world = await startWebWorld();
    const { cookie, first } = await world.enter();
    for (const path of ['/', '/session', '/api/', '/apix']) {
      const end = await openSocket(world.port, { origin: world.origin, cookie }, [first], undefined, path);
      expect([path, end]).toEqual([path, { status: 404, messages: [] }]);
    }
    await expectAlive(world);
  });

  test('with a message that is too large, or no message at all, is closed and the others are not', async () => {
    await using world = await startWebWorld();
    const { cookie, first } = await world.enter();
    const headers = { origin: world.origin, cookie };
    const end = await openSocket(world.port, headers, [first, Buffer.alloc(17 * 1024 * 1024, 'a')]);
    expect(end.code).toBe(1009);
    const garbage = [
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x81, 0x05, 1, 2, 3]),
      Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
      randomBytes(200),
    ];
    for (const bytes of garbage) {
      const upgrade =
        `GET /api HTTP/1.1\r\nHost: ${world.host}\r\nOrigin: ${world.origin}\r\nCookie: ${cookie}\r\n` +
        'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
      await pour(world.port, Buffer.concat([Buffer.from(upgrade), bytes]));
    }
    await expectAlive(world);
  });

  test('that lives is told that the key is known, and calls go on after a wrong message', async () => {
    await using world = await startWebWorld();
    const { cookie, key, first } = await world.enter();
    const check = await ask(world.port, {
      path: '/session',
      headers: { host: world.host, cookie, 'x-signalbox-key': key },
    });
    expect(check?.status).toBe(204);
    const end = await openSocket(
      world.port,
      { origin: world.origin, cookie },
      [first, '{"id":', '[{}]', '{"id":1,"method":"query","params":{"path":"no.such"}}', WHO],
      (seen) => seen.some((message) => message.includes('ada via web')),
    );
    expect(end.messages.every((message) => !/\bat .*:\d+:\d+|node_modules/.test(message))).toBe(true);
  });
});

describe('the service stays up after', () => {
  test('a body of 100 MB, whatever its path and however it is sent', async () => {
    await using world = await startWebWorld();
    const body = Buffer.alloc(100 * 1024 * 1024, 'a');
    const headers = { host: world.host, origin: world.origin, 'content-type': 'application/json' };
    for (const path of ['/session', '/', '/api']) {
      for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
        const answer = await ask(world.port, {
          method: 'POST',
          path,
          headers: { ...headers, ...more },
          body,
        });
        expect(answer === null || answer.status >= 400).toBe(true);
      }
    }
    await expectAlive(world);
  });

  test('requests of other protocols, and bytes that are none', async () => {
    await using world = await startWebWorld();
    const { host } = world;
    const texts = [
      'EHLO evil.example\r\n',
      'SSH-2.0-x\r\n',
      '*1\r\n$4\r\nPING\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      `GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
      `POST /session HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /session HTTP/1.1\r\nHost: ${host}\r\nContent-Length: -1\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      `GET /api HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      `GET /api HTTP/1.1\r\nHost: ${host}\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n`,
    ];
    for (const text of texts) {
      const answer = await pour(world.port, Buffer.from(text, 'latin1'));
      expect([text, answer.split('\r\n')[0]]).toEqual([text, expect.not.stringMatching(/ [123]\d\d /)]);
    }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        await pour(world.port, Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\n\r\n')]));
      }),
      { numRuns: 50 },
    );
    await expectAlive(world);
  });

  test('clients that send their request one byte at a time are cut, and others are served meanwhile', async () => {
    const patience = {
      headersTimeout: millis(1000),
      requestTimeout: millis(1500),
      connectionsCheckingInterval: millis(200),
    };
    await using world = await startWebWorld({ patience });
    const slow = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = net.connect(world.port, '127.0.0.1');
        const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
        socket.on('error', () => undefined);
        socket.on('data', () => undefined);
        await new Promise<void>((resolve) => socket.write('GET / HTTP/1.1\r\nHost: ', () => resolve()));
        const drip = setInterval(() => socket.write('a'), 100);
        return { cut: closed.finally(() => clearInterval(drip)) };
      }),
    );
    await expectAlive(world);
    await Promise.all(slow.map(({ cut }) => cut));
    await expectAlive(world);
  });

  test('more connections than it takes, once they are gone', async () => {
    await using world = await startWebWorld();
    const sockets = Array.from({ length: 300 }, () => {
      const socket = net.connect(world.port, '127.0.0.1');
      socket.on('error', () => undefined);
      return socket;
    });
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once('connect', () => resolve());
            socket.once('close', () => resolve());
          }),
      ),
    );
    for (const socket of sockets) socket.destroy();
    await waitUntil(
      'it answers again',
      async () => (await ask(world.port, { headers: { host: world.host } })) !== null,
    );
    await expectAlive(world);
  });
});

test('it listens at no address of the network', async () => {
  await using world = await startWebWorld();
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
  const isOpen = (address: string) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(world.port, address, () => resolve(true));
      socket.on('connect', () => socket.destroy());
      socket.on('error', () => resolve(false));
    });
  expect(await Promise.all([...addresses, '127.0.0.2', '::1'].map(isOpen))).toEqual(
    [...addresses, '127.0.0.2', '::1'].map(() => false),
  );
});
