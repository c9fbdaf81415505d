import { Dialog } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import { useCall } from '../api/api.tsx';
import { KILLED_REASON } from '../components/reasons.ts';
import { SafeLine } from '../components/SafeText.tsx';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { useFormat } from '../i18n/index.ts';

const MICRO = 1_000_000;

interface Props {
  readonly killed: NonNullable<HubSummaryView['killed']>;
  /** Process ids found alive now. */
  readonly survivors: readonly number[];
  readonly onClose: () => void;
}

/** What the kill switch achieved: the ledger's receipt, and the tasks that it stopped. */
export function ReceiptDialog({ killed, survivors, onClose }: Props) {
  const { t } = useTranslation(['kill', 'app']);
  const format = useFormat();
  const returnFocus = useReturnFocus();
  const receipts = useCall('ledger.list', { kind: 'kill.receipt', since: killed.since, limit: 1 }).data;
  const receipt = receipts?.[0];
  const stopped = (useCall('task.list', { state: 'ready' }).data ?? []).filter(
    (task) => task.endedReason === KILLED_REASON && task.updatedAt >= killed.since,
  );
  const ended = receipt?.data['ended'];
  const cost = receipt?.data['costMicroUsd'];
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog floating wide-dialog"
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <div className="row receipt-head">
            <Dialog.Title asChild>
              <h2 className="grow">{t('receiptTitle')}</h2>
            </Dialog.Title>
            {receipt !== undefined && (
              <span className="small t3">{t('ledgerEntry', { number: format.number(receipt.seq) })}</span>
            )}
          </div>
          {survivors.length > 0 && (
            <p className="c-stop" role="alert">
              {t('survivors', { count: survivors.length })} {t('pids', { pids: survivors.join(', ') })}
            </p>
          )}
          <div className="receipt">
            <table>
              <caption className="vh">{t('receiptTitle')}</caption>
              <thead>
                <tr>
                  <th>{t('stoppedHead')}</th>
                  <th>{t('projectHead')}</th>
                  <th className="num">{t('costHead')}</th>
                  <th>{t('sessionHead')}</th>
                </tr>
              </thead>
              <tbody>
                {stopped.map((task) => (
                  <tr key={task.id}>
                    <td className="wrap">
                      <Link href={`/task/${task.number}`} onClick={onClose}>
                        <SafeLine text={task.title} />
                      </Link>
                    </td>
                    <td>
                      <SafeLine text={task.project} />
                    </td>
                    <td className="num">{format.usd(task.costUsd)}</td>
                    <td>{task.sessionId === null ? t('startsNew') : t('resumable')}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <td colSpan={2}>
                    {t('endedAlive', {
                      count: Array.isArray(ended) ? ended.length : 0,
                      alive: format.number(survivors.length),
                    })}
                  </td>
                  <td className="num">{typeof cost === 'number' && format.usd(cost / MICRO)}</td>
                  <td />
                </tr>
              </tfoot>
            </table>
          </div>
          <div className="acts">
            <Dialog.Close className="btn lg">{t('app:close')}</Dialog.Close>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
