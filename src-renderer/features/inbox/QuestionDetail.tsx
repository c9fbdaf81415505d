import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { useKept } from '../../hooks/use-kept.ts';
import { useKeys, type KeyMap } from '../../hooks/use-keys.ts';
import { DetailFrame } from './DetailFrame.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { DetailProps } from './detail-props.ts';
import { draftKey } from './drafts.ts';
import { ItemContext } from './ItemContext.tsx';
import { MOST_DIGITS, Options } from './Options.tsx';
import { RejectButton } from './RejectButton.tsx';
import { ReplyBox } from './ReplyBox.tsx';
import { isMeant } from './use-guard.ts';

/** Lines of the question: fewer with answers below it, so that these are seen at once. */
const [LINES_WITH_OPTIONS, LINES_ALONE] = [10, 18];

/** `specify`: the agent asks, and a person answers in one press or in words. */
export function QuestionDetail(props: DetailProps) {
  const { item, context, respond, guard, isDisabled, isKilled } = props;
  const { t } = useTranslation('inbox');
  const [text, setText] = useKept(draftKey('draft', item.number), '');
  const box = useRef<HTMLTextAreaElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const choose = (option: number): void => {
    if (!isDisabled) respond.send({ kind: 'option', option: String(option) });
  };
  const digits: KeyMap = Object.fromEntries(
    item.options
      .slice(0, MOST_DIGITS)
      .map((_, index) => [String(index + 1), (event) => guard.isArmed && !event.repeat && choose(index + 1)]),
  );
  useKeys({
    ...digits,
    r: () => box.current?.focus(),
    // The click says what an empty reply lacks, as with the pointer.
    'Mod+Enter': (event) => guard.isArmed && !event.repeat && sendButton.current?.click(),
  });
  return (
    <DetailFrame
      item={item}
      actions={
        <div className="in">
          <ReplyBox
            label={t('reply')}
            text={text}
            placeholder={t(item.options.length > 0 ? 'replyHint' : 'replyHintNoOptions')}
            isDisabled={isDisabled}
            error={respond.error}
            whenEmpty={t('emptyReply')}
            act={t('sendReply')}
            boxRef={box}
            sendRef={sendButton}
            onType={(next) => {
              guard.arm();
              respond.clear();
              setText(next === '' ? null : next);
            }}
            onSend={(detail) =>
              isMeant(guard, detail) && respond.send({ kind: 'text', text }, { kind: 'draft', text })
            }
          >
            <RejectButton {...props} />
            <span className="hint grow">
              {isKilled ? t('storedNow') : t('replyGoes', { number: item.number })}
            </span>
          </ReplyBox>
        </div>
      }
    >
      <div className="has-ctx">
        <div>
          <DetailHead item={item} context={context} />
          <AgentBlock
            key={item.number}
            agent={item.agentName ?? item.raisedByName}
            text={item.question}
            voice="asks"
            lines={item.options.length > 0 ? LINES_WITH_OPTIONS : LINES_ALONE}
          />
          <Options
            options={item.options}
            isDisabled={isDisabled}
            isKilled={isKilled}
            guard={guard}
            onChoose={choose}
          />
        </div>
        <ItemContext item={item} context={context} />
      </div>
    </DetailFrame>
  );
}
