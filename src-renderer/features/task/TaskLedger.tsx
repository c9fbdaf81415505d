import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';

const NEWEST = 500;

/** Ledger entries of one task, the newest first. */
export function TaskLedger({ task }: { task: number }) {
  const { t } = useTranslation('task');
  const format = useFormat();
  const { data, error, refetch } = useCall('ledger.list', { task, limit: NEWEST });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="task-pane grow" tabIndex={0} aria-label={t('tab_ledger')}>
      <table>
        <caption className="vh">{t('tab_ledger')}</caption>
        <thead>
          <tr>
            <th className="num">{t('seq')}</th>
            <th>{t('at')}</th>
            <th>{t('kind')}</th>
            <th>{t('data')}</th>
          </tr>
        </thead>
        <tbody>
          {[...data].reverse().map((entry) => (
            <tr key={entry.seq}>
              <td className="num">{entry.seq}</td>
              <td>{format.dateTime(entry.at)}</td>
              <td>
                <code>{entry.kind}</code>
              </td>
              <td className="wrap">
                <SafeLine text={JSON.stringify(entry.data)} most={400} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
