import { useId, useState, type ReactNode, type Ref } from 'react';
import type { CallError } from '../../api/transport.ts';
import { isMac } from '../../hooks/use-keys.ts';
import { Refusal } from './Refusal.tsx';

export const sendKey = isMac ? '⌘ Enter' : 'Ctrl Enter';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly placeholder: string;
  readonly isDisabled: boolean;
  readonly error: CallError | null;
  /** Said when it is sent without a text; null when that is allowed. */
  readonly whenEmpty: string | null;
  readonly act: string;
  /** At the left of the actions: the destructive one, and where the text goes. */
  readonly children?: ReactNode;
  readonly boxRef?: Ref<HTMLTextAreaElement>;
  readonly sendRef?: Ref<HTMLButtonElement>;
  readonly onType: (text: string) => void;
  /** @param detail of the click, see `isMeant` */
  readonly onSend: (detail: number) => void;
}

/** A text for the agent, with the button that sends it. It grows to ten lines. */
export function ReplyBox(props: Props) {
  const { label, text, placeholder, isDisabled, error, whenEmpty, act, children, onType, onSend } = props;
  const id = useId();
  const [isEmptySent, setEmptySent] = useState(false);
  const words = isEmptySent && text.trim() === '' ? whenEmpty : null;
  const isRefused = error !== null || words !== null;
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={props.boxRef}
        id={id}
        className="ta"
        data-reply
        dir="auto"
        value={text}
        placeholder={placeholder}
        {...(isRefused ? { 'aria-invalid': true, 'aria-describedby': `${id}-refusal` } : {})}
        onChange={(event) => onType(event.target.value)}
      />
      <Refusal error={error} words={words} id={`${id}-refusal`} />
      <div className="acts">
        {children}
        <button
          ref={props.sendRef}
          type="button"
          className="btn lg primary"
          aria-keyshortcuts="Control+Enter"
          disabled={isDisabled}
          data-primary
          onClick={(event) => {
            if (whenEmpty !== null && text.trim() === '') setEmptySent(true);
            else onSend(event.detail);
          }}
        >
          {act}
          <kbd className="key" aria-hidden="true">
            {sendKey}
          </kbd>
        </button>
      </div>
    </>
  );
}
