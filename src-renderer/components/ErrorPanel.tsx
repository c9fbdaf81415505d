import { useTranslation } from 'react-i18next';
import type { CallError } from '../api/transport.ts';
import { Icon } from './Icon.tsx';

/** In the place of what could not be shown: what failed, what to do, the stable code. */
export function ErrorPanel({ error, onRetry }: { error: CallError; onRetry?: () => void }) {
  const { t } = useTranslation('app');
  return (
    <div className="failed" role="alert">
      <Icon name="review" />
      <div>
        <p className="strong">{error.message}</p>
        {error.hint !== null && <p className="t2">{error.hint}</p>}
        <p className="small t3">
          {t('nothingChanged')} <code>{error.code}</code>
        </p>
        {onRetry !== undefined && (
          <button type="button" className="btn" onClick={onRetry}>
            {t('tryAgain')}
          </button>
        )}
      </div>
    </div>
  );
}
