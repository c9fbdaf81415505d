import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useReturnFocus } from '../hooks/use-return-focus.ts';

interface Props {
  readonly title: string;
  readonly text: string;
  /** Words of the act, on the button that does it. */
  readonly act: string;
  readonly isDestructive?: boolean;
  readonly isPending?: boolean;
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks once. Focus starts on what decides nothing, and goes back to where it was. */
export function ConfirmDialog({
  title,
  text,
  act,
  isDestructive,
  isPending,
  children,
  onConfirm,
  onClose,
}: Props) {
  const { t } = useTranslation('app');
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
        <Dialog.Content className="dialog floating" onCloseAutoFocus={returnFocus}>
          <Dialog.Title asChild>
            <h2>{title}</h2>
          </Dialog.Title>
          <Dialog.Description>{text}</Dialog.Description>
          {children}
          <div className="acts">
            <button type="button" className="btn" onClick={onClose}>
              {t('cancel')}
            </button>
            <button
              type="button"
              className={isDestructive === true ? 'btn fill-stop' : 'btn primary'}
              disabled={isPending === true}
              onClick={onConfirm}
            >
              {act}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
