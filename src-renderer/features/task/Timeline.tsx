import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../src-shared/api/task.ts';
import type { TurnView } from '../../../src-shared/api/timeline.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import { useFormat } from '../../i18n/index.ts';
import { TimelineLine } from './TimelineLine.tsx';
import { newerThan, timelineRows, type TimelineRow } from './timeline-rows.ts';
import { useTimeline } from './use-timeline.ts';

interface Props {
  readonly task: TaskView;
  readonly turns: readonly TurnView[];
  readonly agentName: string;
  /** New lines are read aloud. */
  readonly isAloud: boolean;
}

/** Nearer to the end than this counts as being there. */
const EDGE_PX = 40;
/** Older events are fetched when this few lines are left above. */
const EARLY = 30;
/** Heights before a line was drawn, so that little moves when it is. */
const LIKELY_PX: Readonly<Record<TimelineRow['kind'], number>> = {
  asked: 54,
  'turn-start': 28,
  'turn-end': 28,
  waited: 28,
  said: 40,
  tool: 28,
  reads: 28,
  note: 28,
};

/** What the turns of a task did, from stored events; follows the newest until one scrolls away. */
export function Timeline({ task, turns, agentName, isAloud }: Props) {
  const { t } = useTranslation('task');
  const format = useFormat();
  const { events, hasOlder, error, isLoading, loadOlder, retry } = useTimeline(task.id);
  const rows = useMemo<readonly TimelineRow[]>(() => {
    const made = timelineRows(events, turns, !hasOlder, true, task.openItems[0] ?? null);
    return hasOlder || isLoading ? made : [{ kind: 'asked', key: 'asked', task }, ...made];
  }, [events, turns, hasOlder, isLoading, task]);
  const pane = useRef<HTMLDivElement>(null);
  const [isAtEdge, setAtEdge] = useState(true);
  /** Id of the newest event when the live edge was left. */
  const [seen, setSeen] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: (index) => LIKELY_PX[rows[index]?.kind ?? 'tool'],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  });
  const size = virtual.getTotalSize();
  const shown = virtual.getVirtualItems();

  // At the live edge the newest line stays in sight, whatever came or grew.
  useLayoutEffect(() => {
    if (isAtEdge && rows.length > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [isAtEdge, rows.length, size, virtual]);

  // Lines that came above must not move what is being read: it stays where it was, to the pixel.
  const firstKey = rows[0]?.key;
  const kept = useRef<{ readonly first: string | undefined; readonly lines: readonly [string, number][] }>({
    first: undefined,
    lines: [],
  });
  useLayoutEffect(() => {
    const element = pane.current;
    if (element === null) return;
    const before = kept.current;
    if (!isAtEdge && before.first !== undefined && before.first !== firstKey) {
      const wanted = new Map(before.lines);
      const index = rows.findIndex((row) => wanted.has(row.key));
      // Lines that were drawn just now have been measured since: places are reckoned anew by this call.
      virtual.getTotalSize();
      const start = virtual.measurementsCache[index]?.start;
      const distance = wanted.get(rows[index]?.key ?? '');
      if (start !== undefined && distance !== undefined) {
        element.scrollTop = start + distance;
        // What it hears of by an event later: measuring goes by it before that.
        virtual.scrollOffset = start + distance;
      }
    }
    const { scrollTop } = element;
    kept.current = {
      first: firstKey,
      lines: virtual
        .getVirtualItems()
        .filter((item) => item.end > scrollTop)
        .map((item) => [String(item.key), scrollTop - item.start]),
    };
  });

  const top = shown[0]?.index ?? 0;
  const isShort = size < (pane.current?.clientHeight ?? 0);
  useEffect(() => {
    if (hasOlder && (isShort || (top < EARLY && !isAtEdge))) loadOlder();
  }, [top, hasOlder, isAtEdge, isShort, loadOlder]);

  const jump = (): void => {
    setAtEdge(true);
    virtual.scrollToIndex(rows.length - 1, { align: 'end' });
    pane.current?.focus({ preventScroll: true });
  };
  useKeys({ End: jump });
  const newer = isAtEdge ? 0 : newerThan(events, seen);

  if (error !== null && events.length === 0) return <ErrorPanel error={error} onRetry={retry} />;
  return (
    <section className="tl grow" aria-label={t('timeline')}>
      <div
        ref={pane}
        className="tl-pane"
        tabIndex={0}
        role="log"
        aria-live={isAloud ? 'polite' : 'off'}
        aria-label={t('timeline')}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          const isNear = scrollHeight - scrollTop - clientHeight < EDGE_PX;
          if (isNear === isAtEdge) return;
          setAtEdge(isNear);
          if (!isNear) setSeen(events.at(-1)?.id ?? 0);
        }}
      >
        {isLoading && events.length === 0 && <Loading rows={4} />}
        <div className="tl-space" style={{ height: size }}>
          {shown.map((item) => {
            const row = rows[item.index];
            return (
              row !== undefined && (
                <div
                  key={item.key}
                  data-index={item.index}
                  className="tl-row"
                  ref={virtual.measureElement}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <TimelineLine row={row} agentName={agentName} />
                </div>
              )
            );
          })}
        </div>
        {!isLoading && events.length === 0 && turns.length === 0 && (
          <p className="t3 small tl-none">{t('nothingYet')}</p>
        )}
      </div>
      {!isAtEdge && (
        <button type="button" className="btn jump" onClick={jump}>
          <Icon name="down" isSmall />
          {t('jump')}
          {newer > 0 && (
            <span className="t3" aria-hidden="true">
              {t('newer', { count: newer, number: format.number(newer) })}
            </span>
          )}
        </button>
      )}
      <span className="vh" role="status">
        {newer > 0 && t('newer', { count: newer, number: format.number(newer) })}
      </span>
    </section>
  );
}
