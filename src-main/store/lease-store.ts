import type { Lease, LeaseStore } from '../core/ports/stores.ts';
import { epochMs } from '../../src-shared/time.ts';
import type { Connection, SqlRow } from './connection.ts';

const leaseOf = (row: SqlRow | null): Lease | null =>
  row === null || row['owner'] === null
    ? null
    : {
        name: String(row['name']),
        owner: String(row['owner']),
        fencing: Number(row['fencing']),
        beatAt: epochMs(Number(row['beat_at'])),
      };

/**
 * Each call is one statement, so that two processes cannot both win. A lease that was released keeps its row and
 * its fencing number.
 */
export const createLeaseStore = (db: Connection): LeaseStore => ({
  get: (name) =>
    leaseOf(db.get('SELECT name, owner, fencing, beat_at FROM lease WHERE name = @name', { name })),
  take: (name, owner, at) =>
    leaseOf(
      db.get(
        `INSERT INTO lease (name, owner, fencing, beat_at) VALUES (@name, @owner, 1, @at)
         ON CONFLICT (name) DO UPDATE
           SET owner = @owner, fencing = fencing + (lease.owner IS NULL), beat_at = @at
           WHERE lease.owner IS NULL OR lease.owner = @owner
         RETURNING name, owner, fencing, beat_at`,
        { name, owner, at },
      ),
    ),
  takeOver: (name, owner, seenFencing, at) =>
    leaseOf(
      db.get(
        `UPDATE lease SET owner = @owner, fencing = fencing + 1, beat_at = @at
          WHERE name = @name AND fencing = @seenFencing
         RETURNING name, owner, fencing, beat_at`,
        { name, owner, seenFencing, at },
      ),
    ),
  beat: (name, owner, fencing, at) =>
    db.run('UPDATE lease SET beat_at = @at WHERE name = @name AND owner = @owner AND fencing = @fencing', {
      name,
      owner,
      fencing,
      at,
    }) === 1,
  release: (name, owner, fencing) =>
    void db.run(
      'UPDATE lease SET owner = NULL WHERE name = @name AND owner = @owner AND fencing = @fencing',
      { name, owner, fencing },
    ),
});
