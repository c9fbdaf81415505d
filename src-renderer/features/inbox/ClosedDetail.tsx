import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { Output } from '../../components/Output.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { Delivery } from './Delivery.tsx';
import { DetailFrame } from './DetailFrame.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { DetailProps } from './detail-props.ts';
import { readDraft, writeDraft } from './drafts.ts';
import { ItemContext } from './ItemContext.tsx';
import { useUndoShown } from './undo-shown.ts';
import { useUndo } from './UndoToast.tsx';

const LINES = 18;

/** An item that has its response: whose it was, how far it has come, and what was being written meanwhile. */
export function ClosedDetail({ item, context }: DetailProps) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const now = useNow();
  const undo = useUndo();
  const agent = item.agentName ?? item.raisedByName;
  const isReport = item.kind === 'approve' || item.kind === 'gate';
  const agentText = isReport ? item.summary : item.questionBy === 'agent' ? item.question : '';
  const undoShown = useUndoShown();
  const isUndoable =
    undoShown !== item.number && item.dispatchAt !== null && Date.parse(item.dispatchAt) > now;
  const action = item.actions.find((each) => each.name === item.action);
  return (
    <DetailFrame item={item}>
      <div className="has-ctx">
        <div>
          <DetailHead item={item} context={context} />
          <KeptText key={item.number} item={item} />
          {item.message !== null && (
            <p className="wrap">
              <SafeText text={item.message} />
            </p>
          )}
          {agentText.trim() !== '' && (
            <AgentBlock
              key={item.number}
              agent={agent}
              text={agentText}
              voice={isReport ? 'reports' : 'asks'}
              lines={LINES}
              isCompact
            />
          )}
          {item.respondedAt !== null && (
            <section className="sec">
              <div className="you">
                <span className="who">
                  {t('yourAnswer', {
                    who: item.respondedBy ?? '',
                    time: format.dateTime(item.respondedAt),
                  })}
                </span>
                <p className="wrap">
                  {action !== undefined && <>{t('actionTaken', { action: action.title })} </>}
                  {action === undefined && item.answer === null && t(`state_${item.state}`)}
                  {item.answer !== null && <SafeText text={item.answer} />}
                </p>
              </div>
              <Delivery item={item} />
              {isUndoable && (
                <button type="button" className="btn" onClick={() => undo(item, undefined, () => undefined)}>
                  {t('undo')}
                </button>
              )}
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

/** Somebody else was first while a text was being written: it is not thrown away. */
function KeptText({ item }: Pick<DetailProps, 'item'>) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const id = useId();
  const [text, setText] = useState(() => readDraft('draft', item.number) || readDraft('note', item.number));
  if (text === '' || item.respondedAt === null) return null;
  const time = format.time(item.respondedAt);
  return (
    <div className="notice" role="status">
      <p>
        {item.respondedVia === 'system' || item.respondedVia === null
          ? t('closedBySignalbox', { time })
          : t('closedHere', { time, via: t(`via_${item.respondedVia}`) })}
      </p>
      <label htmlFor={id}>{t('yourText')}</label>
      <textarea id={id} className="ta" readOnly dir="auto" value={text} />
      <button
        type="button"
        className="btn"
        onClick={() => {
          writeDraft('draft', item.number, '');
          writeDraft('note', item.number, '');
          setText('');
        }}
      >
        {t('forget')}
      </button>
    </div>
  );
}
