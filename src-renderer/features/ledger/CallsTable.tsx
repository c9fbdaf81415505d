import { useTranslation } from 'react-i18next';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { useCall } from '../../api/api.tsx';
import { useFormat } from '../../i18n/index.ts';
import { startOfDay } from './range.ts';

/** Calls of each day against the cap of today; a cap of the past is not kept. */
export function CallsTable({ totals }: { totals: LedgerTotalsView }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const ofProject = useCall(
    'project.show',
    { project: totals.project ?? '-' },
    { enabled: totals.project !== null },
  );
  const { agents } = totals.calls;
  const cap = totals.project === null ? totals.calls.limit : (ofProject.data?.caps.callsPerDay ?? null);
  const note =
    totals.project !== null
      ? t('callsOfProject')
      : agents.length > 1
        ? agents
            .map((each) => t('callsOfAgent', { name: each.displayName, used: each.today, limit: each.limit }))
            .join(', ')
        : t('callsOfAll');
  return (
    <section>
      <h2>
        {t('calls')} <span>{note}</span>
      </h2>
      <div className="table-box" tabIndex={0} role="region" aria-label={t('callsBox')}>
        <table aria-label={t('calls')}>
          <thead>
            <tr>
              <th>{t('head_day')}</th>
              <th className="num">{t('head_calls')}</th>
              <th className="num">{t('head_cap')}</th>
              <th>{t('head_used')}</th>
            </tr>
          </thead>
          <tbody>
            {totals.days.toReversed().map(({ day, calls }) => {
              const start = startOfDay(day);
              const part = cap === null || cap === 0 ? 0 : Math.min(1, calls / cap);
              return (
                <tr key={day}>
                  <td>{start === null ? day : format.day(start.toISOString())}</td>
                  <td className="num">{format.number(calls)}</td>
                  <td className="num">{cap === null ? '' : format.number(cap)}</td>
                  <td className="used">
                    <div className="meter" aria-hidden="true">
                      <i style={{ width: `${100 * part}%` }} />
                    </div>
                    {cap !== null && calls > 0 && calls >= cap && (
                      <span className="t2">{t('capReached')}</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
