import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Access } from './access.ts';
import {
  LINK_INVALID,
  NOT_FROM_HERE,
  NOT_READABLE,
  sendError,
  sendJson,
  TOO_MANY_ATTEMPTS,
  WINDOW_UNKNOWN,
} from './answers.ts';
import { cookieHeader, cookieIn, isJson, isOurOrigin } from './request-checks.ts';

/** The one call that the window makes before its WebSocket. */
export const LONGEST_BODY = 4096;
/** The window's key in a request header; a foreign page cannot set it without being asked first. */
export const KEY_HEADER = 'x-signalbox-key';

const SessionInput = z.object({ token: z.string().min(1).max(200) });

/** Null when it is too long; its rest is not read. */
function bodyOf(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LONGEST_BODY) chunks.push(chunk);
      else resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}

function tokenIn(body: string): string | null {
  try {
    const parsed = SessionInput.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data.token : null;
  } catch {
    return null;
  }
}

/** `POST /session {token}`: a one-time token for a cookie and, in the body, a key. */
async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  port: number,
): Promise<void> {
  if (!isOurOrigin(request.headers.origin, port)) return sendError(response, 403, NOT_FROM_HERE);
  if (!isJson(request.headers['content-type'])) return sendError(response, 415, NOT_READABLE);
  const body = await bodyOf(request);
  if (body === null) return sendError(response, 413, NOT_READABLE);
  const token = tokenIn(body);
  if (token === null) return sendError(response, 400, NOT_READABLE);
  const result = access.exchange(token);
  switch (result.kind) {
    case 'admitted':
      response.setHeader('set-cookie', cookieHeader(port, result.secrets.cookie));
      return sendJson(response, 200, { key: result.secrets.key });
    case 'wrong':
      return sendError(response, 401, LINK_INVALID);
    case 'too-many':
      return sendError(response, 429, TOO_MANY_ATTEMPTS);
  }
}

/** `GET /session` with the key: 204 when the WebSocket would let this window in, else 401. */
function check(request: IncomingMessage, response: ServerResponse, access: Access, port: number): void {
  const key = request.headers[KEY_HEADER];
  const isKnown = typeof key === 'string' && access.opens(cookieIn(request.headers.cookie, port), key);
  if (isKnown) response.writeHead(204, { 'cache-control': 'no-store' }).end();
  else sendError(response, 401, WINDOW_UNKNOWN);
}

/** Answers `/session`. */
export async function answerSession(
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  port: number,
): Promise<void> {
  if (request.method === 'POST') return exchange(request, response, access, port);
  if (request.method === 'GET') return check(request, response, access, port);
  response.setHeader('allow', 'GET, POST');
  return sendError(response, 405, NOT_READABLE);
}
