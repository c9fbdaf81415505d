import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import { useAction, useCall, useConnection } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { useSummary } from '../../app/use-summary.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { AddTaskDialog } from './AddTaskDialog.tsx';
import { ProjectRow } from './ProjectRow.tsx';
import { shownOrder } from './row-order.ts';

/** Projects with their slots and queues. */
export function Board() {
  const { t } = useTranslation(['board', 'app']);
  const [, navigate] = useLocation();
  const { data, error, refetch } = useCall('board.show', undefined);
  const summary = useSummary();
  const pause = useAction('hub.pause');
  const unpause = useAction('hub.unpause');
  const { say } = useToast();
  const isOffline = useConnection() === 'lost';
  const [addingTo, setAddingTo] = useState<string | null>(null);
  const [isHovered, setHovered] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const projects = data?.projects ?? [];
  const next = shownOrder(projects, order, isHovered || hasFocus);
  if (order === null ? data !== undefined : order.join() !== next.join()) setOrder(next);
  const rows = next.flatMap((id) => projects.find(({ project }) => project.id === id) ?? []);

  // A project of the sidebar was pressed: its row comes into sight.
  const search = useSearch();
  const wanted = new URLSearchParams(search).get('project');
  const board = useRef<HTMLDivElement>(null);
  const isThere = data !== undefined;
  useEffect(() => {
    if (wanted === null || !isThere) return;
    board.current
      ?.querySelector(`[data-project="${CSS.escape(wanted)}"]`)
      ?.scrollIntoView({ block: 'nearest' });
  }, [wanted, isThere]);

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
    return rows.map((each) => (
      <ProjectRow
        key={each.project.id}
        board={each}
        isWanted={each.project.name === wanted}
        onAddTask={() => setAddingTo(each.project.name)}
      />
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
          disabled={isOffline}
          onClick={() =>
            (summary?.paused === true ? unpause : pause).mutate(
              {},
              { onError: ({ message }) => say(message) },
            )
          }
        >
          {summary?.paused === true ? t('unpause') : t('pause')}
        </button>
        <button type="button" className="btn" onClick={() => navigate('/first-run')}>
          <Icon name="plus" />
          {t('addProject')}
        </button>
      </div>
      <div
        ref={board}
        className="board"
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
      >
        {body()}
      </div>
      {addingTo !== null && <AddTaskDialog project={addingTo} onClose={() => setAddingTo(null)} />}
    </main>
  );
}
