import { useTranslation } from 'react-i18next';
import { useAction, useConnection } from '../api/api.tsx';
import { Icon } from '../components/Icon.tsx';
import { useKeys } from '../hooks/use-keys.ts';
import { useToast } from './Toast.tsx';

/** One press, no question: stopping must be easy, going on must not. */
export function KillSwitch() {
  const { t } = useTranslation('kill');
  const kill = useAction('hub.kill');
  const isOffline = useConnection() !== 'open';
  const { say } = useToast();
  const engage = (): void => {
    if (kill.isPending || isOffline) return;
    kill.mutate(
      { reason: '' },
      {
        onSuccess: ({ ended }) => say(t('receipt', { count: ended.length })),
        onError: ({ message }) => say(t('failed', { message })),
      },
    );
  };
  useKeys({ 'Mod+Shift+k': engage });
  return (
    <button
      type="button"
      className={kill.isPending ? 'btn kill fill-stop' : 'btn kill'}
      aria-keyshortcuts="Control+Shift+K"
      disabled={isOffline}
      {...(isOffline ? { title: t('offlineTitle') } : {})}
      onClick={engage}
    >
      <Icon name="kill" />
      {kill.isPending ? t('stopping') : t('button')}
    </button>
  );
}
