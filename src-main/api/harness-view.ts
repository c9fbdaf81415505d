import type { TaskHarnessView } from '../../src-shared/api/timeline.ts';
import { definedFields } from '../../src-shared/api/common.ts';
import { DEFAULT_AGENT } from '../../src-shared/model/agent.ts';
import type { Task, Turn } from '../../src-shared/model/task.ts';
import type { TurnEvent } from '../core/ports/harness.ts';
import type { Stores } from '../core/ports/stores.ts';

/** A session's own line is among the first of its turn. */
const LOOK_AHEAD = 50;
/** Figures of a reply come with it; so many events after it at most. */
const LOOK_BACK = 300;
/** Turns of an attempt that are looked through for what the newest has not said yet. */
const TURNS = 3;
/** Results in the ledger that are looked through for one of this session. */
const RESULTS = 20;

type SessionEvent = Extract<TurnEvent, { kind: 'session' }>;
type UsageEvent = Extract<TurnEvent, { kind: 'usage' }>;

function sessionEvent(stores: Stores, turn: Turn): SessionEvent | null {
  const from = stores.events.firstSince(turn.taskId, turn.startedAt);
  if (from === null) return null;
  for (const { turnId, event } of stores.events.page(turn.taskId, from - 1, LOOK_AHEAD)) {
    if (turnId === turn.id && event.kind === 'session') return event;
  }
  return null;
}

function newestUsage(stores: Stores, turns: readonly Turn[]): UsageEvent | null {
  const [newest] = turns;
  if (newest === undefined) return null;
  const ids = new Set<string>(turns.map((turn) => turn.id));
  const found = stores.events
    .pageBefore(newest.taskId, null, LOOK_BACK)
    .findLast((stored) => stored.event.kind === 'usage' && ids.has(stored.turnId));
  return found?.event.kind === 'usage' ? found.event : null;
}

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Running totals of the conversation, from its newest result that reported any. */
function tokensOf(stores: Stores, task: Task, sessionId: string): TaskHarnessView['tokens'] {
  const results = stores.ledger.page({
    taskId: task.id,
    kind: 'harness.result',
    newest: true,
    limit: RESULTS,
  });
  for (const entry of results.toReversed()) {
    const usage = entry.data['usageByModel'];
    if (entry.sessionId !== sessionId || !Array.isArray(usage) || usage.length === 0) continue;
    const parts = usage as readonly Readonly<Record<string, unknown>>[];
    const sum = (name: string): number => parts.reduce((total, part) => total + countOf(part[name]), 0);
    return {
      input: sum('inputTokens'),
      output: sum('outputTokens'),
      cacheRead: sum('cacheReadTokens'),
      cacheWrite: sum('cacheWriteTokens'),
    };
  }
  return undefined;
}

/** What runs a task, from the newest turn of its newest attempt. */
export function harnessView(stores: Stores, task: Task): TaskHarnessView {
  const all = stores.turns.ofTask(task.id);
  const newest = all.at(-1);
  const project = stores.projects.get(task.projectId);
  const name = newest?.agent ?? project?.settings.agent ?? DEFAULT_AGENT.name;
  const agent = stores.agents.get(name) ?? { ...DEFAULT_AGENT, name, displayName: name };
  const attempt = newest === undefined ? null : stores.attempts.get(newest.attemptId);
  const turns = all.filter((turn) => turn.attemptId === newest?.attemptId).reverse();
  const recent = turns.slice(0, TURNS);
  const session = recent.map((turn) => sessionEvent(stores, turn)).find((each) => each !== null);
  const executable = recent
    .map((turn) => stores.launches.ofTurn(turn.id).at(-1)?.argv[0])
    .find((each) => each !== undefined);
  const usage = newestUsage(stores, turns);
  return {
    harness: agent.harness,
    agent: name,
    agentName: agent.displayName,
    model: attempt?.model ?? project?.settings.model ?? agent.model,
    ...definedFields({
      attempt: attempt?.number,
      sessionId: newest?.sessionId,
      effectiveModel: orUndefined(session?.model) ?? orUndefined(usage?.model),
      version: orUndefined(session?.version),
      executable,
      tokens: newest === undefined ? undefined : tokensOf(stores, task, newest.sessionId),
      contextTokens:
        usage === null
          ? undefined
          : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens,
    }),
  };
}

/** An empty text says nothing. */
const orUndefined = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
