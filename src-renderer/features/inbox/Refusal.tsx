import { useTranslation } from 'react-i18next';
import type { CallError } from '../../api/transport.ts';
import { Icon } from '../../components/Icon.tsx';

/** Why a response was not sent, at the place where it was given. */
export function Refusal({
  error,
  words,
  id,
}: {
  error: CallError | null;
  words?: string | null;
  id?: string;
}) {
  const { t } = useTranslation('inbox');
  const text = words ?? (error === null ? null : t('notSent', { message: error.message }));
  return (
    <div role="alert" id={id}>
      {text !== null && (
        <p className="refusal small">
          <Icon name="review" isSmall />
          <span>
            {text} {words === undefined || words === null ? error?.hint : null}
          </span>
        </p>
      )}
    </div>
  );
}
