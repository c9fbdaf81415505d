import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { BoardProjectView } from '../../../src-shared/api/board.ts';
import { useAction, useCall } from '../../api/api.tsx';
import { useSummary } from '../../app/use-summary.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { AddTaskDialog } from './AddTaskDialog.tsx';
import { isBusy, ProjectRow } from './ProjectRow.tsx';

/** Projects with something in a slot first, then those that can start, then those that are off; by name in each. */
function ordered(projects: readonly BoardProjectView[]): BoardProjectView[] {
  const rank = (each: BoardProjectView): number => (isBusy(each) ? 0 : each.project.enabled ? 1 : 2);
  return [...projects].sort((a, b) => rank(a) - rank(b) || a.project.name.localeCompare(b.project.name));
}

/** Projects with their slots and queues. */
export function Board() {
  const { t } = useTranslation(['board', 'app']);
  const [, navigate] = useLocation();
  const { data, error, refetch } = useCall('board.show', undefined);
  const summary = useSummary();
  const pause = useAction('hub.pause');
  const unpause = useAction('hub.unpause');
  const [addingTo, setAddingTo] = useState<string | null>(null);

  const body = (): React.ReactNode => {
    if (error !== null && data === undefined)
      return <ErrorPanel error={error} onRetry={() => void refetch()} />;
    if (data === undefined) return <Loading rows={5} />;
    if (data.projects.length === 0) {
      return (
        <div className="empty">
          <h2>{t('emptyTitle')}</h2>
          <p>{t('emptyText')}</p>
          <button type="button" className="btn primary lg" onClick={() => navigate('/first-run')}>
            {t('addProject')}
          </button>
        </div>
      );
    }
    return ordered(data.projects).map((each) => (
      <ProjectRow key={each.project.id} board={each} onAddTask={() => setAddingTo(each.project.name)} />
    ));
  };

  return (
    <main className="main">
      <div className="bar">
        <h1>{t('app:board')}</h1>
        {data !== undefined && (
          <span className="small t2">
            {t('projects', { count: data.projects.length })},{' '}
            {t('slotsInUse', { used: data.slotsInUse, slots: data.slots })},{' '}
            {t('tasksQueued', { count: data.queued })}
          </span>
        )}
        <span className="grow" />
        <button
          type="button"
          className="btn"
          onClick={() => (summary?.paused === true ? unpause : pause).mutate({})}
        >
          {summary?.paused === true ? t('unpause') : t('pause')}
        </button>
        <button type="button" className="btn" onClick={() => navigate('/first-run')}>
          <Icon name="plus" />
          {t('addProject')}
        </button>
      </div>
      <div className="board">{body()}</div>
      {addingTo !== null && <AddTaskDialog project={addingTo} onClose={() => setAddingTo(null)} />}
    </main>
  );
}
