import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearch } from 'wouter';
import { useCall } from '../../api/api.tsx';
import { useSummary } from '../../app/use-summary.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { EmptyInbox } from './EmptyInbox.tsx';
import { InboxList } from './InboxList.tsx';
import { ItemDetail } from './ItemDetail.tsx';
import { filterFrom, grouped, inboxPath, nextAfter, stepFrom, type InboxFilter } from './inbox-list.ts';
import { useNewItems } from './use-new-items.ts';

/** Below this the detail takes the place of the list. */
const NARROW = '(max-width: 799px)';

/** The home of the window: what waits at the left, one item of it at the right. */
export function Inbox({ number }: { number: number | null }) {
  const { t } = useTranslation('inbox');
  const [, navigate] = useLocation();
  const filter = filterFrom(useSearch());
  const killed = useSummary()?.killed ?? null;
  const isNarrow = useMedia(NARROW);
  const list = useRef<HTMLUListElement>(null);
  const detail = useRef<HTMLElement>(null);
  const listed = useCall('inbox.list', { today: true });
  const { kind, project } = filter;
  const killedSince = killed?.since ?? null;
  const groups = useMemo(
    () => grouped(listed.data ?? [], { kind, project }, killedSince),
    [listed.data, kind, project, killedSince],
  );
  const numbers = useMemo(() => groups.waiting.map((item) => item.number), [groups]);
  const announcement = useNewItems(listed.data);

  const found = listed.data?.find((item) => item.number === number);
  const shown = useCall(
    'inbox.show',
    { item: number ?? 0 },
    { enabled: number !== null && listed.data !== undefined && found === undefined },
  );
  const item = found ?? (number === null ? undefined : shown.data);

  const go = (to: number | null, options?: { readonly replace: boolean }): void =>
    navigate(inboxPath(to, filter), options);
  const select = (to: number | null): void => {
    if (to === null) return;
    go(to);
    list.current?.focus();
  };
  const step = (by: 1 | -1): void => select(stepFrom(numbers, number, by));
  const toList = (): void => {
    if (isNarrow) go(null);
    else list.current?.focus();
  };
  const toDetail = (): void => {
    const first = numbers[0] ?? null;
    if (number === null && first !== null) go(first);
    detail.current
      ?.querySelector<HTMLElement>('[data-option="1"].opt:not([disabled]), [data-reply]')
      ?.focus();
    // Where nothing may be chosen by Enter, the beginning of the text.
    if (detail.current?.contains(document.activeElement) !== true) {
      detail.current?.querySelector<HTMLElement>('[data-detail-title]')?.focus();
    }
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ...(item?.taskNumber === null || item === undefined
      ? {}
      : { o: () => navigate(`/task/${String(item.taskNumber)}`) }),
  });

  // The first item shows by itself where there is room; from then on the selection only moves when asked.
  const first = numbers[0];
  useEffect(() => {
    if (number === null && !isNarrow && first !== undefined) {
      navigate(inboxPath(first, filterFrom(location.search)), { replace: true });
    }
  }, [number, isNarrow, first, navigate]);

  const body = (): React.ReactNode => {
    if (listed.error !== null && listed.data === undefined) {
      return <ErrorPanel error={listed.error} onRetry={() => void listed.refetch()} />;
    }
    if (listed.data === undefined) return <Loading rows={4} />;
    if (number === null) return groups.waiting.length === 0 ? <EmptyInbox /> : null;
    if (item !== undefined) {
      return (
        <ItemDetail
          item={item}
          onStored={(stored) => {
            go(nextAfter(numbers, stored.number));
            list.current?.focus();
          }}
        />
      );
    }
    if (shown.error !== null) {
      return <ErrorPanel error={shown.error} onRetry={() => void shown.refetch()} />;
    }
    return <Loading rows={4} />;
  };
  const isListShown = !isNarrow || number === null;
  const left = (event: KeyboardEvent<HTMLElement>): void => {
    // A dialog's keys come through here as well, though it is not inside.
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    event.preventDefault();
    toList();
  };
  return (
    <main className={isNarrow ? 'main' : 'main split'}>
      {isListShown && (
        <InboxList
          groups={groups}
          filter={filter}
          selected={number}
          listRef={list}
          onSelect={(to) => go(to)}
          onStep={step}
          onEnter={toDetail}
          onFilter={(next: InboxFilter) => navigate(inboxPath(null, next))}
        />
      )}
      {(!isNarrow || number !== null) && (
        <section ref={detail} className="detail" onKeyDown={left}>
          {isNarrow && (
            <Link className="back" href={inboxPath(null, filter)}>
              {t('back')}
            </Link>
          )}
          {body()}
        </section>
      )}
      <p className="vh" role="status">
        {announcement}
      </p>
    </main>
  );
}
