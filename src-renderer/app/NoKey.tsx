import { useTranslation } from 'react-i18next';

/** Shown to a browser that the host does not know: it says how to get in, and nothing else. */
export function NoKey() {
  const { t } = useTranslation('hub');
  return (
    <main className="no-key">
      <h1>{t('refusedTitle')}</h1>
      <p>{t('refusedText')}</p>
    </main>
  );
}
