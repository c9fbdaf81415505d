import type { EpochMs } from '../../src-shared/time.ts';
import type { HostKind } from '../../src-shared/api/hub.ts';
import type { CsvRow } from '../core/ledger/export.ts';
import type { NoticeTests } from '../core/notify/notice-tests.ts';
import type { ScriptedAgent } from '../core/notify/self-test.ts';
import type { Machine } from '../core/ports/machine.ts';
import type { Artifacts, Clock, KillFile, Log } from '../core/ports/world.ts';
import type { Stores } from '../core/ports/stores.ts';
import type { Actor, Core } from '../core/services.ts';
import type { EventFeed } from './event-feed.ts';

/** The hub that answers, as others are told of it. */
export interface HubFacts {
  readonly pid: number;
  readonly since: EpochMs;
  readonly host: HostKind;
  /** Ends the hub as SIGTERM would; returns at once. */
  requestStop(): void;
}

/** What every call shares: one per process that owns the data folder. */
export interface ApiServices {
  readonly core: Core;
  readonly stores: Stores;
  readonly artifacts: Artifacts;
  readonly feed: EventFeed;
  readonly clock: Clock;
  readonly killFile: KillFile;
  readonly log: Log;
  /** What lies where on this machine. */
  readonly machine: Machine;
  /** Tries whether notifications reach a person. */
  readonly notices: { readonly tests: NoticeTests; startAgent(): ScriptedAgent };
  readonly version: string;
  /** Writes one line of CSV so that no cell is a formula. */
  readonly csvRow: CsvRow;
  /** Null when a command acts without a hub. */
  readonly hub: HubFacts | null;
  /** Copies the database beside the others. @returns path of the copy */
  backup(): Promise<string>;
}

/** One call: the services, and who makes it. The channel decides who may speak, the router what may be said. */
export interface ApiContext extends ApiServices {
  readonly actor: Actor;
  /** The caller runs below a process that Signalbox started: it may look, never decide (12-engine, Who is the hub). */
  readonly isAgent: boolean;
}
