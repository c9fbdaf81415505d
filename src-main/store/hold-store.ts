import type { Hold } from '../../src-shared/model/hold.ts';
import type { HoldStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, plain } from './table.ts';

const HOLD = new Table<Hold>('hold', ['kind'], {
  kind: plain('kind'),
  reason: plain('reason'),
  since: plain('since_at'),
  until: plain('until_at'),
  probeAt: plain('probe_at'),
  item: plain('item'),
});

/** At most one hold of a kind; oldest first. */
export const createHoldStore = (db: Connection): HoldStore => ({
  put: (hold) => HOLD.put(db, hold),
  remove: (kind) => void db.run('DELETE FROM hold WHERE kind = @kind', { kind }),
  list: () => HOLD.many(db, 'ORDER BY since_at, kind'),
});
