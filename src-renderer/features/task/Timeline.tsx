import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../src-shared/api/task.ts';
import type { TurnView } from '../../../src-shared/api/timeline.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { TimelinePane } from './TimelinePane.tsx';
import { timelineRows, type TimelineRow } from './timeline-rows.ts';
import { useTimeline } from './use-timeline.ts';

interface Props {
  /** As in the address: its events are asked for at once, not after the task. */
  readonly number: string;
  /** Undefined until it is known. */
  readonly task: TaskView | undefined;
  readonly turns: readonly TurnView[];
  readonly agentName: string;
  /** New lines are read aloud. */
  readonly isAloud: boolean;
}

/** What the turns of a task did, from stored events; follows the newest until one scrolls away. */
export function Timeline({ number, task, turns, agentName, isAloud }: Props) {
  const { t } = useTranslation('task');
  const { events, turns: firstTurns, hasOlder, error, isLoading, loadOlder, retry } = useTimeline(number);
  const known = turns.length === 0 ? firstTurns : turns;
  const rows = useMemo<readonly TimelineRow[]>(() => {
    if (task === undefined) return [];
    const made = timelineRows(events, known, !hasOlder, true, task.openItems[0] ?? null);
    return hasOlder || isLoading ? made : [{ kind: 'asked', key: 'asked', task }, ...made];
  }, [events, known, hasOlder, isLoading, task]);
  const section = useRef<HTMLElement>(null);

  if (error !== null && events.length === 0) return <ErrorPanel error={error} onRetry={retry} />;
  return (
    <section ref={section} className="tl grow" aria-label={t('timeline')}>
      {task === undefined || (isLoading && events.length === 0) ? (
        <div className="tl-pane">
          <Loading rows={4} />
        </div>
      ) : (
        <TimelinePane
          rows={rows}
          events={events}
          hasOlder={hasOlder}
          isEmpty={events.length === 0 && known.length === 0}
          loadOlder={loadOlder}
          heightPx={section.current?.clientHeight ?? 0}
          agentName={agentName}
          isAloud={isAloud}
        />
      )}
    </section>
  );
}
