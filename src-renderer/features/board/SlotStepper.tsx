import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/Icon.tsx';

const MOST = 8;

interface Props {
  /** Accessible name, such as `invoice-service slots`. */
  readonly name: string;
  readonly value: number;
  readonly isDisabled: boolean;
  /** Rejects when it was not taken. */
  readonly onChange: (value: number) => Promise<unknown>;
}

/** A number from 0 to 8: buttons for the pointer, arrows, digits, Home and End for the keyboard. */
export function SlotStepper({ name, value: stored, isDisabled, onChange }: Props) {
  const { t } = useTranslation('board');
  /** What was asked for and is not stored yet: a second press counts from it. */
  const [wanted, setWanted] = useState<number | null>(null);
  const pending = useRef(0);
  const value = wanted ?? stored;
  useEffect(() => {
    if (pending.current === 0) setWanted(null);
  }, [stored]);
  const set = (next: number): void => {
    const within = Math.min(MOST, Math.max(0, next));
    if (within === value || isDisabled) return;
    setWanted(within);
    pending.current += 1;
    onChange(within)
      .catch(() => setWanted(null))
      .finally(() => (pending.current -= 1));
  };
  const keys: Readonly<Record<string, number>> = {
    ArrowUp: value + 1,
    ArrowRight: value + 1,
    ArrowDown: value - 1,
    ArrowLeft: value - 1,
    Home: 0,
    End: MOST,
  };
  return (
    <span
      className="stepper"
      role="spinbutton"
      tabIndex={0}
      aria-label={name}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={MOST}
      aria-disabled={isDisabled}
      onKeyDown={(event) => {
        const next = /^[0-8]$/.test(event.key) ? Number(event.key) : keys[event.key];
        if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        set(next);
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        title={t('fewerSlots')}
        disabled={isDisabled || value === 0}
        onClick={() => set(value - 1)}
      >
        <Icon name="minus" isSmall />
      </button>
      <output>{value}</output>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        title={t('moreSlots')}
        disabled={isDisabled || value === MOST}
        onClick={() => set(value + 1)}
      >
        <Icon name="plus" isSmall />
      </button>
    </span>
  );
}
