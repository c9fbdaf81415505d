import type { TaskId, TurnId } from '../../src-shared/ids.ts';
import { epochMs } from '../../src-shared/time.ts';
import type { TurnEvent } from '../core/ports/harness.ts';
import type { EventStore, StoredTurnEvent } from '../core/ports/stores.ts';
import type { Connection, SqlRow } from './connection.ts';

const KEY = '(SELECT key FROM event_key WHERE id = @taskId)';

const SELECT_BEFORE = `
  SELECT e.id, t.id AS turn_id, e.happened_at, e.seq, e.event_json
    FROM turn_event AS e CROSS JOIN event_key AS t ON t.key = e.turn_key
   WHERE e.task_key = ${KEY} AND e.id < @before
   ORDER BY e.id DESC LIMIT @limit`;
const SELECT_ONE = `
  SELECT e.id, t.id AS turn_id, k.id AS task_id, e.happened_at, e.seq, e.event_json
    FROM turn_event AS e
    JOIN event_key AS t ON t.key = e.turn_key
    JOIN event_key AS k ON k.key = e.task_key
   WHERE e.id = @id`;
const SELECT_NEXT = `
  SELECT id, happened_at FROM turn_event WHERE task_key = ${KEY} AND id >= @id ORDER BY id LIMIT 1`;
const SELECT_TOOLS = `
  SELECT json_extract(event_json, '$.name') AS name, json_extract(event_json, '$.path') AS path,
         count(*) AS uses, min(happened_at) AS first_at, max(happened_at) AS last_at
    FROM turn_event
   WHERE task_key = ${KEY} AND id >= @from
     AND turn_key = (SELECT key FROM event_key WHERE id = @turnId)
     AND json_extract(event_json, '$.kind') = 'tool'
   GROUP BY 1, 2 ORDER BY min(id)`;

export const storedEvent = (taskId: TaskId, row: SqlRow): StoredTurnEvent => ({
  id: Number(row['id']),
  taskId,
  turnId: row['turn_id'] as TurnId,
  seq: Number(row['seq']),
  at: epochMs(Number(row['happened_at'])),
  event: JSON.parse(String(row['event_json'])) as TurnEvent,
});

type Queries = Pick<EventStore, 'pageBefore' | 'get' | 'count' | 'firstSince' | 'toolUses'>;

const SELECT_COUNT = `
  SELECT count(*) AS n, max(id) AS last FROM turn_event WHERE task_key = ${KEY} AND id > @after`;
/** Tasks whose number of events is remembered: a look at one then costs as much as came since the look before. */
const MOST_COUNTED = 200;

/** Questions about the events of one task; each is answered from the index of the task's events. */
export function createEventQueries(connection: () => Connection): Queries {
  const next = (taskId: TaskId, id: number): { readonly id: number; readonly at: number } | null => {
    const row = connection().get(SELECT_NEXT, { taskId, id });
    return row === null ? null : { id: Number(row['id']), at: Number(row['happened_at']) };
  };
  const counted = new Map<
    TaskId,
    { readonly first: number; readonly last: number; readonly count: number }
  >();
  const newestId = (taskId: TaskId): number =>
    Number(
      connection().get(`SELECT max(id) AS id FROM turn_event WHERE task_key = ${KEY}`, { taskId })?.['id'] ??
        0,
    );
  return {
    pageBefore: (taskId, before, limit) =>
      connection()
        .all(SELECT_BEFORE, { taskId, before: before ?? Number.MAX_SAFE_INTEGER, limit })
        .map((row) => storedEvent(taskId, row))
        .reverse(),
    get: (id) => {
      const row = connection().get(SELECT_ONE, { id });
      return row === null ? null : storedEvent(row['task_id'] as TaskId, row);
    },
    count: (taskId) => {
      const first = next(taskId, 0)?.id;
      if (first === undefined) return 0;
      const known = counted.get(taskId);
      // Events are added at the end and deleted from the beginning: with the same first one, only newer ones are new.
      const from = known?.first === first ? known : { count: 0, last: 0 };
      const row = connection().get(SELECT_COUNT, { taskId, after: from.last });
      const newer = Number(row?.['n'] ?? 0);
      const count = from.count + newer;
      counted.delete(taskId);
      counted.set(taskId, { first, last: newer === 0 ? from.last : Number(row?.['last']), count });
      if (counted.size > MOST_COUNTED) counted.delete([...counted.keys()][0] ?? taskId);
      return count;
    },
    firstSince: (taskId, at) => {
      const last = newestId(taskId);
      const first = next(taskId, 0);
      if (first === null) return null;
      // Ids follow time, so that the moment is found by halving instead of by reading all that came before it.
      let low = first.id;
      let high = last + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const row = next(taskId, middle);
        if (row === null || row.at >= at) high = middle;
        else low = row.id + 1;
      }
      return next(taskId, low)?.id ?? null;
    },
    toolUses: (taskId, turnId, from) =>
      connection()
        .all(SELECT_TOOLS, { taskId, turnId, from })
        .map((row) => ({
          name: String(row['name']),
          path: row['path'] === null ? null : String(row['path']),
          uses: Number(row['uses']),
          firstAt: epochMs(Number(row['first_at'])),
          lastAt: epochMs(Number(row['last_at'])),
        })),
  };
}
