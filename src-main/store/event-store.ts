import type { ProjectId, SessionId, TaskId, TurnId } from '../../src-shared/ids.ts';
import type { EpochMs } from '../../src-shared/time.ts';
import { epochMs } from '../../src-shared/time.ts';
import type { EventStore, StoredTurnEvent, TranscriptEntry } from '../core/ports/stores.ts';
import type { Connection, SqlRow } from './connection.ts';
import { createEventQueries, storedEvent } from './event-queries.ts';

/** Rows that one transaction of a deletion takes, so that the write lock is never held for long. */
const DELETE_AT_ONCE = 5_000;

const TABLE = { events: 'turn_event', transcripts: 'transcript_entry' } as const;

const INSERT_EVENT = `INSERT INTO turn_event (id, task_key, turn_key, seq, happened_at, event_json)
  VALUES (@id, @task, @turn, @seq, @at, @event)`;
const INSERT_ENTRY = `INSERT INTO transcript_entry (id, task_key, turn_key, session_id, role, content, happened_at)
  VALUES (@id, @task, @turn, @sessionId, @role, @content, @at)`;

const select = (table: string, columns: string): string => `
  SELECT e.id, t.id AS turn_id, e.happened_at, ${columns}
    FROM ${table} AS e CROSS JOIN event_key AS t ON t.key = e.turn_key
   WHERE e.task_key = (SELECT key FROM event_key WHERE id = @taskId) AND e.id > @after
   ORDER BY e.id LIMIT @limit`;
const SELECT_EVENTS = select('turn_event', 'e.seq, e.event_json');
const SELECT_ENTRIES = select('transcript_entry', 'e.session_id, e.role, e.content');

/** @returns what the id is called in the rows of events, giving it a key when it has none */
function keyOf(db: Connection, id: string): number {
  db.run('INSERT INTO event_key (id) VALUES (@id) ON CONFLICT (id) DO NOTHING', { id });
  return Number(db.get('SELECT key FROM event_key WHERE id = @id', { id })?.['key']);
}

/** Takes the next numbers of a series. @returns the first of them */
function take(db: Connection, series: string, count: number): number {
  const row = db.get('UPDATE series SET last = last + @count WHERE name = @series RETURNING last', {
    series,
    count,
  });
  return Number(row?.['last']) - count + 1;
}

function appendAll(
  db: Connection,
  batch: readonly Omit<StoredTurnEvent, 'id'>[],
  entries: readonly Omit<TranscriptEntry, 'id'>[],
): void {
  const keys = new Map<string, number>();
  const key = (id: string): number => {
    const known = keys.get(id) ?? keyOf(db, id);
    keys.set(id, known);
    return known;
  };
  let id = batch.length === 0 ? 0 : take(db, 'turn_event', batch.length);
  for (const { taskId, turnId, seq, at, event } of batch) {
    db.run(INSERT_EVENT, {
      id,
      task: key(taskId),
      turn: key(turnId),
      seq,
      at,
      event: JSON.stringify(event),
    });
    id += 1;
  }
  id = entries.length === 0 ? 0 : take(db, 'transcript_entry', entries.length);
  for (const { taskId, turnId, sessionId, role, content, at } of entries) {
    db.run(INSERT_ENTRY, { id, task: key(taskId), turn: key(turnId), sessionId, role, content, at });
    id += 1;
  }
}

const storedEntry = (taskId: TaskId, row: SqlRow): TranscriptEntry => ({
  id: Number(row['id']),
  taskId,
  turnId: row['turn_id'] as TurnId,
  sessionId: row['session_id'] as SessionId,
  role: row['role'] as TranscriptEntry['role'],
  content: String(row['content']),
  at: epochMs(Number(row['happened_at'])),
});

/**
 * Deletes rows of one task that are older than a moment: all up to its first row that is not. Rows are in the order
 * of their ids; one that a clock set back made look old goes with the rows around it.
 */
function deleteOfTask(db: Connection, table: string, taskKey: number, before: EpochMs): number {
  const first = db.get(
    `SELECT id FROM ${table} WHERE task_key = @taskKey AND happened_at >= @before ORDER BY id LIMIT 1`,
    { taskKey, before },
  );
  const end = first === null ? Number.MAX_SAFE_INTEGER : Number(first['id']);
  let deleted = 0;
  for (;;) {
    const changes = db.run(
      `DELETE FROM ${table} WHERE id IN
         (SELECT id FROM ${table} WHERE task_key = @taskKey AND id < @end ORDER BY id LIMIT ${DELETE_AT_ONCE})`,
      { taskKey, end },
    );
    deleted += changes;
    if (changes < DELETE_AT_ONCE) return deleted;
  }
}

/**
 * Events on a connection of their own that does not wait for the disk; within a transaction they join that instead,
 * as two connections of one thread would wait for each other for ever.
 *
 * @param main decides whether a transaction is open
 * @param events opened at the first use
 */
export function createEventStore(main: Connection, events: () => Connection): EventStore {
  const connection = (): Connection => (main.isInTransaction ? main : events());
  return {
    ...createEventQueries(connection),
    append: (batch, entries) => {
      if (batch.length === 0 && entries.length === 0) return;
      const db = connection();
      db.transaction(() => appendAll(db, batch, entries));
    },
    page: (taskId, after, limit) =>
      connection()
        .all(SELECT_EVENTS, { taskId, after, limit })
        .map((row) => storedEvent(taskId, row)),
    transcript: (taskId, after, limit) =>
      connection()
        .all(SELECT_ENTRIES, { taskId, after, limit })
        .map((row) => storedEntry(taskId, row)),
    last: (taskId) => {
      const row = connection().get(
        `SELECT id, happened_at FROM turn_event
          WHERE task_key = (SELECT key FROM event_key WHERE id = @taskId) ORDER BY id DESC LIMIT 1`,
        { taskId },
      );
      return row === null ? null : { id: Number(row['id']), at: epochMs(Number(row['happened_at'])) };
    },
    deleteBefore: (projectId: ProjectId, what, before) => {
      const db = connection();
      const keys = db.all(
        'SELECT k.key FROM task AS t JOIN event_key AS k ON k.id = t.id WHERE t.project_id = @projectId',
        { projectId },
      );
      return keys.reduce(
        (deleted, row) => deleted + deleteOfTask(db, TABLE[what], Number(row['key']), before),
        0,
      );
    },
  };
}
