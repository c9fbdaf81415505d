import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../src-shared/api/settings.ts';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { Row } from './Row.tsx';

/** Where everything lies. */
export function DataSection({ policy }: { policy: PolicyView }) {
  const { t } = useTranslation('settings');
  const { say } = useToast();
  const backup = useAction('hub.backup');
  const path = (text: string) => (
    <code className="path">
      <SafeLine text={text} most={1000} />
    </code>
  );
  return (
    <>
      <Row
        name={t('dataFolder')}
        note={t('dataFolderNote')}
        control={
          <button
            type="button"
            className="btn"
            disabled={backup.isPending}
            onClick={() =>
              backup.mutate(undefined, {
                onSuccess: (made) => say(t('backedUp', { path: made.path })),
                onError: (error) => say(t('notBackedUp', { message: error.message })),
              })
            }
          >
            {t('backUp')}
          </button>
        }
      >
        {path(policy.dataFolder)}
      </Row>
      <Row name={t('configFile')}>
        {policy.configFile === null ? (
          <span className="t2">{t('noConfigFile', { folder: policy.configFolder })}</span>
        ) : (
          path(policy.configFile)
        )}
      </Row>
      <Row name={t('killFile')} note={t('killFileNote')}>
        {path(policy.killFile)}
      </Row>
    </>
  );
}
