import { Dialog } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { KeyList } from './KeyList.tsx';

/** Every key of the window in one list. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('keys');
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="dialog floating keys" aria-describedby={undefined}>
          <Dialog.Title asChild>
            <h2>{t('title')}</h2>
          </Dialog.Title>
          <KeyList />
          <div className="acts">
            <button type="button" className="btn" onClick={onClose}>
              {t('close')}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
