import clsx from 'clsx';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { Icon } from '../../components/Icon.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { excerptOf, GLYPH_OF, titleOf } from './titles.ts';

export const optionId = (number: number): string => `inbox-item-${number}`;

interface RowProps {
  readonly ref: Ref<HTMLLIElement>;
  readonly item: ItemView;
  /** In the whole list, from 0; most of its rows are not there. */
  readonly place: number;
  readonly of: number;
  readonly isSelected: boolean;
  readonly onSelect: (number: number) => void;
}

/** An item that waits: an option of the list. */
export function InboxRow({ ref, item, place, of, isSelected, onSelect }: RowProps) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const now = useNow();
  const title = titleOf(t, item);
  const excerpt = excerptOf(item);
  const isHolding = item.kind === 'permission';
  const age = format.length(now - Date.parse(item.raisedAt));
  return (
    <li
      ref={ref}
      data-index={place}
      id={optionId(item.number)}
      className={clsx('item', isSelected && 'sel')}
      role="option"
      aria-selected={isSelected}
      aria-posinset={place + 1}
      aria-setsize={of}
      onClick={() => onSelect(item.number)}
    >
      <Icon name={GLYPH_OF[item.kind]} />
      <span className="ti clip">
        <span className="vh">#{item.number} </span>
        <SafeLine text={title.text} />
      </span>
      <span className={clsx('ag', isHolding && 'ddl')}>
        {isHolding && <Icon name="waiting" />}
        {age}
      </span>
      <span className="me clip">
        {t(`kind_${item.kind}`)} <span aria-hidden="true">#{item.number}</span> ·{' '}
        <bdi>{item.project ?? t('wholeHub')}</bdi>
        {isHolding && ` · ${t('holdsTurn')}`}
        {title.isOurs && item.taskTitle !== null && (
          <>
            {' '}
            · <SafeLine text={item.taskTitle} />
          </>
        )}
      </span>
      <span className="pv">
        {excerpt.by === 'agent' && <i className="hm" aria-hidden="true" />}
        <span className="clip">
          <SafeLine text={excerpt.text} />
        </span>
      </span>
    </li>
  );
}

/** One that has been answered, or was closed: a way to look at it again. */
export function ClosedRow({ item, isSelected, path }: { item: ItemView; isSelected: boolean; path: string }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const isRefused = item.state === 'expired' || item.state === 'cancelled' || item.delivery === 'failed';
  const delivery = t(`delivery_${item.delivery}`);
  // That an answer is stored or delivered says already that it was given.
  const became =
    item.state === 'answered' && delivery !== '' ? [delivery] : [t(`state_${item.state}`), delivery];
  return (
    <li>
      <Link
        className={clsx('item done', isSelected && 'sel')}
        href={path}
        {...(isSelected ? { 'aria-current': 'true' as const } : {})}
      >
        <Icon name={isRefused ? 'cross' : 'tick'} />
        <span className="ti clip">
          <SafeLine text={titleOf(t, item).text} />
        </span>
        <span className="ag">{format.time(item.respondedAt ?? item.raisedAt)}</span>
        <span className="me clip">
          {t(`kind_${item.kind}`)} #{item.number} · <bdi>{item.project ?? t('wholeHub')}</bdi> ·{' '}
          {became.filter((each) => each !== '').join(', ')}
        </span>
      </Link>
    </li>
  );
}
