import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { addUsage } from './billing.ts';
import { readConversation } from './conversation.ts';
import { message, NO_USAGE, say, textBlock, type MessageReply, type Reply, type Usage } from './replies.ts';
import { cwdOf, scenarioOf, type Script, type ScriptedRequest } from './script.ts';
import { renderBlocks, renderEnd, renderMessage, renderStreamError, type Frame } from './sse.ts';

/** One request to `/v1/messages` and what became of it. */
export interface LoggedRequest extends ScriptedRequest {
  /** From 1, in order of arrival over the whole server. */
  readonly number: number;
  readonly scenario: string | null;
  /** `performance.timeOrigin + performance.now()` when the request's head had come, in ms. */
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** What was answered; null while a script or its gate has not decided. */
  readonly reply: Reply | null;
  readonly state: 'open' | 'answered' | 'cut-by-client';
  /**
   * Tokens that the API would bill: the input once an answer begins, the output as far as it was sent. Errors
   * and connections cut by the server are not billed.
   */
  readonly billed: Usage;
}

export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Requests to `/v1/messages` in order. Live: their state changes. */
  readonly requests: readonly LoggedRequest[];
  /** Everything else that was asked, as `METHOD /path`. */
  readonly otherRequests: readonly string[];
  /** Sets the script of a scenario; `null` is for requests without a known scenario. */
  script(key: string | null, script: Script): void;
  requestsOf(key: string): readonly LoggedRequest[];
  billedTo(filter: { readonly scenario?: string; readonly sessionId?: string }): Usage;
  /** Resolves with the request as soon as one fits; looks at those that came before, too. */
  waitFor(fits: (request: LoggedRequest) => boolean, what: string): Promise<LoggedRequest>;
  close(): Promise<void>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
const WAIT_LIMIT_MS = 60_000;

class Answerer {
  readonly #response: ServerResponse;
  readonly #entry: Mutable<LoggedRequest>;

  constructor(response: ServerResponse, entry: Mutable<LoggedRequest>) {
    this.#response = response;
    this.#entry = entry;
  }

  async answer(reply: Reply): Promise<void> {
    if ('before' in reply && reply.before !== undefined) await this.#unlessCut(reply.before.arrive());
    if (this.#isCut) return;
    switch (reply.kind) {
      case 'error':
        return this.#json(reply.status, errorJson(reply.type, reply.message), reply.headers);
      case 'drop':
        if (reply.when === 'in-the-stream') await this.#begin(message([textBlock('half of an')]));
        this.#response.destroy();
        return;
      case 'error-in-stream':
        await this.#begin(message([textBlock('half of an')]));
        this.#response.end(renderStreamError(reply.type, reply.message));
        return;
      case 'message':
        return this.#entry.isStreaming ? this.#stream(reply) : this.#whole(reply);
    }
  }

  #json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.#response.writeHead(status, { 'content-type': 'application/json', ...this.#ids(), ...headers });
    this.#response.end(JSON.stringify(body));
  }

  async #begin(reply: MessageReply): Promise<void> {
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      ...this.#ids(),
      ...reply.headers,
    });
    for (const frame of renderBlocks(reply, this.#id, this.#entry.model)) await this.#write(frame);
  }

  async #stream(reply: MessageReply): Promise<void> {
    this.#entry.billed = { ...reply.usage, outputTokens: 0 };
    await this.#begin(reply);
    if (reply.beforeEnd !== undefined) await this.#unlessCut(reply.beforeEnd.arrive());
    for (const frame of renderEnd(reply)) await this.#write(frame);
    this.#response.end();
  }

  async #whole(reply: MessageReply): Promise<void> {
    this.#entry.billed = reply.usage;
    if (reply.beforeEnd !== undefined) await this.#unlessCut(reply.beforeEnd.arrive());
    if (!this.#isCut) this.#json(200, renderMessage(reply, this.#id, this.#entry.model), reply.headers);
  }

  async #write(frame: Frame): Promise<void> {
    if (this.#isCut) return;
    if (this.#entry.billed !== NO_USAGE)
      this.#entry.billed = { ...this.#entry.billed, outputTokens: frame.outputTokens };
    if (!this.#response.write(frame.text))
      await this.#unlessCut(new Promise((resolve) => this.#response.once('drain', resolve)));
  }

  async #unlessCut(wait: Promise<unknown>): Promise<void> {
    if (this.#isCut) return;
    const cut = Promise.withResolvers<void>();
    this.#response.once('close', cut.resolve);
    await Promise.race([wait, cut.promise]);
    this.#response.off('close', cut.resolve);
  }

  get #isCut(): boolean {
    return this.#response.destroyed || this.#response.closed;
  }

  get #id(): string {
    return String(this.#entry.number).padStart(6, '0');
  }

  #ids(): Record<string, string> {
    return { 'request-id': `req_${this.#id}` };
  }
}

const errorJson = (type: string, text: string) => ({ type: 'error', error: { type, message: text } });

/**
 * A Messages API on loopback whose answers are written by tests: `POST /v1/messages` (streaming or not) and
 * `POST /v1/messages/count_tokens`. Anything else is answered 404 and noted. There are no timers in it: an
 * answer that must wait passes a gate.
 */
export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string | null, Script>([[null, () => say('There is no script for this.')]]);
  const requests: Mutable<LoggedRequest>[] = [];
  const otherRequests: string[] = [];
  const watchers = new Set<() => void>();
  const notify = () => watchers.forEach((watch) => watch());

  async function messages(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = performance.timeOrigin + performance.now();
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const body: unknown = JSON.parse(await readText(request));
    const conversation = readConversation(body, headers);
    const scenario = scenarioOf(conversation);
    const isSame = (other: LoggedRequest) =>
      other.scenario === scenario && other.sessionId === conversation.sessionId;
    const entry: Mutable<LoggedRequest> = {
      ...conversation,
      number: requests.length + 1,
      scenario,
      receivedAt,
      headers,
      body,
      cwd: cwdOf(conversation),
      earlier: requests.filter(isSame).length,
      reply: null,
      state: 'open',
      billed: NO_USAGE,
    };
    requests.push(entry);
    notify();
    response.once('close', () => {
      entry.state = response.writableFinished ? 'answered' : 'cut-by-client';
      notify();
    });
    const script = scripts.get(scenario) ?? scripts.get(null);
    if (script === undefined) throw new Error('unreachable: a fallback script always exists');
    const reply = await script(entry);
    entry.reply = reply;
    notify();
    await new Answerer(response, entry).answer(reply);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${request.method} ${(request.url ?? '').replace(/\?.*$/, '')}`;
    if (route === 'POST /v1/messages') return messages(request, response);
    otherRequests.push(route);
    const body = await readText(request);
    if (route === 'POST /v1/messages/count_tokens') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ input_tokens: Math.ceil(body.length / 4) }));
      return;
    }
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(
      request.method === 'HEAD' ? undefined : JSON.stringify(errorJson('not_found_error', 'Not found')),
    );
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A fault of the script: say so where the test will see it, in the CLI's error text.
      if (response.headersSent) return response.destroy();
      response.writeHead(400, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify(errorJson('invalid_request_error', `script failed: ${String(error)}`)),
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    otherRequests,
    script: (key, script) => void scripts.set(key, script),
    requestsOf: (key) => requests.filter((request) => request.scenario === key),
    billedTo: ({ scenario, sessionId }) =>
      addUsage(
        ...requests
          .filter((request) => scenario === undefined || request.scenario === scenario)
          .filter((request) => sessionId === undefined || request.sessionId === sessionId)
          .map((request) => request.billed),
      ),
    waitFor: (fits, what) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`No request came: ${what}. Seen: ${JSON.stringify(requests.map(briefly))}`));
        }, WAIT_LIMIT_MS);
        const look = () => {
          const found = requests.find(fits);
          if (found === undefined) return;
          clearTimeout(timer);
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const briefly = (request: LoggedRequest) => ({
  number: request.number,
  scenario: request.scenario,
  state: request.state,
  last: request.lastUserText.slice(-120),
});
