import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useKeys } from '../../hooks/use-keys.ts';

interface Acts {
  readonly onViewed: (index: number) => void;
  /** @param key of the line, as the diff names it */
  readonly onNote: (index: number, key: string) => void;
}
interface ActiveFile {
  readonly index: number;
  readonly goTo: (index: number) => void;
}

const fileOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-file]') ?? null;
const indexOf = (file: HTMLElement): number => Number(file.dataset['file']);

/** The button of the line that is pointed at, has the focus, or is the first changed one of the file. */
function lineIn(file: HTMLElement): HTMLElement | null {
  const focused = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-note]');
  if (focused !== null && focused !== undefined && file.contains(focused)) return focused;
  const row = file.querySelector('tr:hover');
  return (
    row?.querySelector<HTMLElement>('[data-note]') ??
    file.querySelector<HTMLElement>('.diff-gutter-insert [data-note], .diff-gutter-delete [data-note]')
  );
}

/** `n`, `p`: next and previous file; `v`: viewed; `c`: note on the line; Up and Down between lines. */
export function useFileKeys(section: RefObject<HTMLElement | null>, acts: Acts): ActiveFile {
  const [index, setIndex] = useState(0);
  const at = useRef(0);
  const files = (): HTMLElement[] => [
    ...(section.current?.querySelectorAll<HTMLElement>('[data-file]') ?? []),
  ];
  const goTo = (wanted: number): void => {
    const all = files();
    const file = all[Math.max(0, Math.min(all.length - 1, wanted))];
    if (file === undefined) return;
    at.current = indexOf(file);
    setIndex(at.current);
    file.querySelector<HTMLElement>('.chevron')?.focus();
    file.scrollIntoView({ block: 'start' });
  };
  /** Where the focus is, else where it was. */
  const current = (): HTMLElement | undefined => {
    const focused = fileOf(document.activeElement);
    if (focused !== null) at.current = indexOf(focused);
    return files()[at.current];
  };
  const step = (by: 1 | -1): void => {
    const isInside = fileOf(document.activeElement) !== null;
    const now = current();
    // The first press goes to the file that is there, not past it.
    goTo(now === undefined ? 0 : isInside ? indexOf(now) + by : indexOf(now));
  };
  const moveLine = (by: 1 | -1, event: KeyboardEvent): void => {
    const focused = document.activeElement;
    const file = fileOf(focused);
    if (!(focused instanceof HTMLElement) || file === null) return;
    const lines = [...file.querySelectorAll<HTMLElement>('[data-note]')];
    const isHead = focused.classList.contains('chevron');
    if (!isHead && focused.dataset['note'] === undefined) return;
    event.preventDefault();
    const from = isHead ? -1 : lines.indexOf(focused);
    (lines[from + by] ?? (by === -1 ? file.querySelector<HTMLElement>('.chevron') : null))?.focus();
  };
  useKeys({
    n: () => step(1),
    p: () => step(-1),
    v: () => {
      const file = current();
      if (file !== undefined) acts.onViewed(indexOf(file));
    },
    c: () => {
      const file = current();
      const key = file === undefined ? undefined : lineIn(file)?.dataset['note'];
      if (file !== undefined && key !== undefined) acts.onNote(indexOf(file), key);
    },
  });
  useLineArrows(section, moveLine);
  return { index, goTo };
}

/** Only while a line has the focus: everywhere else these keys scroll or move in the list. */
function useLineArrows(
  section: RefObject<HTMLElement | null>,
  move: (by: 1 | -1, event: KeyboardEvent) => void,
): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move(1, event);
    if (event.key === 'ArrowUp') move(-1, event);
  });
  useEffect(() => {
    const element = section.current;
    element?.addEventListener('keydown', pressed);
    return () => element?.removeEventListener('keydown', pressed);
  }, [section]);
}
