import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DoctorView } from '../../../src-shared/api/doctor.ts';
import type { SettingsView } from '../../../src-shared/api/settings.ts';
import type { CallError } from '../../api/transport.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { useFormat } from '../../i18n/index.ts';
import { CheckLine } from './CheckLine.tsx';
import { sortChecks } from './doctor-checks.ts';
import { Row } from './Row.tsx';
import { sourceOf } from './source-of.ts';

interface Props {
  readonly doctor: UseQueryResult<DoctorView, CallError>;
  readonly config: SettingsView['config'];
}

/** The executable, its login, and where its path comes from. */
export function ClaudeSection({ doctor, config }: Props) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { data, error, refetch, isFetching, dataUpdatedAt } = doctor;
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={2} />;
  const { claude, login } = sortChecks(data.checks);
  const configured = config.values.find(({ name }) => name === 'claude');
  const again = (
    <button type="button" className="btn" disabled={isFetching} onClick={() => void refetch()}>
      {isFetching ? t('checking') : t('checkAgain')}
    </button>
  );
  return (
    <>
      <Row name={t('executable')} control={again}>
        {claude === undefined ? t('notChecked') : <CheckLine check={claude} />}
        <span className="small note">
          {configured === undefined || configured.source === 'default'
            ? t('claudeFromPath')
            : t('claudePath', { source: sourceOf(t, configured, config.file) })}{' '}
          {t('claudeChange', { file: config.file ?? `${config.folder}/config.toml` })}
        </span>
      </Row>
      <Row
        name={t('login')}
        note={t('checkedAt', { time: format.time(new Date(dataUpdatedAt).toISOString()) })}
      >
        {login === undefined ? t('notChecked') : <CheckLine check={login} />}
      </Row>
    </>
  );
}
