import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { BoardSlotView } from '../../../src-shared/api/board.ts';
import { useCall } from '../../api/api.tsx';
import { Icon } from '../../components/Icon.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { AddTaskDialog } from '../board/AddTaskDialog.tsx';

/** Nothing to decide: what runs instead. */
export function EmptyInbox() {
  const { t } = useTranslation('inbox');
  const { data } = useCall('board.show', undefined);
  const [addingTo, setAddingTo] = useState<string | null>(null);
  const projects = data?.projects ?? [];
  const slots = projects.flatMap((each) => each.slots.map((slot) => ({ slot, project: each.project.name })));
  const [first] = projects;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={t('emptyTitle')} data-area="detail">
      <div className="nothing-waits">
        <h1>{t('emptyTitle')}</h1>
        <p className="t2">
          {t('emptyText')}{' '}
          {data !== undefined && (
            <>
              {t('tasksRunning', { count: slots.length })} {t('tasksQueued', { count: data.queued })}
            </>
          )}
        </p>
        <ul>
          {slots.map(({ slot, project }) => (
            <RunningLine key={slot.id} slot={slot} project={project} />
          ))}
        </ul>
        <div className="row">
          <Link className="btn" href="/board">
            {t('openBoard')}
          </Link>
          {first !== undefined && (
            <button type="button" className="btn" onClick={() => setAddingTo(first.project.name)}>
              {t('addTask')}
            </button>
          )}
        </div>
      </div>
      {addingTo !== null && <AddTaskDialog project={addingTo} onClose={() => setAddingTo(null)} />}
    </div>
  );
}

function RunningLine({ slot, project }: { slot: BoardSlotView; project: string }) {
  const { t } = useTranslation('board');
  const format = useFormat();
  const now = useNow();
  const isTesting = slot.phase === 'tests' || slot.phase === 'setup';
  return (
    <li className="run-line">
      <span className="c-run">
        <Icon name={isTesting ? 'testing' : 'running'} />
      </span>
      <span className="clip">
        <b className="medium">
          <SafeLine text={slot.title} />
        </b>{' '}
        <span className="t2">
          · <bdi>{project}</bdi>
        </span>
      </span>
      <span className="small t2">
        {t(`phase_${slot.phase}`)} {format.length(now - Date.parse(slot.since))}
      </span>
      {slot.last !== null && (
        <span className="last mono t2">
          <i className="hm" aria-hidden="true" />
          <span className="clip">
            <SafeLine text={slot.last.text} />
          </span>
        </span>
      )}
    </li>
  );
}
