/** How a test speaks to the stand-in, over the IPC channel of the forked application. */

export type Handler = (...args: never[]) => unknown;
const handlers = new Map<string, Handler>();

/** What a test may ask of the application's process. */
export function offer(name: string, handler: Handler): void {
  handlers.set(name, handler);
}

/** Tells the test that something happened. */
export function tell(event: string, data: unknown = null): void {
  process.send?.({ event, data });
}

interface Ask {
  readonly ask: number;
  readonly name: string;
  readonly args: never[];
}

process.on('message', (message: Ask) => {
  void (async () => {
    try {
      const handler = handlers.get(message.name);
      if (handler === undefined) throw new Error(`The stand-in offers no ${message.name}.`);
      process.send?.({ answer: message.ask, value: (await handler(...message.args)) ?? null });
    } catch (error) {
      process.send?.({ answer: message.ask, error: error instanceof Error ? error.stack : String(error) });
    }
  })();
});
