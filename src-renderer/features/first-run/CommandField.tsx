import { useTranslation } from 'react-i18next';
import type { InspectProjectView } from '../../../src-shared/api/machine.ts';
import { shellWords } from '../../../src-shared/shell-word.ts';
import { SafeLine } from '../../components/SafeText.tsx';

interface Props {
  readonly id: string;
  readonly label: string;
  /** What it means to leave it empty. */
  readonly none: string;
  readonly value: string;
  readonly suggestions: InspectProjectView['testCommands'];
  readonly onChange: (value: string) => void;
}

/** A command, with what the repository's own files suggest. Suggestions are untrusted: they are text until accepted. */
export function CommandField({ id, label, none, value, suggestions, onChange }: Props) {
  const { t } = useTranslation('first');
  const lines = suggestions.map(({ command, source }) => ({ line: shellWords(command), source }));
  const used = lines.find(({ line }) => line === value);
  const others = lines.filter(({ line }) => line !== value);
  return (
    <div className="fr">
      <label className="t2" htmlFor={id}>
        {label}
      </label>
      <span className="command">
        <input
          id={id}
          className="field mono"
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="small t3">
          {used !== undefined ? (
            <SafeLine text={t('foundIn', { file: used.source })} most={200} />
          ) : value.trim() === '' ? (
            none
          ) : null}
        </span>
        {others.length > 0 && (
          <span className="row suggestions" role="group" aria-label={t('suggestions', { what: label })}>
            {others.map(({ line, source }) => (
              <button
                key={line}
                type="button"
                className="btn mono"
                title={t('foundIn', { file: source })}
                onClick={() => onChange(line)}
              >
                <SafeLine text={line} most={120} />
              </button>
            ))}
          </span>
        )}
      </span>
      <span />
    </div>
  );
}
