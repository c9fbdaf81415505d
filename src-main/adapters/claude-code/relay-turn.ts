import { createLineSplitter } from '../../core/harness/claude-code/line-splitter.ts';
import { mapOutcome } from '../../core/harness/claude-code/map-result.ts';
import { createStreamParser } from '../../core/harness/claude-code/parse-stream.ts';
import type { JsonObject } from '../../core/harness/claude-code/read-json.ts';
import type { RelayTurn, StopReason, TurnEvent, TurnOutcome } from '../../core/ports/harness.ts';
import type { Clock, Log, Processes } from '../../core/ports/world.ts';
import { millis, seconds } from '../../../src-shared/time.ts';
import type { Millis } from '../../../src-shared/time.ts';
import type { ChildEnding, OwnedChild, WriteOutcome } from '../process/spawn-owned.ts';
import { createEventQueue } from './event-queue.ts';
import { createTextTail } from './text-tail.ts';

const EVENTS_WAITING = 1_024;
const STDERR_TAIL_BYTES = 64 * 1024;
/** Lines of stderr that become events; more stay in the tail only. */
const STDERR_EVENTS = 100;
/** The real CLI is gone 40 ms after its result; one that stays must not hold a slot. */
const LINGER = seconds(10);
const STOP_GRACE = millis(700);
const REAP_TRIES = 5;

export interface RelayTurnOptions {
  readonly child: OwnedChild;
  /** The whole command line, for the record. */
  readonly argv: readonly string[];
  readonly timeout: Millis;
  readonly clock: Clock;
  readonly log: Log;
  readonly processes: Processes;
  /** For a test that does not want to print 16 MiB. */
  readonly lineLimitBytes?: number;
}

/**
 * One live process of a turn: reads what it prints, ends it, and says how it went.
 *
 * Invariants: `stoppedBy` is set only before a result was read; `result` and `broken` are set once, and never
 * both; nothing is pushed to the queue after either; the outcome settles once, after the process has closed.
 */
export function createRelayTurn(options: RelayTurnOptions): RelayTurn {
  const { child, clock, log } = options;
  const queue = createEventQueue<TurnEvent>(EVENTS_WAITING);
  const parser = createStreamParser();
  const stderrTail = createTextTail(STDERR_TAIL_BYTES);
  let result: JsonObject | null = null;
  let broken: 'protocol-corruption' | 'line-too-long' | null = null;
  let stoppedBy: StopReason | null = null;
  let wasEndedByUs = false;
  let isClosed = false;
  let prompt: Promise<WriteOutcome> | null = null;
  let lingering = { dispose: (): void => undefined };

  const endTree = async (): Promise<void> => {
    // From here on nobody may hold up the reading: the process closes only when its pipes are empty.
    queue.letGo();
    await child.stop(STOP_GRACE);
  };
  const stop = async (reason: StopReason): Promise<void> => {
    if (isClosed) return;
    if (result === null && broken === null) stoppedBy ??= reason;
    else wasEndedByUs = true;
    await endTree();
  };
  const breakOff = (cause: 'protocol-corruption' | 'line-too-long'): void => {
    if (result !== null || broken !== null || stoppedBy !== null) return;
    broken = cause;
    log.warn('the output of Claude Code cannot be read any further', { pid: child.pid, cause });
    void endTree();
  };
  const takeResult = (value: JsonObject): void => {
    result = value;
    lingering = clock.after(LINGER, () => {
      wasEndedByUs = true;
      log.warn('Claude Code gave its result and did not end; it is ended now', { pid: child.pid });
      void endTree();
    });
  };
  const takeLine = (line: string, isTorn: boolean): void => {
    if (result !== null || broken !== null) return;
    const parsed = parser.parseLine(line);
    if (parsed.kind === 'events') for (const event of parsed.events) queue.push(event);
    else if (parsed.kind === 'result') takeResult(parsed.result);
    // A last line without its end was torn by the end of the process and says nothing about the stream.
    else if (!isTorn) breakOff('protocol-corruption');
  };

  const readStdout = async (): Promise<void> => {
    const splitter = createLineSplitter({
      decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'),
      ...(options.lineLimitBytes === undefined ? {} : { limitBytes: options.lineLimitBytes }),
    });
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (const line of splitter.push(chunk)) takeLine(line, false);
      if (splitter.isBroken) breakOff('line-too-long');
      await queue.roomy();
    }
    const rest = splitter.end();
    if (rest !== null) takeLine(rest, true);
  };
  const readStderr = async (): Promise<void> => {
    let events = 0;
    const splitter = createLineSplitter({
      decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'),
      limitBytes: STDERR_TAIL_BYTES,
    });
    for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
      stderrTail.push(chunk);
      if (events >= STDERR_EVENTS) continue;
      for (const line of splitter.push(chunk)) {
        events += 1;
        if (line.trim() === '' || events > STDERR_EVENTS || result !== null || broken !== null) continue;
        queue.push({ kind: 'diagnostic', text: line.slice(0, 2_000) });
      }
    }
  };
  /** A pipe that is torn away ends the reading, as its end would; how the process ended tells the rest. */
  const untilEnd = async (reading: Promise<void>): Promise<void> => {
    try {
      await reading;
    } catch (error) {
      log.warn('a pipe of Claude Code broke', { pid: child.pid, error: String(error) });
    }
  };
  /** "Ended" is believed only when the process table agrees (10-relay). */
  const reap = async (ending: ChildEnding): Promise<void> => {
    const ref = { pid: child.pid, processStart: child.processStart, mark: child.mark };
    let alive = ending.leftovers.alive;
    for (let tries = 0; alive.length > 0 && tries < REAP_TRIES; tries += 1) {
      alive = (await options.processes.endTrees([ref], STOP_GRACE)).alive;
    }
    if (alive.length > 0) log.error('processes of a turn cannot be ended', { pid: child.pid, alive });
  };

  const limit = clock.after(options.timeout, () => void stop('time-limit'));

  const settle = async (): Promise<TurnOutcome> => {
    const readings = Promise.all([untilEnd(readStdout()), untilEnd(readStderr())]);
    const ending = await child.closed;
    queue.letGo();
    await readings;
    isClosed = true;
    limit.dispose();
    lingering.dispose();
    child.stdin?.end();
    await reap(ending);
    const written = prompt === null ? 'refused' : await prompt;
    if (queue.dropped > 0) log.info('events were left out after a stop', { dropped: queue.dropped });
    queue.end();
    return mapOutcome({
      wasPromptWritten: written !== 'refused',
      result,
      broken,
      stream: parser.evidence,
      exitCode: ending.exitCode,
      signal: ending.signal,
      stderr: stderrTail.text(),
      stoppedBy,
      wasEndedByUs,
      now: clock.now(),
    });
  };

  return {
    process: { pid: child.pid, processStart: child.processStart, argv: options.argv },
    async writePrompt(text) {
      if (prompt !== null) throw new Error('The prompt of this turn was written before.');
      prompt = child.stdin === null ? Promise.resolve('refused') : child.stdin.write(text);
      const outcome = await prompt;
      child.stdin?.end();
      return outcome !== 'refused';
    },
    events: queue,
    outcome: settle(),
    stop,
  };
}
