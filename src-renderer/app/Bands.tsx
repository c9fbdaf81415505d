import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useAction, useConnection } from '../api/api.tsx';
import { Icon } from '../components/Icon.tsx';
import { useFormat } from '../i18n/index.ts';
import { useSummary } from './use-summary.ts';

/** At most one band below the header: no connection before a hold before a pause. */
export function Bands() {
  const { t } = useTranslation('hub');
  const format = useFormat();
  const summary = useSummary();
  const connection = useConnection();
  const unpause = useAction('hub.unpause');
  const openUntil = useRef<string | null>(null);
  useEffect(() => {
    if (connection !== 'open') return undefined;
    return () => {
      openUntil.current = new Date().toISOString();
    };
  }, [connection]);

  if (connection === 'lost') {
    const since = openUntil.current;
    return (
      <div className="band" role="alert">
        <Icon name="offline" />
        <p>{since === null ? t('offlineNever') : t('offline', { time: format.exactTime(since) })}</p>
      </div>
    );
  }
  const [hold] = summary?.holds ?? [];
  if (hold !== undefined) {
    return (
      <div className="band wait" role="status">
        <Icon name="hold" />
        <p>
          {hold.reason} {hold.until !== null && t('holdUntil', { time: format.dateTime(hold.until) })}
        </p>
        {hold.item !== null && (
          <Link className="btn" href={`/inbox/${hold.item}`}>
            {t('openItem', { number: hold.item })}
          </Link>
        )}
      </div>
    );
  }
  if (summary?.paused === true) {
    return (
      <div className="band wait" role="status">
        <Icon name="parked" />
        <p>{t('paused')}</p>
        <button type="button" className="btn" onClick={() => unpause.mutate({})}>
          {t('unpause')}
        </button>
      </div>
    );
  }
  return null;
}
