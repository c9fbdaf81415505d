import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoctorView } from '../../../src-shared/api/doctor.ts';
import { useAction } from '../../api/api.tsx';
import type { CallError } from '../../api/transport.ts';
import { useToast } from '../../app/Toast.tsx';
import { useSummary } from '../../app/use-summary.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { useFormat } from '../../i18n/index.ts';
import { CheckLine } from './CheckLine.tsx';
import { sortChecks } from './doctor-checks.ts';
import { Row } from './Row.tsx';

/** The process that runs the tasks, and what else this machine was checked for. */
export function HubSection({ doctor }: { doctor: UseQueryResult<DoctorView, CallError> }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { say } = useToast();
  const summary = useSummary();
  const stop = useAction('hub.stop');
  const [isAsking, setAsking] = useState(false);
  const hub = summary?.hub ?? null;
  const running = summary?.running ?? 0;
  return (
    <>
      <Row name={t('version')}>{summary?.version}</Row>
      <Row
        name={t('hub')}
        note={hub === null ? undefined : t('hubSince', { time: format.dateTime(hub.since), pid: hub.pid })}
        control={
          hub !== null && (
            <button type="button" className="btn danger" onClick={() => setAsking(true)}>
              {t('stopHub')}
            </button>
          )
        }
      >
        {hub === null ? t('noHub') : t(`host_${hub.host}`)}
      </Row>
      {sortChecks(doctor.data?.checks ?? []).others.map((check) => (
        <Row key={check.name} name={check.name}>
          <CheckLine check={check} />
        </Row>
      ))}
      {isAsking && (
        <ConfirmDialog
          title={t('stopTitle')}
          text={t('stopText', { count: running })}
          act={t('stopHub')}
          isDestructive
          isPending={stop.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            stop.mutate(undefined, {
              onError: (error) => say(t('notStopped', { message: error.message })),
            });
          }}
        />
      )}
    </>
  );
}
