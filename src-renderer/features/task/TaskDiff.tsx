import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../src-shared/api/task.ts';
import { useCall } from '../../api/api.tsx';
import { DiffView } from '../../components/diff/DiffView.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';

/** What the task has changed against its base. */
export function TaskDiff({ task }: { task: TaskView }) {
  const { t } = useTranslation('task');
  const { data, error, refetch } = useCall('task.diff', { task: task.id });
  const body = (): React.ReactNode => {
    // Before its first turn and after its end a task has no tree: that is no failure.
    if (error?.code === 'task-tree-missing') return <p className="t3 small">{t('noTree')}</p>;
    if (error !== null && data === undefined)
      return <ErrorPanel error={error} onRetry={() => void refetch()} />;
    if (data === undefined) return <Loading />;
    return <DiffView diff={data.diff} title={t('changes')} keptAs={task.id} empty={t('noDiff')} />;
  };
  return (
    <section className="task-pane grow" tabIndex={0} aria-label={t('tab_diff')}>
      {body()}
    </section>
  );
}
