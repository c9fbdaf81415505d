import { AlertDialog } from 'radix-ui';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly title: string;
  readonly text: string;
  /** Label of the button that does it. */
  readonly act: string;
  readonly onConfirm: () => void;
  /** The button that opens the question. */
  readonly children: ReactElement;
}

/** Asks once before something that cannot be undone; the focus is on leaving it. */
export function Confirm({ title, text, act, onConfirm, children }: Props) {
  const { t } = useTranslation('app');
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger asChild>{children}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="scrim" />
        <AlertDialog.Content className="dialog floating">
          <AlertDialog.Title asChild>
            <h2>{title}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description>{text}</AlertDialog.Description>
          <div className="acts">
            <AlertDialog.Cancel className="btn">{t('cancel')}</AlertDialog.Cancel>
            <AlertDialog.Action className="btn fill-stop" onClick={onConfirm}>
              {act}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
