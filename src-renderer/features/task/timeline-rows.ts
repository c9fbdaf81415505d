import type { TaskView } from '../../../src-shared/api/task.ts';
import type { TurnEventView, TurnView } from '../../../src-shared/api/timeline.ts';

/**
 * One line of the timeline. `key` stays the same while events are added before it, and after it but for a read that
 * joins others: what is read must stay where it is when older lines come above it.
 */
export type TimelineRow =
  /** What the person asked for: the beginning of every task. */
  | { readonly kind: 'asked'; readonly key: 'asked'; readonly task: TaskView }
  | { readonly kind: 'turn-start'; readonly key: string; readonly at: string; readonly turn: TurnView }
  /** `asked`: number of the item that its question became, when it is known. */
  | {
      readonly kind: 'turn-end';
      readonly key: string;
      readonly at: string;
      readonly turn: TurnView;
      readonly asked: number | null;
    }
  /** Between a turn that left an item and the one that carried its response. */
  | { readonly kind: 'waited'; readonly key: string; readonly ms: number }
  | { readonly kind: 'said'; readonly key: string; readonly event: TurnEventView }
  | {
      readonly kind: 'tool';
      readonly key: string;
      readonly event: TurnEventView;
      readonly result: TurnEventView | null;
    }
  | { readonly kind: 'reads'; readonly key: string; readonly events: readonly TurnEventView[] }
  | { readonly kind: 'note'; readonly key: string; readonly event: TurnEventView };

const isRead = (event: TurnEventView): boolean => event.kind === 'tool' && event.tool === 'Read';
/** Events that say nothing to a person: their figures stand in the aside. */
const SILENT: ReadonlySet<TurnEventView['kind']> = new Set(['session', 'usage', 'activity']);

/** How many events that say something came after one. @param events oldest first */
export function newerThan(events: readonly TurnEventView[], id: number): number {
  let count = 0;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event === undefined || event.id <= id) break;
    if (!SILENT.has(event.kind) && event.kind !== 'tool-result') count += 1;
  }
  return count;
}

/** Adds the lines of one turn. There may be a hundred thousand events: each is looked at twice, none is copied. */
function addTurn(rows: TimelineRow[], events: readonly TurnEventView[]): void {
  const results = new Map<string, TurnEventView>();
  for (const event of events) {
    if (event.kind === 'tool-result' && event.toolId !== null) results.set(event.toolId, event);
  }
  let reads: TurnEventView[] | null = null;
  for (const event of events) {
    if (SILENT.has(event.kind) || event.kind === 'tool-result') continue;
    const key = `e${event.id}`;
    const result = event.toolId === null ? null : (results.get(event.toolId) ?? null);
    if (isRead(event) && result?.isError !== true) {
      // A read in a row with others joins them; the line goes by the key of its last.
      if (reads === null) rows.push({ kind: 'reads', key, events: (reads = [event]) });
      else {
        reads.push(event);
        rows[rows.length - 1] = { kind: 'reads', key, events: reads };
      }
      continue;
    }
    reads = null;
    if (event.kind === 'tool') rows.push({ kind: 'tool', key, event, result });
    else if (event.kind === 'assistant') rows.push({ kind: 'said', key, event });
    else rows.push({ kind: 'note', key, event });
  }
}

/**
 * What the timeline shows of a stretch of events.
 *
 * @param events oldest first
 * @param turns all turns of the task, oldest first; those without an event in the stretch are left out, but for what
 *   comes after the last event when `isNewest`
 * @param openItem number of the item that waits, to which a question of the newest turn belongs
 */
export function timelineRows(
  events: readonly TurnEventView[],
  turns: readonly TurnView[],
  isOldest: boolean,
  isNewest: boolean,
  openItem: number | null = null,
): TimelineRow[] {
  const byTurn = new Map<string, TurnEventView[]>();
  for (const event of events) {
    const list = byTurn.get(event.turnId);
    if (list === undefined) byTurn.set(event.turnId, [event]);
    else list.push(event);
  }
  const known = turns.map((turn, index) => (byTurn.has(turn.id) ? index : -1)).filter((index) => index >= 0);
  const first = isOldest ? 0 : (known[0] ?? turns.length);
  const last = isNewest ? turns.length - 1 : (known.at(-1) ?? -1);
  const rows: TimelineRow[] = [];
  for (let index = first; index <= last; index += 1) {
    const turn = turns[index];
    if (turn === undefined) continue;
    if (turn.waitedS !== null && index > first)
      rows.push({ kind: 'waited', key: `w${turn.id}`, ms: turn.waitedS * 1000 });
    // Its beginning is older than the stretch: shown once that has been loaded.
    if (index > first || isOldest)
      rows.push({ kind: 'turn-start', key: `s${turn.id}`, at: turn.startedAt, turn });
    addTurn(rows, byTurn.get(turn.id) ?? []);
    if (turn.endedAt !== null && (index < last || isNewest)) {
      // The turn after a question carried its answer.
      const asked =
        turn.outcome === 'question'
          ? (turns[index + 1]?.item ?? (index === turns.length - 1 ? openItem : null))
          : null;
      rows.push({ kind: 'turn-end', key: `f${turn.id}`, at: turn.endedAt, turn, asked });
    }
  }
  return rows;
}
