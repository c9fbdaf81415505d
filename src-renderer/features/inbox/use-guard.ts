import { useCallback, useEffect, useRef, useState } from 'react';

/** A double press that answered one item must not answer the next, which has just taken its place. */
export const GUARD_MS = 600;

export interface Guard {
  /** False for a short time after another item has come up. */
  readonly isArmed: boolean;
  /** Whoever has begun to type into the item has seen it. */
  readonly arm: () => void;
}

export function useGuard(item: number): Guard {
  const [armedFor, setArmedFor] = useState<number>(item);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = window.setTimeout(() => setArmedFor(item), GUARD_MS);
    return () => window.clearTimeout(timer);
  }, [item]);
  const arm = useCallback(() => setArmedFor(item), [item]);
  return { isArmed: armedFor === item, arm };
}

/**
 * Whether a click is meant for this item: the second half of a double click, or a key pressed too early, is not.
 *
 * @param detail of the click: 0 came from the keyboard, 2 and more are the later clicks of several
 */
export const isMeant = (guard: Guard, detail: number): boolean => guard.isArmed || detail === 1;
