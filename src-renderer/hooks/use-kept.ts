import { useCallback, useEffect, useState } from 'react';

const PREFIX = 'signalbox.';

/** What this window keeps over restarts: drafts, marks, choices of looks. Never anything the hub has to know. */
export function readKept<T>(key: string, otherwise: T): T {
  const stored = localStorage.getItem(PREFIX + key);
  if (stored === null) return otherwise;
  try {
    return JSON.parse(stored) as T;
  } catch {
    return otherwise;
  }
}

/** Null forgets it. */
export function writeKept<T>(key: string, value: T | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A full storage: what is on the screen stays until the window closes.
  }
}

/** State that outlives the window, by key. Another key is another state. */
export function useKept<T>(key: string, otherwise: T): readonly [T, (value: T | null) => void] {
  const [held, setHeld] = useState<{ readonly key: string; readonly value: T }>(() => ({
    key,
    value: readKept(key, otherwise),
  }));
  const value = held.key === key ? held.value : readKept(key, otherwise);
  useEffect(() => {
    if (held.key !== key) setHeld({ key, value: readKept(key, otherwise) });
  }, [held.key, key, otherwise]);
  const set = useCallback(
    (next: T | null) => {
      writeKept(key, next);
      setHeld({ key, value: next ?? otherwise });
    },
    [key, otherwise],
  );
  return [value, set];
}
