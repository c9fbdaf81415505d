import type { ProjectId } from '../../src-shared/ids.ts';
import type { EpochMs } from '../../src-shared/time.ts';
import { epochMs } from '../../src-shared/time.ts';
import type { EventStore, TextStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';

const OF_PROJECT = 'task_id IN (SELECT id FROM task WHERE project_id = @projectId)';
const PURGED = '(deleted)';

function forgetTestOutput(
  db: Connection,
  projectId: ProjectId,
  before: EpochMs,
): ReturnType<TextStore['forgetTestOutput']> {
  const old = `${OF_PROJECT} AND ended_at < @before`;
  const hashes = db.all(
    `SELECT DISTINCT output_hash FROM test_run WHERE ${old} AND output_hash IS NOT NULL`,
    { projectId, before },
  );
  const testRuns = db.run(
    `UPDATE test_run SET tail = '', output_hash = NULL
      WHERE ${old} AND (tail <> '' OR output_hash IS NOT NULL)`,
    { projectId, before },
  );
  const unusedHashes = hashes
    .map((row) => String(row['output_hash']))
    .filter((hash) => db.get('SELECT 1 AS used FROM test_run WHERE output_hash = @hash', { hash }) === null);
  return { testRuns, unusedHashes };
}

/** What a project's rows say in words; ids, states, times, money and commits stay. */
const PURGE = [
  `UPDATE turn SET prompt = '' WHERE project_id = @projectId`,
  `UPDATE task SET title = '${PURGED}', description = '' WHERE project_id = @projectId`,
  `UPDATE run SET next_turn_json = NULL,
      pending_changes_json = '{"remove":[],"rename":[],"summary":""}' WHERE ${OF_PROJECT}`,
  `UPDATE item SET question = '${PURGED}', options_json = '[]', summary = '', details_json = '[]', answer = NULL,
      offer_json = json_replace(offer_json, '$.notes', json('[]')) WHERE project_id = @projectId`,
  `UPDATE project SET settings_json =
      json_replace(settings_json, '$.denyNames', json('[]'), '$.dataPatterns', json('{}')) WHERE id = @projectId`,
];

/** Deletes in the caller's transaction, or in one of its own. Copies in backups stay until those are replaced. */
export const createTextStore = (db: Connection, events: EventStore): TextStore => ({
  forgetTestOutput: (projectId, before) => db.transaction(() => forgetTestOutput(db, projectId, before)),
  purge: (projectId) =>
    db.transaction(() => {
      const end = epochMs(Number.MAX_SAFE_INTEGER);
      events.deleteBefore(projectId, 'events', end);
      events.deleteBefore(projectId, 'transcripts', end);
      for (const sql of PURGE) db.run(sql, { projectId });
      return { unusedHashes: forgetTestOutput(db, projectId, end).unusedHashes };
    }),
});
