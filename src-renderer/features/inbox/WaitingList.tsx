import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { InboxRow, optionId } from './InboxRow.tsx';

interface Props {
  readonly waiting: readonly ItemView[];
  readonly selected: number | null;
  /** What scrolls; the list is a part of what is in it. Null until it is there. */
  readonly scroller: HTMLDivElement | null;
  readonly listRef: RefObject<HTMLUListElement | null>;
  readonly onSelect: (number: number) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onEnter: () => void;
}

/** Height of a row as the styles make it: three lines and its padding; measured once it is there. */
const ROW = 76;

/** What waits, as one list box. Only the rows in sight are there, so that a thousand cost no more than ten. */
export function WaitingList({ waiting, selected, scroller, listRef, onSelect, onStep, onEnter }: Props) {
  const { t } = useTranslation('inbox');
  /** Where the list begins in what scrolls; null until that is measured. */
  const [measured, setTop] = useState<number | null>(null);
  const top = measured ?? 0;
  const rows = useVirtualizer({
    count: waiting.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW,
    getItemKey: (index) => waiting[index]?.number ?? index,
    overscan: 6,
    scrollMargin: top,
    scrollPaddingStart: top,
    initialRect: { width: 0, height: window.innerHeight },
  });
  // What stands above the list is a line of words, whose height is the font's.
  useLayoutEffect(() => {
    const list = listRef.current;
    if (list === null || scroller === null) return;
    setTop(list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);
  }, [listRef, scroller]);

  const at = waiting.findIndex((item) => item.number === selected);
  /** Only a selection that moves scrolls: an item that came in or went must not move what is being read. */
  const shown = useRef<number | null>(null);
  useEffect(() => {
    // An item that is not in the list yet, or not any more, is come to once it is.
    const there = at === -1 ? null : selected;
    if (measured === null || shown.current === there) return;
    shown.current = there;
    if (there !== null) rows.scrollToIndex(at, { align: 'auto' });
  }, [rows, measured, selected, at]);

  const pressed = (event: KeyboardEvent): void => {
    const to = (item: ItemView | undefined) => () => {
      if (item !== undefined) onSelect(item.number);
    };
    const act = {
      ArrowDown: () => onStep(1),
      ArrowUp: () => onStep(-1),
      Home: to(waiting[0]),
      End: to(waiting.at(-1)),
      Enter: onEnter,
    }[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key === 'Enter' && event.repeat) return;
    act();
  };
  const inSight = rows.getVirtualItems();
  const isThere = inSight.some(({ index }) => index === at);
  const above = (inSight[0]?.start ?? top) - top;
  const below = rows.getTotalSize() - ((inSight.at(-1)?.end ?? top) - top);
  return (
    <ul
      ref={listRef}
      data-area="list"
      role="listbox"
      aria-label={t('items')}
      tabIndex={0}
      {...(isThere && selected !== null ? { 'aria-activedescendant': optionId(selected) } : {})}
      style={{ paddingTop: above, paddingBottom: below }}
      onKeyDown={pressed}
    >
      {inSight.map(({ index }) => {
        const item = waiting[index];
        return item === undefined ? null : (
          <InboxRow
            key={item.number}
            ref={rows.measureElement}
            item={item}
            place={index}
            of={waiting.length}
            isSelected={index === at}
            onSelect={onSelect}
          />
        );
      })}
    </ul>
  );
}
