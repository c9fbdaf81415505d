import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noteText, type LineNote } from '../../components/diff/line-notes.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { useKept } from '../../hooks/use-kept.ts';
import { useKeys } from '../../hooks/use-keys.ts';
import { testsOf } from './ApprovalFacts.tsx';
import type { DetailProps } from './detail-props.ts';
import { draftKey } from './drafts.ts';
import { Refusal } from './Refusal.tsx';
import { RejectButton } from './RejectButton.tsx';
import { ReplyBox, sendKey } from './ReplyBox.tsx';
import { isMeant } from './use-guard.ts';

interface Props extends DetailProps {
  readonly notes: readonly LineNote[];
  readonly baseBranch: string | null;
  readonly merge: 'merge' | 'ff' | 'none' | null;
}

/** Reject, Send back and Approve; sending back asks for the words first. */
export function ApprovalActions(props: Props) {
  const { item, respond, guard, isDisabled, isKilled, notes, baseBranch, merge } = props;
  const { t } = useTranslation('inbox');
  const [isWriting, setWriting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const approveButton = useRef<HTMLButtonElement>(null);
  const tests = testsOf(item);
  const write = (): void => {
    respond.clear();
    setWriting(true);
  };
  const approve = (): void => {
    if (tests === 'failed' || tests === 'none') setAsking(true);
    else respond.send({ kind: 'approve' });
  };
  useKeys(
    {
      b: () => guard.isArmed && !isDisabled && write(),
      'Mod+Enter': (event) => {
        if (guard.isArmed && !event.repeat) approveButton.current?.click();
      },
    },
    !isWriting,
  );
  if (isWriting) return <NoteBox {...props} onCancel={() => setWriting(false)} />;

  const where =
    item.commit === null
      ? t('approveNothing')
      : merge === null || baseBranch === null
        ? ''
        : t(`approve_${merge}`, { base: baseBranch });
  return (
    <>
      <Refusal error={respond.error} />
      <div className="acts">
        <RejectButton {...props} />
        <span className="hint grow right">{isKilled ? t('storedNow') : where}</span>
        <button
          type="button"
          className="btn lg"
          aria-keyshortcuts="b"
          disabled={isDisabled}
          onClick={(event) => isMeant(guard, event.detail) && write()}
        >
          {t('sendBack')}
          {notes.length > 0 && <span className="t3">{t('notesCount', { count: notes.length })}</span>}
        </button>
        <button
          ref={approveButton}
          type="button"
          className="btn lg primary"
          aria-keyshortcuts="Control+Enter"
          disabled={isDisabled}
          data-primary
          onClick={(event) => isMeant(guard, event.detail) && approve()}
        >
          {t('approve')}
          <kbd className="key" aria-hidden="true">
            {sendKey}
          </kbd>
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('approveTitle', { number: item.number })}
          text={t(tests === 'failed' ? 'approveFailed' : 'approveNoTests')}
          act={t('approve')}
          isPending={respond.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            respond.send({ kind: 'approve' });
          }}
        />
      )}
    </>
  );
}

/** What has to change: words about the whole, with the notes on lines behind them. */
function NoteBox({ item, respond, guard, isDisabled, notes, onCancel }: Props & { onCancel: () => void }) {
  const { t } = useTranslation('inbox');
  const [text, setText] = useKept(draftKey('note', item.number), '');
  const button = useRef<HTMLButtonElement>(null);
  useKeys({
    'Mod+Enter': (event) => {
      if (!event.repeat) button.current?.click();
    },
  });
  const send = (detail: number): void => {
    if (!isMeant(guard, detail)) return;
    // The notes on lines stay with this offer: they are there again when it is taken back.
    respond.send({ kind: 'sendBack', note: noteText(text, notes) }, { kind: 'note', text });
  };
  return (
    <ReplyBox
      label={t('noteForAgent')}
      text={text}
      placeholder={t('noteHint')}
      isDisabled={isDisabled}
      error={respond.error}
      whenEmpty={notes.length > 0 ? null : t('emptyNote')}
      act={t('sendBack')}
      boxRef={focusOnce}
      sendRef={button}
      onType={(next) => {
        guard.arm();
        respond.clear();
        setText(next === '' ? null : next);
      }}
      onSend={send}
    >
      <button type="button" className="btn quiet" onClick={onCancel}>
        {t('cancel')}
      </button>
      <span className="hint grow">{notes.length > 0 && t('noteLines', { count: notes.length })}</span>
    </ReplyBox>
  );
}

/** The box has just come up because a person wants to write. */
const focusOnce = (box: HTMLTextAreaElement | null): void => box?.focus();
