import { Dialog } from 'radix-ui';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import { useAction, useConnection } from '../api/api.tsx';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { useFormat } from '../i18n/index.ts';

interface Props {
  readonly summary: HubSummaryView;
  readonly onClose: () => void;
}

/** Going on takes a decision: the focus is on the button that keeps everything stopped. */
export function ReleaseDialog({ summary, onClose }: Props) {
  const { t } = useTranslation('kill');
  const format = useFormat();
  const release = useAction('hub.release');
  const pause = useAction('hub.pause');
  const isOffline = useConnection() !== 'open';
  const returnFocus = useReturnFocus();
  const keep = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { calls, queued } = summary;
  const left = Math.max(0, calls.limit - calls.used);
  const isBusy = isOffline || release.isPending || pause.isPending;

  const go = async (isPaused: boolean): Promise<void> => {
    try {
      // Paused first: between the two nothing may start.
      if (isPaused) await pause.mutateAsync({});
      await release.mutateAsync({ confirmed: true });
      onClose();
    } catch (error) {
      setProblem(t('notReleased', { message: error instanceof Error ? error.message : String(error) }));
    }
  };
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
          className="dialog floating"
          onCloseAutoFocus={returnFocus}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            keep.current?.focus();
          }}
        >
          <Dialog.Title asChild>
            <h2>{t('releaseTitle')}</h2>
          </Dialog.Title>
          <Dialog.Description>
            {t('releaseTasks', { count: queued })}{' '}
            {t('releaseCalls', { left: format.number(left), cap: format.number(calls.limit) })}
          </Dialog.Description>
          <p className="t2">{t('releaseOff')}</p>
          {problem !== null && (
            <p className="c-stop small" role="alert">
              {problem}
            </p>
          )}
          <div className="acts">
            <button ref={keep} type="button" className="btn lg" onClick={onClose}>
              {t('keep')}
            </button>
            <button type="button" className="btn lg" disabled={isBusy} onClick={() => void go(true)}>
              {t('releasePaused')}
            </button>
            <button type="button" className="btn lg primary" disabled={isBusy} onClick={() => void go(false)}>
              {t('releaseNow')}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
