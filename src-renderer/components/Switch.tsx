import clsx from 'clsx';

interface Props {
  readonly name: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Switch({ name, isOn, isDisabled, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      className={clsx('switch', isOn && 'on')}
      aria-checked={isOn}
      aria-label={name}
      disabled={isDisabled === true}
      onClick={() => onChange(!isOn)}
    />
  );
}
