import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { ProgramOutput } from '../../components/ProgramOutput.tsx';

/** What the task has changed against its base. */
export function TaskDiff({ task }: { task: number }) {
  const { t } = useTranslation('task');
  const { data, error, refetch } = useCall('task.diff', { task });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="task-pane grow" aria-label={t('tab_diff')}>
      {data.diff === '' ? (
        <p className="t3 small">{t('noDiff')}</p>
      ) : (
        <ProgramOutput text={data.diff} lines={null} />
      )}
    </section>
  );
}
