import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TurnEventView } from '../../../src-shared/api/timeline.ts';
import { Icon } from '../../components/Icon.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import { useFormat } from '../../i18n/index.ts';
import { TimelineLine } from './TimelineLine.tsx';
import { likelyHeight } from './row-height.ts';
import { newerThan, type TimelineRow } from './timeline-rows.ts';

interface Props {
  readonly rows: readonly TimelineRow[];
  /** Oldest first. */
  readonly events: readonly TurnEventView[];
  readonly hasOlder: boolean;
  /** Nothing has happened yet. */
  readonly isEmpty: boolean;
  readonly loadOlder: () => void;
  /** Room for the lines, before the pane is there to be measured. */
  readonly heightPx: number;
  readonly agentName: string;
  /** New lines are read aloud. */
  readonly isAloud: boolean;
}

/** Nearer to the end than this counts as being there. */
const EDGE_PX = 40;
/** Older events are fetched when this few lines are left above. */
const EARLY = 30;

/** The lines of a timeline, of which those in sight are drawn; begins at the newest. */
export function TimelinePane(props: Props) {
  const { rows, events, hasOlder, isEmpty, loadOlder, heightPx, agentName, isAloud } = props;
  const { t } = useTranslation('task');
  const format = useFormat();
  const pane = useRef<HTMLDivElement>(null);
  const [isAtEdge, setAtEdge] = useState(true);
  /** Id of the newest event when the live edge was left. */
  const [seen, setSeen] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => pane.current,
    estimateSize: (index) => likelyHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    // The newest lines are the first ones drawn, rather than those at the top and then these.
    initialRect: { width: 0, height: heightPx },
    initialOffset: () => Math.max(0, rows.reduce((sum, row) => sum + likelyHeight(row), 0) - heightPx),
    // Lines that came above must not move what is being read, nor draw others for a frame.
    anchorTo: 'end',
  });
  const size = virtual.getTotalSize();
  const shown = virtual.getVirtualItems();

  // At the live edge the newest line stays in sight, whatever came or grew.
  useLayoutEffect(() => {
    if (isAtEdge && rows.length > 0) virtual.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [isAtEdge, rows.length, size, virtual]);

  const top = shown[0]?.index ?? 0;
  const isShort = size < (virtual.scrollRect?.height ?? 0);
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

  return (
    <>
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
        <div className="tl-space" style={{ height: size }}>
          {shown.map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <Row
                  key={key}
                  index={index}
                  startPx={start}
                  row={row}
                  agentName={agentName}
                  measure={virtual.measureElement}
                />
              )
            );
          })}
        </div>
        {isEmpty && <p className="t3 small tl-none">{t('nothingYet')}</p>}
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
    </>
  );
}

interface RowProps {
  readonly index: number;
  readonly startPx: number;
  readonly row: TimelineRow;
  readonly agentName: string;
  readonly measure: (element: HTMLDivElement | null) => void;
}

/** Scrolling draws the pane anew in each frame, and of its lines only those that come into sight. */
const Row = memo(function Row({ index, startPx, row, agentName, measure }: RowProps) {
  return (
    // Placed by a transform: what was painted of a line is kept while others come and go, which `top` does not do.
    <div
      data-index={index}
      className="tl-row"
      ref={measure}
      style={{ transform: `translateY(${startPx}px)` }}
    >
      <TimelineLine row={row} agentName={agentName} />
    </div>
  );
});
