import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { BoardProjectView } from '../../../src-shared/api/board.ts';
import { useAction, useConnection } from '../../api/api.tsx';
import type { CallError } from '../../api/transport.ts';
import { useToast } from '../../app/Toast.tsx';
import { Icon, type GlyphName } from '../../components/Icon.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { isBusy } from './row-order.ts';
import { Queue } from './Queue.tsx';
import { SlotCell } from './SlotCell.tsx';
import { SlotStepper } from './SlotStepper.tsx';

interface Props {
  readonly board: BoardProjectView;
  /** Asked for by name in the sidebar. */
  readonly isWanted: boolean;
  readonly onAddTask: () => void;
}

export function ProjectRow({ board, isWanted, onAddTask }: Props) {
  const { t } = useTranslation('board');
  const { project } = board;
  const { say } = useToast();
  const enable = useAction('project.enable');
  const disable = useAction('project.disable');
  const setSlots = useAction('project.slots');
  const isOffline = useConnection() === 'lost';
  const failed = (error: CallError): void => say([error.message, error.hint].filter(Boolean).join(' '));
  const busy = isBusy(board);

  const facts = [
    project.baseBranch,
    project.testCommand?.join(' ') ?? t('noTestCommand'),
    t(project.dataClass === 'real' ? 'realData' : 'syntheticData'),
  ].join(' · ');
  const free = Math.max(0, project.slots - board.slots.length);
  const slotsEnding = Math.max(0, board.slots.length - project.slots);

  const [glyph, state]: [GlyphName, string] = !project.enabled
    ? ['off', project.disabledReason ?? t('off')]
    : project.hold !== null
      ? ['parked', project.hold]
      : ['free', t('slotsFree', { count: free })];

  const waiting = board.openItems > 0 && (
    <Link className="row c-wait" href={`/inbox?project=${encodeURIComponent(project.name)}`}>
      <Icon name="waiting" isSmall />
      {t('waits', { count: board.openItems })}
    </Link>
  );
  const addTask = (
    <button type="button" className="btn quiet small-btn" disabled={isOffline} onClick={onAddTask}>
      <Icon name="plus" />
      {t('addTask')}
    </button>
  );

  return (
    <section
      className={clsx('prow', busy ? 'busy' : 'idle', !project.enabled && 'off', isWanted && 'wanted')}
      aria-label={project.name}
      data-project={project.name}
    >
      <div className="p">
        <div className="name">
          <button
            type="button"
            role="switch"
            className={clsx('switch', project.enabled && 'on')}
            aria-checked={project.enabled}
            aria-label={t('enabled', { project: project.name })}
            disabled={isOffline}
            onClick={() =>
              (project.enabled ? disable : enable).mutate({ project: project.id }, { onError: failed })
            }
          />
          <bdi className="strong clip" title={project.path}>
            <SafeLine text={project.name} />
          </bdi>
          <span className="grow" />
          <SlotStepper
            name={t('slots', { project: project.name })}
            value={project.slots}
            isDisabled={isOffline}
            onChange={(slots) => setSlots.mutateAsync({ project: project.id, slots }, { onError: failed })}
          />
        </div>
        {busy && <div className="meta clip">{facts}</div>}
      </div>
      {busy ? (
        <ul className="cells">
          {board.slots.map((slot) => (
            <SlotCell key={slot.id} slot={slot} />
          ))}
          {(free > 0 || board.slots.length === 0) && (
            <li className="cell free">
              <Icon name={glyph} isSmall />
              <span className="why" title={state}>
                {state}
              </span>
            </li>
          )}
        </ul>
      ) : (
        <div className="row idle-state">
          <span className="row t3 small">
            <Icon name={glyph} isSmall />
            <span className="clip" title={state}>
              {state}
            </span>
          </span>
          <span className="small t3 clip">{facts}</span>
        </div>
      )}
      {/* The same element in both heights: the focus stays on the button when the row grows. */}
      <div className="qcol">
        {addTask}
        {waiting}
        {slotsEnding > 0 && <span>{t('slotsEnding', { count: slotsEnding })}</span>}
        {busy && <span>{board.queued === 0 ? t('queueEmpty') : t('queued', { count: board.queued })}</span>}
      </div>
      {board.queue.length > 0 && <Queue tasks={board.queue} all={board.queued} />}
    </section>
  );
}
