import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import type { DetailProps } from './detail-props.ts';
import { isMeant } from './use-guard.ts';

/** Asks once, since it ends the task. */
export function RejectButton({ item, respond, guard, isDisabled }: DetailProps) {
  const { t } = useTranslation('inbox');
  const id = useId();
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const ask = (): void => {
    if (!isDisabled) setAsking(true);
  };
  useKeys({ x: () => guard.isArmed && ask() });
  return (
    <>
      <button
        type="button"
        className="btn quiet danger"
        aria-keyshortcuts="x"
        disabled={isDisabled}
        onClick={(event) => isMeant(guard, event.detail) && ask()}
      >
        {t('reject')}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={t('rejectTitle', { number: item.number })}
          text={t(item.kind === 'gate' ? 'rejectGate' : 'rejectText')}
          act={t('reject')}
          isDestructive
          isPending={respond.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            respond.send({ kind: 'reject', reason });
          }}
        >
          <div className="reason">
            <label htmlFor={id}>{t('reason')}</label>
            <textarea
              id={id}
              className="ta"
              dir="auto"
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}
