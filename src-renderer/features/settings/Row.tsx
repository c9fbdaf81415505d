import type { ReactNode } from 'react';

interface Props {
  readonly name: ReactNode;
  /** One grey line below the value. */
  readonly note?: ReactNode;
  /** At the right. */
  readonly control?: ReactNode;
  readonly children?: ReactNode;
}

/** A setting: what it is, its value, what changes it. */
export function Row({ name, note, control, children }: Props) {
  return (
    <div className="fr">
      <span>{name}</span>
      <span className="value">
        {children}
        {note !== undefined && <span className="small note">{note}</span>}
      </span>
      <span className="row">{control}</span>
    </div>
  );
}
