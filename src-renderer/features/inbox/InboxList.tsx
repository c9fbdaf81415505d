import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { Filters } from './Filters.tsx';
import { ClosedRow } from './InboxRow.tsx';
import { inboxPath, type InboxFilter, type InboxGroups } from './inbox-list.ts';
import { WaitingList } from './WaitingList.tsx';

interface Props {
  readonly groups: InboxGroups;
  readonly filter: InboxFilter;
  readonly selected: number | null;
  readonly listRef: RefObject<HTMLUListElement | null>;
  readonly onSelect: (number: number) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onEnter: () => void;
  readonly onFilter: (filter: InboxFilter) => void;
}

/** The left side: what waits, as one list box, and below it what was answered or closed. */
export function InboxList(props: Props) {
  const { groups, filter, selected, listRef, onSelect, onStep, onEnter, onFilter } = props;
  const { t } = useTranslation(['inbox', 'app']);
  const { waiting, answered, killed } = groups;
  const isFiltered = filter.kind !== null || filter.project !== null;
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  return (
    <section className="list" aria-label={t('app:inbox')}>
      <div className="bar">
        <h1>{t('app:inbox')}</h1>
        <span className="grow" />
        <Filters filter={filter} onFilter={onFilter} />
      </div>
      <div className="list-scroll" ref={setScroller}>
        <div className="group">
          <span id="inbox-waiting">{t('waiting')}</span>
          <span>{waiting.length}</span>
        </div>
        <WaitingList {...{ waiting, selected, scroller, listRef, onSelect, onStep, onEnter }} />
        {waiting.length === 0 && (
          <p className="nothing">
            {isFiltered ? t('noMatch') : t('nothingWaits')}{' '}
            {isFiltered && (
              <button type="button" className="link" onClick={() => onFilter({ kind: null, project: null })}>
                {t('clearFilters')}
              </button>
            )}
          </p>
        )}
        <ClosedGroup
          title={waiting.length === 0 ? t('answeredToday') : t('answered')}
          items={answered}
          {...{ filter, selected }}
        />
        <ClosedGroup title={t('closedByKill')} items={killed} {...{ filter, selected }} />
      </div>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly items: readonly ItemView[];
  readonly filter: InboxFilter;
  readonly selected: number | null;
}

function ClosedGroup({ title, items, filter, selected }: GroupProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <div className="group" aria-hidden="true">
        <span>{title}</span>
        <span>{items.length}</span>
      </div>
      <ul>
        {items.map((item) => (
          <ClosedRow
            key={item.number}
            item={item}
            isSelected={item.number === selected}
            path={inboxPath(item.number, filter)}
          />
        ))}
      </ul>
    </section>
  );
}
