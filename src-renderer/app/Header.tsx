import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useAction, useConnection } from '../api/api.tsx';
import { Icon } from '../components/Icon.tsx';
import { useFormat } from '../i18n/index.ts';
import { Brand } from './Brand.tsx';
import { KilledHeader } from './KilledHeader.tsx';
import { KillSwitch } from './KillSwitch.tsx';
import { SearchButton } from './SearchButton.tsx';
import { useSummary } from './use-summary.ts';

export function Header({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const summary = useSummary();
  const { running = 0, waiting = 0 } = summary ?? {};
  const connection = useConnection();
  if (connection === 'lost') return <UnknownHeader onSearch={onSearch} />;
  if (summary !== undefined && summary.killed !== null) {
    return <KilledHeader killed={summary.killed} summary={summary} onSearch={onSearch} />;
  }
  return (
    <header className="header">
      <Brand />
      <span className="stat">
        <span className={running > 0 ? 'c-run' : 't3'}>
          <Icon name="running" isSmall />
        </span>
        <b>{format.number(running)}</b> {t('running')}
      </span>
      <Link className="stat" href="/inbox">
        <span className={waiting > 0 ? 'c-wait' : 't3'}>
          <Icon name="waiting" isSmall />
        </span>
        <b>{format.number(waiting)}</b> {t('waitingForYou')}
      </Link>
      {summary !== undefined && summary.pausing !== null && <PausingChip turns={summary.pausing} />}
      <span className="grow" />
      {summary !== undefined && (
        <>
          <span className="stat wide">
            {t('calls')}{' '}
            <b>
              {t('callsOf', {
                used: format.number(summary.calls.used),
                cap: format.number(summary.calls.limit),
              })}
            </b>
          </span>
          <span className="stat wide">
            <b>{format.usd(summary.cost.todayUsd)}</b> {t('estimateToday')}
          </span>
        </>
      )}
      <SearchButton onOpen={onSearch} />
      <KillSwitch />
    </header>
  );
}

/** Without a hub nothing is known: neither that something runs, nor that everything is stopped. */
function UnknownHeader({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('hub');
  return (
    <header className="header">
      <Brand />
      <span className="stat">
        <Icon name="offline" isSmall />
        {t('unknown')}
      </span>
      <span className="grow" />
      <SearchButton onOpen={onSearch} />
      <KillSwitch />
    </header>
  );
}

/** A pause lets turns end; pressing the chip takes it back. */
function PausingChip({ turns }: { turns: number }) {
  const { t } = useTranslation('kill');
  const unpause = useAction('hub.unpause');
  return (
    <button type="button" className="stat chip" title={t('unpauseTitle')} onClick={() => unpause.mutate({})}>
      <span className="c-wait">
        <Icon name="parked" isSmall />
      </span>
      {t('pausing', { count: turns })}
    </button>
  );
}
