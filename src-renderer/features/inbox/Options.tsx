import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeText } from '../../components/SafeText.tsx';
import { isMeant, type Guard } from './use-guard.ts';

interface Props {
  readonly options: readonly string[];
  readonly isDisabled: boolean;
  readonly isKilled: boolean;
  readonly guard: Guard;
  /** @param option its number from 1 */
  readonly onChoose: (option: number) => void;
}

/** Digits reach so many. */
export const MOST_DIGITS = 9;

/** A key that is held down must not press a button a second time. */
export const withoutRepeat = (event: KeyboardEvent): void => {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
};

/** The answers that the agent offers: one press sends one. */
export function Options({ options, isDisabled, isKilled, guard, onChoose }: Props) {
  const { t } = useTranslation('inbox');
  if (options.length === 0) return null;
  return (
    <section className="sec">
      <h2>
        {t('answers')} <span>{t(isKilled ? 'storedNow' : 'onePress')}</span>
      </h2>
      <div className="opts" role="group" aria-label={t('options')} data-armed={guard.isArmed}>
        {options.map((option, index) => (
          <button
            key={index}
            type="button"
            className="opt"
            disabled={isDisabled}
            data-option={index + 1}
            {...(index < MOST_DIGITS ? { 'aria-keyshortcuts': String(index + 1) } : {})}
            onKeyDown={withoutRepeat}
            onClick={(event) => {
              if (isMeant(guard, event.detail)) onChoose(index + 1);
            }}
          >
            {index < MOST_DIGITS && (
              <kbd className="key" aria-hidden="true">
                {index + 1}
              </kbd>
            )}
            <i className="hm" aria-hidden="true" />
            <span className="wrap">
              <SafeText text={option} />
            </span>
            <span className="go" aria-hidden="true">
              {t('enterSends')}
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}
