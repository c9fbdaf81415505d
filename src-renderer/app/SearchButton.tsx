import { useTranslation } from 'react-i18next';
import { Icon } from '../components/Icon.tsx';
import { isMac } from '../hooks/use-keys.ts';

export function SearchButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('app');
  return (
    <button type="button" className="search" aria-keyshortcuts="Control+K" onClick={onOpen}>
      <Icon name="search" />
      <span>{t('search')}</span>
      <kbd className="key" aria-hidden="true">
        {isMac ? '⌘ K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}
