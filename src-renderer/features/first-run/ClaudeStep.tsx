import { useTranslation } from 'react-i18next';
import type { UseQueryResult } from '@tanstack/react-query';
import type { DoctorCheck, DoctorView } from '../../../src-shared/api/doctor.ts';
import type { CallError } from '../../api/transport.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { CheckLine } from '../settings/CheckLine.tsx';
import { Step } from './Step.tsx';

interface Props {
  readonly doctor: UseQueryResult<DoctorView, CallError>;
  readonly isSkipped: boolean;
  readonly onSkip: () => void;
}

/** Those without which no task can run. */
const NEEDED = ['Claude Code', 'login', 'git'];
export const neededChecks = (checks: readonly DoctorCheck[]): DoctorCheck[] =>
  checks.filter(({ name }) => NEEDED.includes(name));
export const isReady = (doctor: DoctorView | undefined): boolean =>
  doctor !== undefined && neededChecks(doctor.checks).every(({ status }) => status !== 'problem');

/** Claude Code with its login, or how to get it. */
export function ClaudeStep({ doctor, isSkipped, onSkip }: Props) {
  const { t } = useTranslation('first');
  const { data, error, refetch, isFetching } = doctor;
  const checks = neededChecks(data?.checks ?? []);
  const isDone = isReady(data);
  return (
    <Step number={1} title={t('claude')} state={isDone ? 'done' : isSkipped ? 'next' : 'now'}>
      {error !== null && data === undefined && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <p className="t2">{t('looking')}</p>}
      {isDone ? (
        <p className="t2">
          {checks.map(({ name, found }) => (name === 'git' ? `git ${found}` : found)).join(', ')}
        </p>
      ) : (
        checks.map((check) => (
          <div key={check.name} className="check">
            <span className="t2">{check.name}</span>
            <div>
              <CheckLine check={check} />
            </div>
          </div>
        ))
      )}
      {data !== undefined && !isDone && (
        <div className="row step-acts">
          <button type="button" className="btn" disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? t('looking') : t('checkAgain')}
          </button>
          {!isSkipped && (
            <button type="button" className="btn quiet" onClick={onSkip}>
              {t('skip')}
            </button>
          )}
        </div>
      )}
    </Step>
  );
}
