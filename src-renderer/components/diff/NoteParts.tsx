import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keyOf } from '../../hooks/use-keys.ts';
import type { LineNote } from './line-notes.ts';

interface FormProps {
  readonly line: number;
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** Below the line it is about. */
export function NoteForm({ line, text, onSave, onCancel }: FormProps) {
  const { t } = useTranslation('diff');
  const id = useId();
  const [value, setValue] = useState(text);
  return (
    <div className="note">
      <div className="you">
        <label htmlFor={id} className="who">
          {t('noteLabel', { line })}
        </label>
        <textarea
          id={id}
          className="ta"
          dir="auto"
          autoFocus
          value={value}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={(event) => {
            // Before the keys of the screen, which mean the item as a whole.
            const key = keyOf(event.nativeEvent);
            if (key !== 'Escape' && key !== 'Mod+Enter') return;
            event.preventDefault();
            event.stopPropagation();
            if (key === 'Escape') onCancel();
            else if (value.trim() !== '' && !event.repeat) onSave(value);
          }}
        />
        <div className="row">
          <button type="button" className="btn" disabled={value.trim() === ''} onClick={() => onSave(value)}>
            {t('saveNote')}
          </button>
          <button type="button" className="btn quiet" onClick={onCancel}>
            {t('cancel')}
          </button>
        </div>
      </div>
    </div>
  );
}

interface ShownProps {
  readonly note: LineNote;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function NoteShown({ note, onEdit, onRemove }: ShownProps) {
  const { t } = useTranslation('diff');
  return (
    <div className="note">
      <div className="you">
        <span className="who">{t('noteOn', { line: note.line })}</span>
        <p className="wrap">{note.text}</p>
        <button type="button" className="link small" onClick={onEdit}>
          {t('editNote')}
        </button>{' '}
        <button type="button" className="link small" onClick={onRemove}>
          {t('removeNote')}
        </button>
      </div>
    </div>
  );
}
