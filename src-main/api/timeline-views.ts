/** Views of what turns did. */
import type { TurnEventView, TurnView } from '../../src-shared/api/timeline.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { Turn } from '../../src-shared/model/task.ts';
import { usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, isoTimeOrNull, secondsBetween } from '../../src-shared/time.ts';
import type { StoredTurnEvent } from '../core/ports/stores.ts';
import { describeEvent } from '../core/timeline/describe-event.ts';

export function turnEventView(stored: StoredTurnEvent): TurnEventView {
  const { change, facts, ...described } = describeEvent(stored.event);
  return {
    id: stored.id,
    turnId: stored.turnId,
    at: isoTime(stored.at),
    ...described,
    change: change === null ? null : { ...change, lines: change.lines.map((line) => ({ ...line })) },
    facts: { ...facts },
  };
}

const waitOf = (item: Item | null): number | null =>
  item === null || item.respondedAt === null ? null : secondsBetween(item.raisedAt, item.respondedAt);

/** @param item whose response the turn carried */
export const turnView = (turn: Turn, item: Item | null): TurnView => ({
  id: turn.id,
  number: turn.number,
  kind: turn.kind,
  attemptId: turn.attemptId,
  sessionId: turn.sessionId,
  item: turn.item,
  waitedS: waitOf(item),
  state: turn.state,
  outcome: turn.outcome,
  costUsd: usdFromMicroUsd(turn.costMicroUsd),
  costBasis: turn.costBasis,
  startedAt: isoTime(turn.startedAt),
  endedAt: isoTimeOrNull(turn.endedAt),
});
