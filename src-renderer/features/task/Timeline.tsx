import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import { TimelineLine } from './TimelineLine.tsx';
import { timelineRows } from './timeline-rows.ts';
import { useTimeline, useTurns } from './use-timeline.ts';

interface Props {
  readonly task: number;
  readonly agentName: string;
}

/** Nearer to the end than this counts as being there. */
const EDGE_PX = 40;
/** Older events are fetched when this few lines are left above. */
const EARLY = 10;

/** What the turns of a task did, from stored events; follows the newest until one scrolls away. */
export function Timeline({ task, agentName }: Props) {
  const { t } = useTranslation('task');
  const { events, hasOlder, error, isLoading, loadOlder } = useTimeline(task);
  const turns = useTurns(task);
  const rows = useMemo(() => timelineRows(events, turns, !hasOlder, true), [events, turns, hasOlder]);
  const pane = useRef<HTMLDivElement>(null);
  const [isAtEdge, setAtEdge] = useState(true);
  const [seen, setSeen] = useState(0);
  const [isAloud, setAloud] = useState(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: () => 30,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
  });

  // At the live edge the newest line stays in sight, whatever came or grew.
  const size = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (isAtEdge && rows.length > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [isAtEdge, rows.length, size, virtual]);

  // Lines that came above must not move what is being read.
  const firstKey = rows[0]?.key;
  const anchor = useRef<{ key: string | undefined; count: number }>({ key: undefined, count: 0 });
  useLayoutEffect(() => {
    const { key, count } = anchor.current;
    anchor.current = { key: firstKey, count: rows.length };
    if (isAtEdge || key === undefined || key === firstKey) return;
    const moved = rows.findIndex((row) => row.key === key);
    if (moved > 0 && rows.length > count) virtual.scrollToIndex(moved, { align: 'start' });
  }, [firstKey, rows, isAtEdge, virtual]);

  const shown = virtual.getVirtualItems();
  const top = shown[0]?.index ?? 0;
  useEffect(() => {
    if (top < EARLY && hasOlder && !isAtEdge) loadOlder();
  }, [top, hasOlder, isAtEdge, loadOlder]);

  const jump = (): void => {
    setAtEdge(true);
    virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  };
  useKeys({ End: jump });
  const newer = events.length - seen;

  if (error !== null && events.length === 0) return <ErrorPanel error={error} />;
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
          if (isNear !== isAtEdge) {
            setAtEdge(isNear);
            if (!isNear) setSeen(events.length);
          }
        }}
      >
        {isLoading && events.length === 0 && <Loading rows={4} />}
        {!isLoading && rows.length === 0 && <p className="t3 small">{t('nothingYet')}</p>}
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
      </div>
      <label className="tl-aloud small t3">
        <input type="checkbox" checked={isAloud} onChange={(event) => setAloud(event.target.checked)} />
        {t('readAloud')}
      </label>
      {!isAtEdge && (
        <button type="button" className="btn jump" onClick={jump}>
          {t('jump')}
          {newer > 0 && <span className="t3">{t('newer', { count: newer })}</span>}
        </button>
      )}
    </section>
  );
}
