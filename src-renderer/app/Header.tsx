import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
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
  const { status, running, waiting } = useSummary();
  if (status !== undefined && status.killed !== null) {
    return <KilledHeader killed={status.killed} survivors={0} onSearch={onSearch} />;
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
      <span className="grow" />
      <SearchButton onOpen={onSearch} />
      <KillSwitch />
    </header>
  );
}
