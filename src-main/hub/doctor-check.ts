import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import type { DataFolder } from '../adapters/data-folder.ts';
import type { Clock } from '../core/ports/world.ts';

/** What the checks see of the process that they run in. */
export interface DoctorHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: DataFolder;
  readonly clock: Clock;
  /** Asks the hub that has the store open for the first entry of its ledger that does not verify; null when there is none. */
  readonly chainInHub?: () => Promise<number | null>;
}

export const ok = (name: string, found: string): DoctorCheck => ({ name, status: 'ok', found });

/** @param fix what to do, as a sentence or a command */
export const bad = (
  name: string,
  status: 'warning' | 'problem',
  found: string,
  fix: string,
): DoctorCheck => ({ name, status, found, fix });
