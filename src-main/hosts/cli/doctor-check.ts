import type { DoctorCheck } from '../../../src-shared/api/doctor.ts';

export const ok = (name: string, found: string): DoctorCheck => ({ name, status: 'ok', found });

/** @param fix what to do, as a sentence or a command */
export const bad = (
  name: string,
  status: 'warning' | 'problem',
  found: string,
  fix: string,
): DoctorCheck => ({ name, status, found, fix });
