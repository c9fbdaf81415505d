import { useTranslation } from 'react-i18next';
import type { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import { useAction, useConnection, useLost, useTransport } from '../api/api.tsx';
import { Icon } from '../components/Icon.tsx';
import { useNow } from '../hooks/use-now.ts';
import { useFormat } from '../i18n/index.ts';
import { useToast } from './Toast.tsx';
import { useSummary } from './use-summary.ts';

/** At most one band below the header: no connection before a hold before a pause. */
export function Bands() {
  const summary = useSummary();
  if (useConnection() === 'lost') return <OfflineBand />;
  const [hold] = summary?.holds ?? [];
  if (hold !== undefined) return <HoldBand hold={hold} queued={summary?.queued ?? 0} />;
  // While turns go on to their end the chip in the header says so.
  if (summary?.paused === true && summary.pausing === null) return <PausedBand />;
  return null;
}

function OfflineBand() {
  const { t } = useTranslation('hub');
  const format = useFormat();
  const now = useNow();
  const { tryNow } = useTransport();
  const { lostAt, nextTryAt } = useLost();
  return (
    <div className="band">
      <Icon name="offline" />
      <p>
        <span role="alert">
          <b className="strong">{t('offline')}</b>{' '}
          {lostAt !== null && (
            <span className="t2">
              {t('offlineSince', { time: format.exactTime(new Date(lostAt).toISOString()) })}
            </span>
          )}
        </span>{' '}
        <span className="t2">{t('offlineMeans')}</span>{' '}
        {nextTryAt !== null && (
          <span className="t2">{t('nextTry', { length: format.length(Math.max(0, nextTryAt - now)) })}</span>
        )}
      </p>
      <button type="button" className="btn" onClick={tryNow}>
        {t('tryNow')}
      </button>
    </div>
  );
}

function HoldBand({ hold, queued }: { hold: HubSummaryView['holds'][number]; queued: number }) {
  const { t } = useTranslation('hub');
  const format = useFormat();
  const { say } = useToast();
  const resolve = useAction('inbox.resolve');
  return (
    <div className="band wait" role="status">
      <Icon name="hold" />
      <p>
        <b className="strong">{t(`holdTitle_${hold.kind}`)}</b> {t(`holdText_${hold.kind}`)}{' '}
        {hold.until !== null && `${t('holdUntil', { time: format.dateTime(hold.until) })} `}
        {t('holdQueued', { count: queued })}
      </p>
      {hold.item !== null && (
        <button
          type="button"
          className="btn"
          disabled={resolve.isPending}
          onClick={() =>
            resolve.mutate(
              { item: hold.item ?? 0, action: 'check-again' },
              { onError: ({ message }) => say(message) },
            )
          }
        >
          {t('checkAgain')}
        </button>
      )}
    </div>
  );
}

function PausedBand() {
  const { t } = useTranslation('hub');
  const { say } = useToast();
  const unpause = useAction('hub.unpause');
  return (
    <div className="band" role="status">
      <Icon name="parked" />
      <p>
        <b className="strong">{t('paused')}</b> <span className="t2">{t('pausedText')}</span>
      </p>
      <button
        type="button"
        className="btn"
        onClick={() => unpause.mutate({}, { onError: ({ message }) => say(message) })}
      >
        {t('unpause')}
      </button>
    </div>
  );
}
