import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import { bad, type DoctorHost } from './doctor-check.ts';

/** Tells a hub that the desktop application starts why it has no PATH of the login shell. */
export const PATH_NOTE = 'SIGNALBOX_PATH_NOTE';

/** Nothing to say unless the login shell was asked and did not tell. */
export function checkPath({ env }: DoctorHost): readonly DoctorCheck[] {
  const problem = env[PATH_NOTE];
  if (problem === undefined) return [];
  const found = `programs are looked for in ${env['PATH'] ?? 'no folder'}; ${problem}`;
  const fix =
    'If claude or git is not found, start Signalbox from a terminal, or name claude in the configuration file.';
  return [bad('PATH', 'warning', found, fix)];
}
