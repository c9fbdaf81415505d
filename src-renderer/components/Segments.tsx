import clsx from 'clsx';

interface Props<Value extends string | number> {
  /** Accessible name of the group. */
  readonly name: string;
  readonly value: Value | null;
  readonly choices: readonly { readonly value: Value; readonly text: string }[];
  readonly onChoose: (value: Value) => void;
}

/** One of a few, side by side: buttons that stay pressed. */
export function Segments<Value extends string | number>({ name, value, choices, onChoose }: Props<Value>) {
  return (
    <div className="seg" role="group" aria-label={name}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={clsx(choice.value === value && 'on')}
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </div>
  );
}
