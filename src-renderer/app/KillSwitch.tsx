import { useTranslation } from 'react-i18next';
import { useAction, useConnection, useTransport } from '../api/api.tsx';
import { Icon } from '../components/Icon.tsx';
import { useKeys } from '../hooks/use-keys.ts';
import { useSummary } from './use-summary.ts';
import { useToast } from './Toast.tsx';

/** One press, no question: stopping must be easy, going on must not. */
export function KillSwitch() {
  const { t } = useTranslation('kill');
  const kill = useAction('hub.kill');
  const { canKillAlone } = useTransport();
  const isOffline = useConnection() !== 'open' && !canKillAlone;
  const left = useSummary()?.processes ?? 0;
  const { say } = useToast();
  const engage = (): void => {
    if (kill.isPending || isOffline) return;
    kill.mutate(
      { reason: '' },
      {
        onSuccess: ({ ended, problem }) =>
          say(problem === undefined ? t('receipt', { count: ended.length }) : problem),
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
      {!kill.isPending ? t('button') : left > 0 ? t('stoppingLeft', { count: left }) : t('stopping')}
    </button>
  );
}
