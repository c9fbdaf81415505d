import type { ServerResponse } from 'node:http';
import type { WireError } from '../../../src-shared/errors.ts';

/** What the host says without a page: one JSON value, never stored. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(value));
}

export const sendError = (response: ServerResponse, status: number, error: WireError): void =>
  sendJson(response, status, { error });

/** For what only a person who typed an address, or a program, sees. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${text}\n`);
}

export const LINK_INVALID: WireError = {
  code: 'link-invalid',
  message: 'This link was opened before, or it is too old.',
  hint: 'Get a new one in a terminal: signalbox serve --link',
};
export const WINDOW_UNKNOWN: WireError = {
  code: 'window-unknown',
  message: 'This browser is not let in, or Signalbox was started again since.',
  hint: 'Get a new link in a terminal: signalbox serve --link',
};
export const TOO_MANY_ATTEMPTS: WireError = {
  code: 'too-many-attempts',
  message: 'Too many wrong links were tried.',
  hint: 'Wait a minute, then open a new link: signalbox serve --link',
};
export const NOT_READABLE: WireError = { code: 'usage', message: 'The request could not be read.' };
export const NOT_FROM_HERE: WireError = { code: 'usage', message: 'The request is not from this window.' };
