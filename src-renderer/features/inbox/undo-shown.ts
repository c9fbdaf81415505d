import { useEffect, useSyncExternalStore } from 'react';

let shown: number | null = null;
const listeners = new Set<() => void>();
const listen = (changed: () => void): (() => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};
function become(item: number | null): void {
  shown = item;
  for (const listener of [...listeners]) listener();
}

/** Says that the notice of this item stands, as long as it does. */
export function useShowsUndo(item: number): void {
  useEffect(() => {
    become(item);
    return () => {
      if (shown === item) become(null);
    };
  }, [item]);
}

/** The item whose notice stands: its Undo is there, a second one beside it would only be in the way. */
export const useUndoShown = (): number | null => useSyncExternalStore(listen, () => shown);
