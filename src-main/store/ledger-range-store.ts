import type { ItemNumber, ProjectId, TaskId } from '../../src-shared/ids.ts';
import type { ItemKind, ItemState, Via } from '../../src-shared/model/item.ts';
import type { TaskState } from '../../src-shared/model/task.ts';
import { epochMs, type LocalDay } from '../../src-shared/time.ts';
import type { LedgerRange, LedgerRangeStore } from '../core/ports/ledger-store.ts';
import type { Connection, SqlParameters, SqlRow } from './connection.ts';

/** An entry of the day or of a later one comes after this one: days never go back in the ledger. */
function seqBefore(db: Connection, day: LocalDay): number {
  let low = 0;
  let high = Number(db.get('SELECT max(seq) AS seq FROM ledger_entry')?.['seq'] ?? 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = db.get('SELECT local_day FROM ledger_entry WHERE seq = @middle', { middle });
    if (String(row?.['local_day'] ?? '') < day) low = middle;
    else high = middle - 1;
  }
  return low;
}

const RESPONSES = `
  SELECT DISTINCT i.number, i.kind, i.state, i.responded_via, i.project_id, i.task_id, i.cycle, i.raised_at,
         i.responded_at
    FROM ledger_entry AS e CROSS JOIN item AS i ON i.number = e.item
   WHERE e.kind = 'item.responded' AND e.seq > @after AND i.state <> 'open' AND i.responded_at IS NOT NULL
     AND (@projectId IS NULL OR i.project_id = @projectId)
   ORDER BY i.number`;

const LOCK_WAITS = `
  SELECT happened_at, kind, project_id, project, task_id,
         coalesce(json_extract(data_json, '$.waitedMs'), json_extract(data_json, '$.durationMs'),
                  1000 * json_extract(data_json, '$.waitedS'), 1000 * json_extract(data_json, '$.seconds'), 0)
           AS waited_ms
    FROM ledger_entry
   WHERE kind IN ('account.lock_wait', 'git.lock_wait') AND seq > @after
     AND (@projectId IS NULL OR +project_id = @projectId)
   ORDER BY seq DESC`;

const FIRST_OFFERS = `
  SELECT t.id, max(0, i.raised_at - t.ready_at) AS ready_ms,
         (SELECT coalesce(sum(max(0, q.responded_at - q.raised_at)), 0) FROM item AS q
           WHERE q.task_id = t.id AND q.kind = 'specify' AND q.state = 'answered' AND q.number < i.number)
           AS waited_ms
    FROM ledger_entry AS e
    CROSS JOIN item AS i ON i.number = e.item
    CROSS JOIN task AS t ON t.id = i.task_id
   WHERE e.kind = 'item.raised' AND e.seq > @after AND i.kind = 'approve' AND t.ready_at IS NOT NULL
     AND (@projectId IS NULL OR t.project_id = @projectId)
     AND NOT EXISTS (SELECT 1 FROM item AS j
                      WHERE j.task_id = t.id AND j.kind = 'approve' AND j.number < i.number)
   ORDER BY i.number`;

const WORKED = `
  SELECT t.project_id, t.state, count(*) AS tasks
    FROM (SELECT DISTINCT task_id FROM ledger_entry
           WHERE kind IN ('harness.start', 'harness.resume') AND seq > @after AND task_id IS NOT NULL) AS e
    CROSS JOIN task AS t ON t.id = e.task_id
   WHERE @projectId IS NULL OR t.project_id = @projectId
   GROUP BY t.project_id, t.state ORDER BY t.project_id, t.state`;

const idOrNull = <Id extends string>(row: SqlRow, column: string): Id | null =>
  (row[column] ?? null) as Id | null;

/** Each kind is read from its index, from the first entry of the range on. */
export function createLedgerRangeStore(db: Connection): LedgerRangeStore {
  const of = (range: LedgerRange): SqlParameters => ({
    after: seqBefore(db, range.from),
    projectId: range.projectId ?? null,
  });
  return {
    responses: (range) =>
      db.all(RESPONSES, of(range)).map((row) => ({
        item: Number(row['number']) as ItemNumber,
        kind: row['kind'] as ItemKind,
        state: row['state'] as ItemState,
        via: row['responded_via'] as Via | null,
        projectId: idOrNull<ProjectId>(row, 'project_id'),
        taskId: idOrNull<TaskId>(row, 'task_id'),
        cycle: row['cycle'] === null ? null : Number(row['cycle']),
        raisedAt: epochMs(Number(row['raised_at'])),
        respondedAt: epochMs(Number(row['responded_at'])),
      })),
    lockWaits: (range) =>
      db.all(LOCK_WAITS, of(range)).map((row) => ({
        at: epochMs(Number(row['happened_at'])),
        lock: row['kind'] === 'account.lock_wait' ? 'account' : 'git',
        projectId: idOrNull<ProjectId>(row, 'project_id'),
        project: row['project'] === null ? null : String(row['project']),
        taskId: idOrNull<TaskId>(row, 'task_id'),
        waitedMs: Number(row['waited_ms']),
      })),
    firstOffers: (range) =>
      db.all(FIRST_OFFERS, of(range)).map((row) => ({
        taskId: row['id'] as TaskId,
        readyToApproveMs: Number(row['ready_ms']),
        waitedMs: Number(row['waited_ms']),
      })),
    workedTasks: (range) =>
      db.all(WORKED, of(range)).map((row) => ({
        projectId: idOrNull<ProjectId>(row, 'project_id'),
        state: row['state'] as TaskState,
        tasks: Number(row['tasks']),
      })),
  };
}
