import { Dialog } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { KeyList } from './KeyList.tsx';

/** Every key of the window in one list. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('keys');
  const returnFocus = useReturnFocus();
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog floating keys"
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
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
