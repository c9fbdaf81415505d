import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../src-shared/api/settings.ts';
import { SafeLine } from '../../components/SafeText.tsx';

/** What agents of each project may do, and how long texts are kept. */
export function PolicySection({ policy }: { policy: PolicyView }) {
  const { t } = useTranslation('settings');
  const days = (count: number | null): string => (count === null ? t('forEver') : t('days', { count }));
  if (policy.projects.length === 0) return <p className="t2">{t('noProjects')}</p>;
  return (
    <>
      <div className="policy-box" tabIndex={0} role="region" aria-label={t('policyBox')}>
        <table aria-label={t('policy')}>
          <thead>
            <tr>
              <th>{t('head_project')}</th>
              <th>{t('head_data')}</th>
              <th>{t('head_network')}</th>
              <th>{t('head_merge')}</th>
              <th>{t('head_testsAs')}</th>
              <th className="num">{t('head_events')}</th>
              <th className="num">{t('head_transcripts')}</th>
              <th className="num">{t('head_output')}</th>
            </tr>
          </thead>
          <tbody>
            {policy.projects.map((project) => (
              <tr key={project.id}>
                <td className="clip">
                  <SafeLine text={project.name} most={100} />
                </td>
                <td>{t(`data_${project.dataClass}`)}</td>
                <td>{t(project.allowNetwork ? 'network_yes' : 'network_no')}</td>
                <td>{t(`merge_${project.merge}`)}</td>
                <td>
                  {project.testsRunAs === null ? t('testsAsYou') : <SafeLine text={project.testsRunAs} />}
                </td>
                <td className="num">{days(project.retention.turnEventsDays)}</td>
                <td className="num">{days(project.retention.transcriptsDays)}</td>
                <td className="num">{days(project.retention.testOutputDays)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="small t2 caps-note">{t('policyNote')}</p>
    </>
  );
}
