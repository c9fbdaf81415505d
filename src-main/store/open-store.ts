import { existsSync } from 'node:fs';
import { AppError, isAppError } from '../../src-shared/errors.ts';
import type { HubId } from '../../src-shared/ids.ts';
import type { Stores, TextStore } from '../core/ports/stores.ts';
import type { LedgerStore, LedgerTotalsStore } from '../core/ports/ledger-store.ts';
import type { Clock, Disposable, Ids } from '../core/ports/world.ts';
import { createAgentStore } from './agent-store.ts';
import { createAttemptStore } from './attempt-store.ts';
import { backupFrom, listBackups } from './backup.ts';
import type { ConnectionOptions } from './connection.ts';
import { Connection } from './connection.ts';
import { connectForReading } from './read-only.ts';
import { createEventStore } from './event-store.ts';
import { folderError, privateFile, privateFolder } from './files.ts';
import { createHoldStore } from './hold-store.ts';
import { createItemStore } from './item-store.ts';
import { createJournalStore } from './journal-store.ts';
import { createLaunchStore } from './launch-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { createLedgerStore } from './ledger-store.ts';
import { createLedgerRangeStore } from './ledger-range-store.ts';
import { createLedgerTotalsStore } from './ledger-totals-store.ts';
import { assertNotLost } from './lost-store.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/all.ts';
import type { Migration } from './migrations/migration.ts';
import { placeOf } from './place.ts';
import { createProjectStore } from './project-store.ts';
import { createRunStore } from './run-store.ts';
import { createSessionStore } from './session-store.ts';
import { createSettingStore } from './setting-store.ts';
import { createSpikeStore } from './spike-store.ts';
import type { StorePlace } from './sqlite-errors.ts';
import { createTaskStore } from './task-store.ts';
import { createTestRunStore } from './test-run-store.ts';
import { createTextStore } from './text-store.ts';
import { createKeptStore, createTreeStore } from './tree-store.ts';
import { createTurnStore } from './turn-store.ts';

export interface OpenStoreOptions {
  /** The data folder; made if it is not there. The database is `signalbox.sqlite` in it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * Opens a store that is there and changes nothing, also on a disk where nothing can be written: every write throws
   * 'store-unusable'.
   */
  readonly readonly?: boolean;
  /** How long a call waits while another process writes; 5 s unless given. */
  readonly busyTimeoutMs?: number;
  /** Bound of the file's size in pages of 4 KiB, as a disk that is full sets one; for tests. */
  readonly maxPages?: number;
  /** Other than the released ones only in tests. */
  readonly migrations?: readonly Migration[];
}

/** The SQLite store; it has the parts that are optional in the port. */
export interface SqliteStores extends Stores, Disposable {
  /** Kinds are core's business. */
  readonly ledger: LedgerStore<string>;
  readonly totals: LedgerTotalsStore;
  readonly texts: TextStore;
  /** Copies the store to `<folder>/backups`. @returns absolute path of the copy */
  backup(): string;
}

function prepareFiles(folder: string, place: StorePlace, isReadonly: boolean): void {
  try {
    if (isReadonly) {
      assertNotLost(place);
      if (existsSync(place.file)) return;
      throw new AppError('store-unusable', `There is no store yet: ${place.file}.`, {
        hint: 'Start the hub once: signalbox hub',
      });
    }
    privateFolder(folder);
    assertNotLost(place);
    privateFile(place.file);
  } catch (error) {
    throw isAppError(error) ? error : folderError(error, folder);
  }
}

function identify(db: Connection, options: OpenStoreOptions): HubId {
  const read = (): HubId | null =>
    (db.get('SELECT hub_id FROM store')?.['hub_id'] as HubId | undefined) ?? null;
  return (
    read() ??
    db.transaction(() => {
      db.run('INSERT INTO store (id, hub_id, created_at) VALUES (1, @hubId, @at) ON CONFLICT DO NOTHING', {
        hubId: options.ids.next('hub'),
        at: options.clock.now(),
      });
      const hubId = read();
      if (hubId === null) throw new AppError('internal', 'The store has no identity.');
      return hubId;
    })
  );
}

const busyTimeoutOf = (options: OpenStoreOptions): number => options.busyTimeoutMs ?? 5_000;

/**
 * Opens the store of a data folder, makes or upgrades it first where needed (with a backup before an upgrade).
 *
 * Decisions and the ledger are on a connection that waits for the disk at each commit, event batches on a second
 * one that does not, opened at its first use.
 *
 * @throws AppError 'store-unusable' (damaged, not a database, locked, lost; the hint names the newest backup),
 * 'store-too-new', 'disk-full', 'data-folder-unusable'. Nothing is ever moved or deleted.
 */
export function openStore(options: OpenStoreOptions): SqliteStores {
  const { folder, clock } = options;
  const isReadonly = options.readonly ?? false;
  const place = placeOf(folder, () => listBackups(folder)[0] ?? null);
  prepareFiles(folder, place, isReadonly);
  const connect = (synchronous: ConnectionOptions['synchronous']): Connection =>
    new Connection({
      ...place,
      synchronous,
      isReadonly,
      busyTimeoutMs: busyTimeoutOf(options),
      maxPages: options.maxPages,
    });

  const db = isReadonly
    ? connectForReading({ ...place, busyTimeoutMs: busyTimeoutOf(options) })
    : connect('FULL');
  let second: Connection | null = null;
  const eventsDb = (): Connection => (isReadonly ? db : (second ??= connect('NORMAL')));
  const dispose = (): void => {
    second?.close();
    db.close();
  };
  try {
    migrate(db, {
      migrations: options.migrations ?? MIGRATIONS,
      place,
      isReadonly,
      backUp: () => void backupFrom(db, folder, clock),
    });
    const events = createEventStore(db, eventsDb);
    return {
      hubId: identify(db, options),
      transaction: (work) => db.transaction(work),
      projects: createProjectStore(db),
      agents: createAgentStore(db),
      tasks: createTaskStore(db),
      runs: createRunStore(db),
      attempts: createAttemptStore(db),
      turns: createTurnStore(db),
      launches: createLaunchStore(db),
      sessions: createSessionStore(db),
      items: createItemStore(db),
      holds: createHoldStore(db),
      settings: createSettingStore(db),
      testRuns: createTestRunStore(db),
      events,
      trees: createTreeStore(db),
      kept: createKeptStore(db),
      journal: createJournalStore(db),
      spikes: createSpikeStore(db),
      leases: createLeaseStore(db),
      ledger: createLedgerStore(db, { clock, isReadonly }),
      totals: createLedgerTotalsStore(db),
      ranges: createLedgerRangeStore(db),
      texts: createTextStore(db, events),
      backup: () => backupFrom(db, folder, clock),
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
