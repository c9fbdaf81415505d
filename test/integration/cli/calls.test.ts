import { request } from 'node:http';
import { initTRPC } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../../../src-main/adapters/local-socket/caller.ts';
import { connectLocally } from '../../../src-main/adapters/local-socket/client.ts';
import { listenLocally } from '../../../src-main/adapters/local-socket/server.ts';
import type { Log } from '../../../src-main/core/ports/world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** Messages of errors. */
const logged: string[] = [];
const log: Log = { info: () => undefined, warn: () => undefined, error: (message) => logged.push(message) };

const t = initTRPC.context<{ readonly caller: Caller }>().create({ isDev: false });
const router = t.router({
  echo: t.procedure.input(z.object({ text: z.string() })).query(({ input }) => input.text),
  store: t.procedure.input(z.object({ text: z.string() })).mutation(({ input }) => input.text.length),
  who: t.procedure.query(({ ctx }) => ctx.caller),
  nothing: t.procedure.mutation(() => undefined),
  unprintable: t.procedure.query(() => 1n),
});

async function served() {
  const folder = makeTempFolder('calls');
  const path = folder.join('socket');
  const server = await listenLocally({ path, router, contextOf: (caller) => ({ caller }), log });
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      folder.dispose();
    },
  };
}

interface Ask {
  readonly method?: string;
  readonly body?: string;
  readonly type?: string;
}

const ask = (
  socketPath: string,
  path: string,
  { method = 'GET', body, type = 'application/json' }: Ask = {},
) =>
  new Promise<{ readonly status: number; readonly body: unknown }>((resolve, reject) => {
    const call = request({ socketPath, path, method, headers: { 'content-type': type } }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
      });
    });
    call.on('error', reject);
    call.end(body);
  });

describe('calls over the socket', () => {
  test('are answered to the client of tRPC', async () => {
    await using server = await served();
    const caller: Caller = { name: 'Zoë & co', via: 'cli', isAgent: true };
    const { client, close } = await connectLocally<typeof router>({ path: server.path, caller });
    const text = 'ä?&=\u0000 "quoted"';
    expect([
      await client.echo.query({ text }),
      await client.store.mutate({ text: 'x'.repeat(3_000_000) }),
      await client.who.query(),
      await client.nothing.mutate(),
    ]).toEqual([text, 3_000_000, caller, undefined]);
    await close();
  });

  test('have the envelope of tRPC, whether they succeed or fail', async () => {
    await using server = await served();
    expect(await ask(server.path, '/echo?input=%7B%22text%22%3A%22hi%22%7D')).toEqual({
      status: 200,
      body: { result: { data: 'hi' } },
    });
    expect(await ask(server.path, '/none')).toMatchObject({
      status: 404,
      body: { error: { code: -32004, data: { code: 'NOT_FOUND', httpStatus: 404, path: 'none' } } },
    });
  });

  test.each<[string, string, Ask, number]>([
    ['a method that is neither', '/echo', { method: 'DELETE' }, 405],
    ['a mutation asked as a query', '/store', {}, 404],
    ['a query asked as a mutation', '/echo', { method: 'POST', body: '{}' }, 404],
    ['a form', '/store', { method: 'POST', body: 'text=1', type: 'application/x-www-form-urlencoded' }, 415],
    ['a batch', '/echo,who?batch=1&input=%7B%7D', {}, 400],
    ['an input that is no JSON', '/echo?input=%7B', {}, 400],
    ['a body that is no JSON', '/store', { method: 'POST', body: '{' }, 400],
    ['a name of the language', '/__proto__', {}, 404],
    ['an address that is none', '//', {}, 400],
    ['a body that is too long', '/store', { method: 'POST', body: `"${'x'.repeat(17 * 1024 * 1024)}"` }, 413],
  ])('are refused for %s', async (_what, path, options, status) => {
    await using server = await served();
    expect(await ask(server.path, path, options)).toMatchObject({
      status,
      body: { error: { data: { httpStatus: status } } },
    });
  });

  test('that succeed with what is no JSON fail, and the log has it', async () => {
    await using server = await served();
    logged.length = 0;
    expect(await ask(server.path, '/unprintable')).toMatchObject({ status: 500 });
    expect(logged).toEqual(['a call could not be answered']);
  });
});
