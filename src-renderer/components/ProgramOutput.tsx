import { Fragment, useMemo } from 'react';
import { screen } from './SafeText.tsx';

/** Colours and cursor moves of a terminal mean nothing here. */
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** What a program printed: monospace, its colours dropped, other hidden characters named. @param lines last ones; null for all */
export function ProgramOutput({ text, lines }: { text: string; lines: number | null }) {
  const parts = useMemo(() => {
    const plain = text.replace(ANSI, '').trimEnd();
    return screen(lines === null ? plain : plain.split('\n').slice(-lines).join('\n')).parts;
  }, [text, lines]);
  return (
    <pre className="out" tabIndex={0}>
      {parts.map((part, index) => (
        <Fragment key={index}>{part}</Fragment>
      ))}
    </pre>
  );
}
