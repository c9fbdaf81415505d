import { Dialog } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import type { LedgerEntryView } from '../../../src-shared/api/ledger.ts';
import { SafeText } from '../../components/SafeText.tsx';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { useFormat } from '../../i18n/index.ts';

/** One entry with everything that is hashed. */
export function EntryDialog({ entry, onClose }: { entry: LedgerEntryView; onClose: () => void }) {
  const { t } = useTranslation(['ledger', 'app']);
  const format = useFormat();
  const returnFocus = useReturnFocus();
  const { data, seq, at, ...facts } = entry;
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog floating wide-dialog entry-dialog"
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
        >
          <Dialog.Title asChild>
            <h2>{t('entry', { seq: format.number(seq) })}</h2>
          </Dialog.Title>
          <p className="small t2">
            {format.dateTime(at)} · <code>{at}</code>
          </p>
          <dl>
            {Object.entries(facts)
              .filter(([, value]) => value !== null)
              .map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="mono">
                    <SafeText text={String(value)} />
                  </dd>
                </div>
              ))}
          </dl>
          <pre tabIndex={0} role="region" aria-label={t('head_data')}>
            <SafeText text={JSON.stringify(data, null, 2)} />
          </pre>
          <div className="acts">
            <button type="button" className="btn" onClick={onClose}>
              {t('app:close')}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
