import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { useFormat } from '../../i18n/index.ts';

type WaitClass = LedgerTotalsView['relayWaits']['classes'][number];

/** How long questions waited for their answers, with their counts: chart and numbers in one. */
export function WaitBars({ classes }: { classes: readonly WaitClass[] }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const most = Math.max(1, ...classes.map(({ count }) => count));
  const length = (s: number): string => format.length(s * 1000);
  return (
    <dl className="hist" aria-label={t('waitClasses')}>
      {classes.map(({ underS, count }, index) => {
        const from = classes[index - 1]?.underS ?? null;
        const name =
          from === null
            ? t('under', { length: length(underS ?? 0) })
            : underS === null
              ? t('over', { length: length(from) })
              : t('between', { from: from / 60, to: underS / 60 });
        return (
          <Fragment key={index}>
            <dt className="t2">{name}</dt>
            <dd>
              <i style={{ width: `${(100 * count) / most}%` }} />
              <b className="strong num">{format.number(count)}</b>
            </dd>
          </Fragment>
        );
      })}
    </dl>
  );
}
