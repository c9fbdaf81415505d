import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerEntryView } from '../../../src-shared/api/ledger.ts';
import { SafeLine } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';
import { EntryDialog } from './EntryDialog.tsx';

const ROW = 27;

/** Entries, the newest first; only the rows in sight are there. New ones move nothing that is being read. */
export function EntriesTable({ entries }: { entries: readonly LedgerEntryView[] }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<LedgerEntryView | null>(null);
  const at = (index: number): LedgerEntryView | undefined => entries[entries.length - 1 - index];
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 900, height: 400 },
  });

  const newest = entries.at(-1)?.seq ?? 0;
  const before = useRef(newest);
  useLayoutEffect(() => {
    const added = entries.filter(({ seq }) => seq > before.current).length;
    before.current = newest;
    const place = box.current;
    if (place !== null && place.scrollTop > 0) place.scrollTop += added * ROW;
  }, [entries, newest]);

  const items = rows.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div
      ref={box}
      className="entries-box"
      tabIndex={0}
      role="region"
      aria-label={t('entriesBox')}
      data-area="entries"
    >
      <table aria-label={t('entries')} aria-rowcount={entries.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th className="num col-seq">{t('head_seq')}</th>
            <th className="col-at">{t('head_at')}</th>
            <th className="col-kind">{t('head_kind')}</th>
            <th className="col-project">{t('head_project')}</th>
            <th className="num col-item">{t('head_item')}</th>
            <th>{t('head_data')}</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" className="gap" style={{ height: above }} />}
          {items.map(({ index }) => {
            const entry = at(index);
            if (entry === undefined) return null;
            return (
              <tr key={entry.seq} aria-rowindex={index + 2}>
                <td className="num">
                  <button
                    type="button"
                    className="link"
                    aria-label={t('showEntry', { seq: entry.seq })}
                    onClick={() => setShown(entry)}
                  >
                    {entry.seq}
                  </button>
                </td>
                <td>{format.dateTime(entry.at)}</td>
                <td className="clip">
                  <code>
                    <SafeLine text={entry.kind} most={80} />
                  </code>
                </td>
                <td className="clip">
                  <SafeLine text={entry.project ?? ''} most={100} />
                </td>
                <td className="num">{entry.item === null ? '' : `#${entry.item}`}</td>
                <td className="clip t2 mono">
                  <SafeLine text={JSON.stringify(entry.data)} most={300} />
                </td>
              </tr>
            );
          })}
          {below > 0 && <tr aria-hidden="true" className="gap" style={{ height: below }} />}
        </tbody>
      </table>
      {shown !== null && <EntryDialog entry={shown} onClose={() => setShown(null)} />}
    </div>
  );
}
