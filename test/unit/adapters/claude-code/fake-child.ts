import { PassThrough } from 'node:stream';
import type { EndReceipt, Log, Processes } from '../../../../src-main/core/ports/world.ts';
import type {
  ChildEnding,
  OwnedChild,
  WriteOutcome,
} from '../../../../src-main/adapters/process/spawn-owned.ts';

/** A child that does what the test says. It closes as the real one does: after its pipes were read. */
export class FakeChild implements OwnedChild {
  readonly kind = 'started';
  readonly pid = 4242;
  readonly processStart = 'start-1';
  readonly mark = 'hub_1:att_1';
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly written: string[] = [];
  isInputEnded = false;
  writeOutcome: WriteOutcome = 'written';
  /** What happens when it is told to stop; by default it ends at once by the signal. */
  onStop: () => void = () => this.exit({ exitCode: null, signal: 'SIGTERM' });
  stops = 0;
  readonly closed: Promise<ChildEnding>;
  #close: (ending: ChildEnding) => void = () => undefined;
  #isOver = false;

  constructor() {
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  readonly stdin = {
    write: (text: string | Uint8Array): Promise<WriteOutcome> => {
      this.written.push(String(text));
      return Promise.resolve(this.writeOutcome);
    },
    end: (): void => {
      this.isInputEnded = true;
    },
  };

  print(...lines: readonly (string | object)[]): void {
    for (const line of lines) {
      this.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    }
  }

  exit(ending: { exitCode: number | null; signal?: string | null; alive?: readonly number[] }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.stdout.end();
    this.stderr.end();
    let open = 2;
    const one = (): void => {
      open -= 1;
      if (open > 0) return;
      const leftovers = { ended: [], alive: ending.alive ?? [] };
      this.#close({ exitCode: ending.exitCode, signal: ending.signal ?? null, leftovers });
    };
    this.stdout.once('close', one);
    this.stderr.once('close', one);
  }

  stop(): Promise<EndReceipt> {
    this.stops += 1;
    this.onStop();
    return Promise.resolve({ ended: [this.pid], alive: [] });
  }
}

export interface LoggedLine {
  readonly level: string;
  readonly message: string;
}

export function memoryLog(): Log & { readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const at =
    (level: string) =>
    (message: string): void => {
      lines.push({ level, message });
    };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

/** A process table in which what is left goes away after some tries. */
export function tableThatReapsAfter(tries: number): Processes & { calls: number } {
  const table = {
    calls: 0,
    endTrees: (): Promise<EndReceipt> => {
      table.calls += 1;
      return Promise.resolve({ ended: [], alive: table.calls >= tries ? [] : [7] });
    },
    endAllMarked: (): Promise<EndReceipt> => Promise.resolve({ ended: [], alive: [] }),
    findMarked: () => Promise.resolve([]),
    cpuTime: () => Promise.resolve(null),
    isAlive: () => Promise.resolve(false),
  };
  return table;
}

/** Everything that an iterable gives, in order. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
