import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import { Icon } from '../components/Icon.tsx';
import { useFormat } from '../i18n/index.ts';
import { Brand } from './Brand.tsx';
import { ReceiptDialog } from './ReceiptDialog.tsx';
import { ReleaseDialog } from './ReleaseDialog.tsx';
import { SearchButton } from './SearchButton.tsx';

interface Props {
  readonly killed: NonNullable<HubSummaryView['killed']>;
  readonly summary: HubSummaryView;
  readonly onSearch: () => void;
}

/** Takes the place of the header while the kill switch is engaged, at the same height. */
export function KilledHeader({ killed, summary, onSearch }: Props) {
  const { t } = useTranslation('kill');
  const format = useFormat();
  const [shown, setShown] = useState<'receipt' | 'release' | null>(null);
  const { survivors } = summary;
  const lives = survivors.length > 0;
  return (
    <header className="header killed">
      <Brand />
      <p className="row grow" role="alert">
        <Icon name={lives ? 'review' : 'killed'} />
        <span className="clip">
          <b className="strong">{lives ? t('survivors', { count: survivors.length }) : t('killed')}</b>{' '}
          <span className="wide">
            {t('killedBy', { by: killed.by, time: format.moment(killed.since) })}
            {killed.reason !== '' && ` ${t('reason', { reason: killed.reason })}`}
          </span>
        </span>
      </p>
      <button type="button" className="btn ghost" onClick={() => setShown('receipt')}>
        {lives ? t('showIt') : t('showReceipt')}
      </button>
      <SearchButton onOpen={onSearch} />
      <button type="button" className="btn" onClick={() => setShown('release')}>
        <Icon name="kill" />
        {t('release')}
      </button>
      {shown === 'receipt' && (
        <ReceiptDialog killed={killed} survivors={survivors} onClose={() => setShown(null)} />
      )}
      {shown === 'release' && <ReleaseDialog summary={summary} onClose={() => setShown(null)} />}
    </header>
  );
}
