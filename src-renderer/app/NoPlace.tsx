import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';

/** For an address that leads nowhere, as of an old link or one with a mistake in it. */
export function NoPlace() {
  const { t } = useTranslation('app');
  return (
    <main className="main">
      <div className="scroll" tabIndex={0} role="region" aria-label={t('noPlace')} data-area="detail">
        <div className="nothing-waits">
          <h1>{t('noPlace')}</h1>
          <p className="t2">{t('noPlaceHint')}</p>
          <div className="row">
            <Link className="btn" href="/inbox">
              {t('openInbox')}
            </Link>
          </div>
        </div>
      </div>
    </main>
  );
}
