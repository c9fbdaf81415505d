import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  type AnyTRPCRouter,
  type inferRouterContext,
} from '@trpc/server';
import type { Log } from '../../core/ports/world.ts';
import { callerOf, type Caller } from './caller.ts';

/** Far above the longest text a person may send (`LONGEST_TEXT`), JSON escapes included. */
export const LONGEST_BODY = 16 * 1024 * 1024;

const TYPES = { GET: 'query', POST: 'mutation' } as const;

export interface CallHandlerOptions<R extends AnyTRPCRouter> {
  /** Without a transformer: what goes over the socket is plain JSON. */
  readonly router: R;
  readonly contextOf: (caller: Caller) => inferRouterContext<R>;
  readonly log: Log;
}

interface Call {
  readonly type: (typeof TYPES)[keyof typeof TYPES];
  readonly path: string;
  /** Read when the procedure asks for it: who may not call sends no 16 MB first. */
  readonly getRawInput: () => Promise<unknown>;
}

/** @throws TRPCError for whatever is no call */
function callIn(request: IncomingMessage): Call {
  const type = TYPES[request.method as keyof typeof TYPES];
  if (type === undefined) throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' });
  const url = URL.parse(request.url ?? '', 'http://signalbox/');
  if (url === null || url.searchParams.has('batch')) throw new TRPCError({ code: 'BAD_REQUEST' });
  const [mediaType] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type === 'mutation' && mediaType?.trim() !== 'application/json') {
    throw new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  }
  return {
    type,
    path: url.pathname.replace(/^\/|\/$/g, ''),
    getRawInput: async () =>
      parsed(type === 'query' ? (url.searchParams.get('input') ?? '') : await bodyOf(request)),
  };
}

/** An input that is left out is sent as no text. */
function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TRPCError({ code: 'PARSE_ERROR', cause });
  }
}

/** What is too long is not kept; its sender gets the answer at once, and the rest of it is passed over. */
function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LONGEST_BODY) chunks.push(chunk);
      else {
        chunks = [];
        reject(new TRPCError({ code: 'PAYLOAD_TOO_LARGE' }));
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', (cause) => reject(new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', cause })));
  });
}

/** Resolves with the status and the body, whatever the call does. */
async function answerTo<R extends AnyTRPCRouter>(
  request: IncomingMessage,
  { router, contextOf, log }: CallHandlerOptions<R>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string }> {
  let call: Call | undefined;
  let ctx: inferRouterContext<R> | undefined;
  try {
    call = callIn(request);
    ctx = contextOf(callerOf(request));
    const data: unknown = await callTRPCProcedure({ router, ctx, signal, batchIndex: 0, ...call });
    return { status: 200, body: JSON.stringify({ result: { data } }) };
  } catch (thrown) {
    // Whatever a procedure throws comes as a TRPCError, and is the router's to log.
    if (!(thrown instanceof TRPCError)) log.error('a call could not be answered', { error: String(thrown) });
    const shape = getTRPCErrorShape({
      config: router._def._config,
      error: getTRPCErrorFromUnknown(thrown),
      type: call?.type ?? 'unknown',
      path: call?.path,
      input: undefined,
      ctx,
    }) as { readonly data: { readonly httpStatus: number } };
    return { status: shape.data.httpStatus, body: JSON.stringify({ error: shape }) };
  }
}

/**
 * Answers one call per request, as tRPC's `httpLink` asks: GET is a query with its input in `?input=`, POST a mutation
 * with its input as body, both JSON; the answer is `{ result: { data } }` or `{ error }`. tRPC's own adapter builds on
 * the `Request` and `Headers` of undici, which take Node longer to load than the hub to open its store.
 */
export function createCallHandler<R extends AnyTRPCRouter>(options: CallHandlerOptions<R>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    void answerTo(request, options, gone.signal).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  };
}
