import { Dialog } from 'radix-ui';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/api.tsx';
import { Icon } from '../components/Icon.tsx';
import { useFormat } from '../i18n/index.ts';
import { Brand } from './Brand.tsx';
import { SearchButton } from './SearchButton.tsx';
import { useToast } from './Toast.tsx';

interface Props {
  readonly killed: { readonly since: string; readonly reason: string; readonly by: string };
  /** Processes that did not end. */
  readonly survivors: readonly number[];
  readonly onSearch: () => void;
}

/** Takes the place of the header while the kill switch is engaged, at the same height. */
export function KilledHeader({ killed, survivors, onSearch }: Props) {
  const { t } = useTranslation('kill');
  const format = useFormat();
  return (
    <header className="header killed" role="banner">
      <Brand />
      <Icon name={survivors.length > 0 ? 'review' : 'killed'} />
      <span className="grow clip">
        <b className="strong">
          {survivors.length > 0 ? t('survivors', { count: survivors.length }) : t('killed')}
        </b>{' '}
        {t('killedBy', { by: killed.by, time: format.dateTime(killed.since) })}
        {survivors.length > 0 && ` ${t('pids', { pids: survivors.join(', ') })}`}
        {killed.reason !== '' && ` ${t('reason', { reason: killed.reason })}`}
      </span>
      <SearchButton onOpen={onSearch} />
      <ReleaseButton />
    </header>
  );
}

function ReleaseButton() {
  const { t } = useTranslation('kill');
  const [isOpen, setOpen] = useState(false);
  const release = useAction('hub.release');
  const pause = useAction('hub.pause');
  const keep = useRef<HTMLButtonElement>(null);
  const { say } = useToast();
  const go = async (isPaused: boolean): Promise<void> => {
    try {
      // Paused first: between the two nothing may start.
      if (isPaused) await pause.mutateAsync({});
      await release.mutateAsync({ confirmed: true });
      setOpen(false);
    } catch (error) {
      say(t('failed', { message: error instanceof Error ? error.message : String(error) }));
    }
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="btn">{t('release')}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content
          className="dialog floating"
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            keep.current?.focus();
          }}
        >
          <Dialog.Title asChild>
            <h2>{t('releaseTitle')}</h2>
          </Dialog.Title>
          <Dialog.Description>{t('releaseText')}</Dialog.Description>
          <div className="acts">
            <button ref={keep} type="button" className="btn" onClick={() => setOpen(false)}>
              {t('keep')}
            </button>
            <button type="button" className="btn" onClick={() => void go(true)}>
              {t('releasePaused')}
            </button>
            <button type="button" className="btn primary" onClick={() => void go(false)}>
              {t('releaseNow')}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
