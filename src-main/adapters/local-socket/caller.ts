import type { IncomingMessage } from 'node:http';

/** What a client says of itself in headers. The socket's mode decides who may speak at all. */
export interface Caller {
  readonly name: string;
  readonly via: string;
  readonly isAgent: boolean;
}

export const CALLER_HEADERS = {
  name: 'x-signalbox-name',
  via: 'x-signalbox-via',
  agent: 'x-signalbox-agent',
} as const;

const header = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
};

const decoded = (text: string | null): string => {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    return '';
  }
};

export const callerOf = (request: IncomingMessage): Caller => ({
  name: decoded(header(request, CALLER_HEADERS.name)),
  via: header(request, CALLER_HEADERS.via) ?? '',
  isAgent: header(request, CALLER_HEADERS.agent) !== null,
});

/** What {@link callerOf} reads. */
export const headersOf = (caller: Caller): Record<string, string> => ({
  [CALLER_HEADERS.name]: encodeURIComponent(caller.name),
  [CALLER_HEADERS.via]: caller.via,
  ...(caller.isAgent ? { [CALLER_HEADERS.agent]: '1' } : {}),
});
