import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { useFormat } from '../../i18n/index.ts';
import { costOf } from './cost-bars.ts';

function Figure({ name, sub, children }: { name: string; sub: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className="sub" title={sub}>
        {sub}
      </dd>
    </div>
  );
}

/** Six numbers over the whole range. */
export function Figures({ totals }: { totals: LedgerTotalsView }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const { cost, tasks, touches, relayWait, readyToApprove, lockWait } = totals.figures;
  const days = t('days', { count: totals.days.length });
  const projects = t('projects', { count: cost.projects });
  /** A length of seconds; a dash when there was nothing to measure. */
  const length = (s: number | null): string => (s === null ? t('none') : format.length(s * 1000));
  return (
    <dl className="figs">
      <Figure
        name={t('cost')}
        sub={
          cost.assumedUsd > 0
            ? t('costAssumed', { amount: format.usd(cost.assumedUsd) })
            : `${days}, ${projects}`
        }
      >
        {format.usd(costOf(cost))}
      </Figure>
      <Figure
        name={t('approved')}
        sub={`${t('sentBack', { count: tasks.sentBack })}, ${t('cancelled', { count: tasks.cancelled })}`}
      >
        {format.number(tasks.approved)} <small>{t('ofTasks', { all: format.number(tasks.worked) })}</small>
      </Figure>
      <Figure
        name={t('touches')}
        sub={`${t('answers', { count: touches.answers })}, ${t('approvals', { count: touches.approvals })}`}
      >
        {format.number(touches.all)}
      </Figure>
      <Figure
        name={t('relayWait')}
        sub={
          relayWait.longestS === null ? t('noAnswers') : t('longest', { length: length(relayWait.longestS) })
        }
      >
        {length(relayWait.medianS)} {relayWait.medianS !== null && <small>{t('median')}</small>}
      </Figure>
      <Figure
        name={t('readyToApprove')}
        sub={
          readyToApprove.medianWithoutWaitsS === null
            ? t('noOffers')
            : t('withoutWaits', { length: length(readyToApprove.medianWithoutWaitsS) })
        }
      >
        {length(readyToApprove.medianS)} {readyToApprove.medianS !== null && <small>{t('median')}</small>}
      </Figure>
      <Figure
        name={t('lockWait')}
        sub={`${t('waits', { count: lockWait.count })}, ${t('projects', { count: lockWait.projects })}`}
      >
        {length(lockWait.sumS)}
      </Figure>
    </dl>
  );
}
