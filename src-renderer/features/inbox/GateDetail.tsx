import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { Output } from '../../components/Output.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import { DetailFrame } from './DetailFrame.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { DetailProps } from './detail-props.ts';
import { ItemContext } from './ItemContext.tsx';
import { Refusal } from './Refusal.tsx';
import { RejectButton } from './RejectButton.tsx';
import { sendKey } from './ReplyBox.tsx';
import { isMeant } from './use-guard.ts';

const SUMMARY_LINES = 18;

/** `gate`: a workflow stands and asks whether it may go on. */
export function GateDetail(props: DetailProps) {
  const { item, context, respond, guard, isDisabled, isKilled } = props;
  const { t } = useTranslation('inbox');
  const button = useRef<HTMLButtonElement>(null);
  useKeys({ 'Mod+Enter': (event) => guard.isArmed && !event.repeat && button.current?.click() });
  return (
    <DetailFrame
      item={item}
      actions={
        <>
          <Refusal error={respond.error} />
          <div className="acts">
            <RejectButton {...props} />
            <span className="hint grow right">{t(isKilled ? 'storedNow' : 'approveGate')}</span>
            <button
              ref={button}
              type="button"
              className="btn lg primary"
              aria-keyshortcuts="Control+Enter"
              disabled={isDisabled}
              data-primary
              onClick={(event) => isMeant(guard, event.detail) && respond.send({ kind: 'approve' })}
            >
              {t('approve')}
              <kbd className="key" aria-hidden="true">
                {sendKey}
              </kbd>
            </button>
          </div>
        </>
      }
    >
      <div className="has-ctx">
        <div>
          <DetailHead item={item} context={context} />
          <p className="wrap">
            <SafeText text={item.question} />
          </p>
          {item.summary.trim() !== '' && (
            <section className="sec">
              <AgentBlock
                key={item.number}
                agent={item.agentName ?? item.raisedByName}
                text={item.summary}
                voice="reports"
                lines={SUMMARY_LINES}
                isCompact
              />
            </section>
          )}
          {item.details.length > 0 && (
            <section className="sec">
              <h2>{t('details')}</h2>
              <Output text={item.details.join('\n')} label={t('details')} />
            </section>
          )}
        </div>
        <ItemContext item={item} context={context} />
      </div>
    </DetailFrame>
  );
}
