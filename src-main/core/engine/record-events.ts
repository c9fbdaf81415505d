import type { Turn } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { TurnEvent } from '../ports/harness.ts';
import type { StoredTurnEvent, TranscriptEntry } from '../ports/stores.ts';
import { markDelivered, markSeen } from './delivery.ts';
import { describeSign } from './stall-watch.ts';
import type { Job } from './runtime.ts';

/** Rows in one transaction: enough to keep up with a flood, few enough to be seen soon. */
const BATCH = 200;

/**
 * Reads a turn's events to their end, stores them in batches with our own copy of the transcript, and notes when the
 * agent has seen what was sent: any output of the model proves it.
 */
export async function recordEvents(
  deps: CoreDeps,
  job: Job,
  turn: Turn,
  events: AsyncIterable<TurnEvent>,
): Promise<void> {
  let seq = 0;
  let batch: Omit<StoredTurnEvent, 'id'>[] = [];
  let entries: Omit<TranscriptEntry, 'id'>[] = [];
  let hasSeen = false;
  let looking: Promise<void> = Promise.resolve();
  const flush = (): void => {
    if (batch.length === 0) return;
    deps.stores.events.append(batch, entries);
    batch = [];
    entries = [];
    deps.feed.taskChanged(turn.taskId);
  };
  for await (const event of events) {
    const at = deps.clock.now();
    seq += 1;
    job.lastSignAt = at;
    job.lastSign = describeSign(event);
    batch.push({ taskId: turn.taskId, turnId: turn.id, seq, at, event });
    const entry = transcriptEntry(turn, event, at);
    if (entry !== null) entries.push(entry);
    if (!hasSeen && event.kind === 'session') looking = noteDelivered(deps, turn, looking);
    if (!hasSeen && isModelOutput(event)) {
      hasSeen = true;
      flush();
      markSeen(deps, turn);
    } else if (batch.length >= BATCH || isWorthShowing(event)) flush();
  }
  flush();
  await looking;
}

/** The prompt has arrived once the session's history holds its delivery id, also before the model says anything. */
async function noteDelivered(deps: CoreDeps, turn: Turn, before: Promise<void>): Promise<void> {
  await before;
  const session = deps.stores.sessions.get(turn.sessionId);
  if (session === null) return;
  const trace = await deps.executor.trace(turn.sessionId, session.cwd, turn.deliveryId);
  if (trace === 'present') markDelivered(deps, turn);
}

const isModelOutput = (event: TurnEvent): boolean => event.kind === 'assistant' || event.kind === 'tool';

/** What a watcher waits for is stored at once; the rest goes in batches. */
const isWorthShowing = (event: TurnEvent): boolean =>
  event.kind === 'assistant' || event.kind === 'tool' || event.kind === 'retry' || event.kind === 'session';

function transcriptEntry(
  turn: Turn,
  event: TurnEvent,
  at: TranscriptEntry['at'],
): Omit<TranscriptEntry, 'id'> | null {
  const base = { taskId: turn.taskId, turnId: turn.id, sessionId: turn.sessionId, at };
  switch (event.kind) {
    case 'assistant':
      return { ...base, role: 'assistant', content: event.text };
    case 'tool':
      return { ...base, role: 'tool', content: `${event.name} ${event.input}` };
    case 'tool-result':
      return { ...base, role: 'tool', content: event.text };
    case 'session':
    case 'denied':
    case 'retry':
    case 'rate-limit':
    case 'usage':
    case 'diagnostic':
    case 'activity':
      return null;
  }
}
