import { Fragment, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { screen } from '../../components/SafeText.tsx';
import { useKept } from '../../hooks/use-kept.ts';
import { useKeys } from '../../hooks/use-keys.ts';
import { DetailFrame } from './DetailFrame.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { DetailProps } from './detail-props.ts';
import { draftKey } from './drafts.ts';
import { ItemContext } from './ItemContext.tsx';
import { withoutRepeat } from './Options.tsx';
import { permissionInput, programsOf } from './permission-input.ts';
import { Refusal } from './Refusal.tsx';
import { isMeant } from './use-guard.ts';

/**
 * `permission`: a turn stands still until somebody decides. The choices have equal weight, Enter and Ctrl Enter
 * choose nothing, and leaving the item decides nothing.
 */
export function PermissionDetail(props: DetailProps) {
  const { item, context, respond, guard, isDisabled } = props;
  const { t } = useTranslation('inbox');
  const [message, setMessage] = useKept(draftKey('note', item.number), '');
  const [isWriting, setWriting] = useState(false);
  const input = useMemo(() => permissionInput(item.input), [item.input]);
  const title =
    input.command === null
      ? t('useTool', { tool: item.tool ?? '' })
      : t('runCommand', { programs: programsOf(input.command).join(', ') });
  const choices = [
    { words: t('allow'), act: () => respond.send({ kind: 'allow' }) },
    { words: t('deny'), act: () => respond.send({ kind: 'deny', message: '' }) },
    { words: t('denyWithMessage'), act: () => setWriting(true) },
  ];
  const byKey = (index: number) => (event: KeyboardEvent) => {
    if (guard.isArmed && !isDisabled && !event.repeat) choices[index]?.act();
  };
  useKeys({ 1: byKey(0), 2: byKey(1), 3: byKey(2) });
  return (
    <DetailFrame item={item}>
      <div className="has-ctx">
        <div>
          <DetailHead item={item} context={context} title={title} />
          <Request key={item.number} {...props} />
          <Refusal error={respond.error} />
          <section className="sec">
            <h2>
              {t('decide')} <span>{t('thisOnce')}</span>
            </h2>
            <div className="row decide" role="group" aria-label={t('decide')} data-armed={guard.isArmed}>
              {choices.map(({ words, act }, index) => (
                <button
                  key={words}
                  type="button"
                  className="btn lg"
                  aria-keyshortcuts={String(index + 1)}
                  disabled={isDisabled}
                  onKeyDown={withoutRepeat}
                  onClick={(event) => isMeant(guard, event.detail) && act()}
                >
                  {words}
                  <kbd className="key" aria-hidden="true">
                    {index + 1}
                  </kbd>
                </button>
              ))}
            </div>
            {isWriting && (
              <form
                className="below"
                onSubmit={(event) => {
                  event.preventDefault();
                  respond.send({ kind: 'deny', message }, { kind: 'note', text: message });
                }}
              >
                <label htmlFor="deny-message">{t('messageForAgent')}</label>
                <textarea
                  id="deny-message"
                  className="ta"
                  dir="auto"
                  autoFocus
                  value={message}
                  onChange={(event) => setMessage(event.target.value === '' ? null : event.target.value)}
                />
                <div className="acts">
                  <button type="button" className="btn" onClick={() => setWriting(false)}>
                    {t('cancel')}
                  </button>
                  <button type="submit" className="btn" disabled={isDisabled || message.trim() === ''}>
                    {t('denyWithMessage')}
                  </button>
                </div>
              </form>
            )}
          </section>
        </div>
        <ItemContext item={item} context={context} />
      </div>
    </DetailFrame>
  );
}

/** The exact input. A command has line numbers, so that a soft wrap is not mistaken for a new line. */
function Request({ item }: DetailProps) {
  const { t } = useTranslation('inbox');
  const [isJson, setJson] = useState(false);
  const input = useMemo(() => permissionInput(item.input), [item.input]);
  const name = item.agentName ?? item.raisedByName;
  const text = isJson || input.command === null ? input.json : input.command;
  const lines = useMemo(() => text.split('\n').map((line) => screen(line).parts), [text]);
  return (
    <section className="agent compact" aria-label={t('request', { name })}>
      <header>
        <b>{t('wantsToRun', { name })}</b>
        <span>{t('exactInput')}</span>
        <span className="grow" />
        {input.command !== null && (
          <button type="button" className="link" onClick={() => setJson(!isJson)}>
            {isJson ? t('showCommand') : t('showJson')}
          </button>
        )}
      </header>
      <pre className="cmd">
        {lines.map((parts, index) => (
          <span key={index} className="cmd-line">
            <s aria-hidden="true">{index + 1}</s>
            <span>
              {parts.map((part, at) => (
                <Fragment key={at}>{part}</Fragment>
              ))}
            </span>
          </span>
        ))}
      </pre>
      {input.reason !== null && !isJson && (
        <p className="say" dir="auto">
          <span className="t2">{t('itsReason')}</span>
          {screen(input.reason).parts.map((part, at) => (
            <Fragment key={at}>{part}</Fragment>
          ))}
        </p>
      )}
    </section>
  );
}
