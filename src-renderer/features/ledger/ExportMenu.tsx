import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTransport } from '../../api/api.tsx';
import { callErrorFrom } from '../../api/transport.ts';
import { useToast } from '../../app/Toast.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useFormat } from '../../i18n/index.ts';
import { exportLedger, saveFile, type ExportFormat } from './export-ledger.ts';
import { dayOf } from './range.ts';

/** The whole ledger as a file, whatever is filtered here: only the whole chain can be verified. */
export function ExportMenu() {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const transport = useTransport();
  const { say } = useToast();
  const [read, setRead] = useState<number | null>(null);

  const run = async (kind: ExportFormat): Promise<void> => {
    setRead(0);
    try {
      saveFile(await exportLedger(transport, kind, setRead), `signalbox-ledger-${dayOf(new Date())}.${kind}`);
    } catch (error) {
      say(t('exportFailed', { message: callErrorFrom(error).message }));
    } finally {
      setRead(null);
    }
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className="btn"
        // Not `disabled`, which would take the focus away from it.
        aria-disabled={read !== null}
        onPointerDown={(event) => {
          if (read !== null) event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (read !== null && event.key !== 'Tab') event.preventDefault();
        }}
      >
        <Icon name="export" />
        <span className="label">
          {read === null ? t('export') : t('exporting', { entries: format.number(read) })}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu small-menu" align="end">
          <DropdownMenu.Item onSelect={() => void run('csv')}>{t('exportCsv')}</DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => void run('jsonl')}>{t('exportJsonl')}</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
