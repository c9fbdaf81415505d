import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Accessible name of the field, such as `Calls a day of invoice-service`. */
  readonly name: string;
  readonly value: number;
  /** Null for what cannot be a value. */
  readonly read: (typed: string) => number | null;
  readonly isPending: boolean;
  readonly onSave: (value: number) => void;
  /** Absent where there is nothing to go back to. */
  readonly onClear?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** A number in the place of the one that is shown; Enter saves, Esc leaves. */
export function ValueEditor({ name, value, read, isPending, onSave, onClear, onClose }: Props) {
  const { t } = useTranslation(['settings', 'app']);
  const [typed, setTyped] = useState(String(value));
  const next = read(typed);
  return (
    <form
      className="row value-editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (next !== null) onSave(next);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        // The person has just asked to type here.
        autoFocus
        className="field"
        aria-label={name}
        aria-invalid={next === null}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className="btn primary" disabled={next === null || isPending}>
        {t('save')}
      </button>
      {onClear !== undefined && (
        <button type="button" className="btn" disabled={isPending} onClick={onClear}>
          {t('useDefault')}
        </button>
      )}
      <button type="button" className="btn quiet" onClick={onClose}>
        {t('app:cancel')}
      </button>
    </form>
  );
}
