import clsx from 'clsx';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';
import type { ItemAction } from '../../../src-shared/model/item.ts';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { Output } from '../../components/Output.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { useKeys, type KeyMap } from '../../hooks/use-keys.ts';
import { useFormat } from '../../i18n/index.ts';
import { DetailFrame } from './DetailFrame.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { DetailProps } from './detail-props.ts';
import { ItemContext } from './ItemContext.tsx';
import { MOST_DIGITS, withoutRepeat } from './Options.tsx';
import { Refusal } from './Refusal.tsx';
import { sendKey } from './ReplyBox.tsx';
import { isMeant } from './use-guard.ts';

/** Ends the task. */
const DESTRUCTIVE: readonly string[] = ['cancel', 'give-up'];
const QUESTION_LINES = 18;
const OUTPUT_LINES = 30;

/** `review` and `manual`: what happened, what can be done about it and what that leads to, then the evidence. */
export function ActionsDetail(props: DetailProps) {
  const { item, context, respond, guard, isDisabled } = props;
  const { t } = useTranslation('inbox');
  /** Name of the action whose value is being written. */
  const [opened, setOpened] = useState<{ readonly item: number; readonly action: string } | null>(null);
  const open = opened?.item === item.number ? opened.action : null;
  const choose = (action: ItemAction): void => {
    if (isDisabled) return;
    if (action.value !== undefined) setOpened({ item: item.number, action: action.name });
    else respond.send({ kind: 'resolve', action: action.name, value: null });
  };
  const byKey = (action: ItemAction) => (event: KeyboardEvent) => {
    if (guard.isArmed && !event.repeat) choose(action);
  };
  const [first] = item.actions;
  const keys: KeyMap = Object.fromEntries(
    item.actions.slice(0, MOST_DIGITS).map((action, index) => [String(index + 1), byKey(action)]),
  );
  useKeys(
    // While a value is being written its own button takes the key.
    first === undefined || open !== null ? keys : { ...keys, 'Mod+Enter': byKey(first) },
  );
  return (
    <DetailFrame item={item}>
      <div className="has-ctx">
        <div>
          <DetailHead item={item} context={context} />
          {item.message !== null && (
            <p className="wrap">
              <SafeText text={item.message} />
            </p>
          )}
          <Budget item={item} />
          <Refusal error={respond.error} />
          <section className="sec">
            <h2>{t('canDo')}</h2>
            <div className="opts" role="group" aria-label={t('canDo')} data-armed={guard.isArmed}>
              {item.actions.map((action, index) =>
                open === action.name ? (
                  <ValueForm
                    key={action.name}
                    action={action}
                    number={index + 1}
                    initial={valueOf(item, action)}
                    isDisabled={isDisabled}
                    onCancel={() => setOpened(null)}
                    onSend={(value) => respond.send({ kind: 'resolve', action: action.name, value })}
                  />
                ) : (
                  <button
                    key={action.name}
                    type="button"
                    className="opt"
                    disabled={isDisabled}
                    data-option={index + 1}
                    onKeyDown={withoutRepeat}
                    onClick={(event) => isMeant(guard, event.detail) && choose(action)}
                  >
                    <ActionLine action={action} number={index + 1}>
                      {index === 0 && open === null && (
                        <kbd className="key go" aria-hidden="true">
                          {sendKey}
                        </kbd>
                      )}
                    </ActionLine>
                  </button>
                ),
              )}
            </div>
          </section>
          <Evidence item={item} />
        </div>
        <ItemContext item={item} context={context} />
      </div>
    </DetailFrame>
  );
}

function ActionLine({
  action,
  number,
  children,
}: {
  action: ItemAction;
  number: number;
  children?: ReactNode;
}) {
  return (
    <>
      {number <= MOST_DIGITS && (
        <kbd className="key" aria-hidden="true">
          {number}
        </kbd>
      )}
      <span>
        <span className={clsx(DESTRUCTIVE.includes(action.name) && 'c-stop')}>{action.title}</span>
        <br />
        <span className="small t2">{action.consequence}</span>
      </span>
      {children}
    </>
  );
}

/** A text that the action begins with, when there is one. */
const valueOf = (item: ItemView, action: ItemAction): string => {
  if (action.name === 'more-questions') return '3';
  if (action.name === 'raise-cap' && item.budget !== null) return String(item.budget.suggestedUsd);
  // A response that was taken back keeps its text.
  return action.name === 'answer' ? (item.answer ?? '') : '';
};

interface FormProps {
  readonly action: ItemAction;
  readonly number: number;
  readonly initial: string;
  readonly isDisabled: boolean;
  readonly onCancel: () => void;
  readonly onSend: (value: string) => void;
}

function ValueForm({ action, number, initial, isDisabled, onCancel, onSend }: FormProps) {
  const { t } = useTranslation('inbox');
  const id = useId();
  const [value, setValue] = useState(initial);
  const isLong = action.name === 'answer';
  const send = (): void => {
    if (!isDisabled && value.trim() !== '') onSend(value.trim());
  };
  useKeys({ 'Mod+Enter': (event) => !event.repeat && send() });
  const box = {
    id,
    value,
    dir: 'auto',
    autoFocus: true,
    onChange: (event: { readonly target: { readonly value: string } }) => setValue(event.target.value),
  };
  return (
    <form
      className="opt opt-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <ActionLine action={action} number={number} />
      <label htmlFor={id}>{action.value}</label>
      {isLong ? <textarea className="ta" {...box} /> : <input className="field" {...box} />}
      <div className="acts">
        <button type="button" className="btn" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button type="submit" className="btn primary" disabled={isDisabled || value.trim() === ''}>
          {action.title}
        </button>
      </div>
    </form>
  );
}

function Budget({ item }: { item: ItemView }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const { budget } = item;
  if (budget === null) return null;
  return (
    <p className="small t2 below">
      {t('budget', {
        spent: format.usd(budget.spentUsd),
        limit: format.usd(budget.limitUsd),
        reserved: format.usd(budget.reservedUsd),
        least: format.usd(budget.leastUsd),
      })}
    </p>
  );
}

/** What shows that it is so: the question that could not be asked, paths, the end of an output. */
function Evidence({ item }: { item: ItemView }) {
  const { t } = useTranslation('inbox');
  const details = item.questionBy === 'agent' ? item.details.slice(1) : item.details;
  const agent = item.agentName ?? item.raisedByName;
  return (
    <>
      {item.questionBy === 'agent' && (
        <section className="sec">
          <AgentBlock
            key={item.number}
            agent={agent}
            text={item.question}
            voice="asks"
            lines={QUESTION_LINES}
          />
        </section>
      )}
      {item.summary.trim() !== '' && (
        <section className="sec">
          <AgentBlock agent={agent} text={item.summary} voice="reports" lines={QUESTION_LINES} isCompact />
        </section>
      )}
      {details.length > 0 && (
        <section className="sec">
          <h2>{t('evidence')}</h2>
          <Output text={details.join('\n')} label={t('evidence')} />
        </section>
      )}
      {item.testTail !== null && (
        <section className="sec">
          <h2>{t('failedOutput')}</h2>
          <Output text={item.testTail} label={t('failedOutput')} lastLines={OUTPUT_LINES} />
        </section>
      )}
    </>
  );
}
