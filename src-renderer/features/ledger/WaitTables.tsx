import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import { SafeLine } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';

const VIAS = ['cli', 'desktop', 'web', 'mcp', 'notification', 'system'] as const;
const isKnownVia = (via: string): via is (typeof VIAS)[number] => VIAS.some((each) => each === via);

/** The newest questions and how long each waited, those without an answer first. */
export function RelayWaitsTable({ waits }: { waits: LedgerTotalsView['relayWaits'] }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  return (
    <section>
      <h2>
        {t('relayWaits')} <span>{t('newestFirst')}</span>
      </h2>
      <div className="table-box" tabIndex={0} role="region" aria-label={t('relayWaitsBox')}>
        <table aria-label={t('relayWaits')}>
          <thead>
            <tr>
              <th>{t('head_item')}</th>
              <th>{t('head_project')}</th>
              <th>{t('head_task')}</th>
              <th className="num">{t('head_cycle')}</th>
              <th className="num">{t('head_asked')}</th>
              <th className="num">{t('head_waited')}</th>
              <th>{t('head_via')}</th>
            </tr>
          </thead>
          <tbody>
            {waits.newest.length === 0 && (
              <tr>
                <td colSpan={7} className="t3">
                  {t('noQuestions')}
                </td>
              </tr>
            )}
            {waits.newest.map((each) => (
              <tr key={`${each.item} ${each.cycle}`}>
                <td>
                  <Link href={`/inbox/${each.item}`}>#{each.item}</Link>
                </td>
                <td className="clip">
                  <SafeLine text={each.project ?? ''} most={100} />
                </td>
                <td className="clip">
                  <SafeLine text={each.taskTitle ?? ''} most={200} />
                </td>
                <td className="num">{each.cycle ?? ''}</td>
                <td className="num">{format.dateTime(each.raisedAt)}</td>
                <td className="num">{format.length(each.waitedS * 1000)}</td>
                <td className="t2">
                  {each.respondedAt === null
                    ? t('stillWaits')
                    : each.via !== null && isKnownVia(each.via)
                      ? t(`via_${each.via}`)
                      : (each.via ?? '')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The newest waits for the agent's account or for a repository. */
export function LockWaitsTable({ waits }: { waits: LedgerTotalsView['lockWaits'] }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  return (
    <section>
      <h2>
        {t('lockWaits')} <span>{t('newestFirst')}</span>
      </h2>
      <div className="table-box" tabIndex={0} role="region" aria-label={t('lockWaitsBox')}>
        <table aria-label={t('lockWaits')}>
          <thead>
            <tr>
              <th>{t('head_at')}</th>
              <th>{t('head_project')}</th>
              <th>{t('head_lock')}</th>
              <th className="num">{t('head_task')}</th>
              <th className="num">{t('head_waited')}</th>
            </tr>
          </thead>
          <tbody>
            {waits.newest.length === 0 && (
              <tr>
                <td colSpan={5} className="t3">
                  {t('noLockWaits')}
                </td>
              </tr>
            )}
            {waits.newest.map((each, index) => (
              <tr key={index}>
                <td>{format.dateTime(each.at)}</td>
                <td className="clip">
                  <SafeLine text={each.project ?? ''} most={100} />
                </td>
                <td className="t2">{t(`lock_${each.lock}`)}</td>
                <td className="num">
                  {each.taskNumber !== null && (
                    <Link href={`/task/${each.taskNumber}`}>{each.taskNumber}</Link>
                  )}
                </td>
                <td className="num">{format.length(each.waitedS * 1000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
