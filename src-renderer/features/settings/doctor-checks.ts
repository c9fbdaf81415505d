import type { DoctorCheck } from '../../../src-shared/api/doctor.ts';

export interface SortedChecks {
  readonly claude: DoctorCheck | undefined;
  readonly login: DoctorCheck | undefined;
  /** Of those about notifications; none from a host that shows none. */
  readonly notifications: DoctorCheck | undefined;
  readonly others: readonly DoctorCheck[];
}

/** The checks by the place where they are shown. */
export function sortChecks(checks: readonly DoctorCheck[]): SortedChecks {
  const named = (name: string): DoctorCheck | undefined => checks.find((check) => check.name === name);
  const [claude, login, notifications] = [named('Claude Code'), named('login'), named('notifications')];
  return {
    claude,
    login,
    notifications,
    others: checks.filter((check) => ![claude, login, notifications].includes(check)),
  };
}
