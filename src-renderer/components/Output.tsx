import { Fragment, useMemo } from 'react';
import { lastLinesOf, withoutColours } from './output-text.ts';
import { screen } from './SafeText.tsx';

interface Props {
  readonly text: string;
  /** Name of it for who cannot see the frame. */
  readonly label: string;
  /** Shows the end alone. */
  readonly lastLines?: number;
}

/** What a program printed: a fourth, quieter voice. Colours are dropped, other control characters are named. */
export function Output({ text, label, lastLines }: Props) {
  const parts = useMemo(() => {
    const plain = withoutColours(text);
    return screen(lastLines === undefined ? plain : lastLinesOf(plain, lastLines)).parts;
  }, [text, lastLines]);
  return (
    <pre className="out" role="region" aria-label={label} tabIndex={0}>
      {parts.map((part, index) => (
        <Fragment key={index}>{part}</Fragment>
      ))}
    </pre>
  );
}
