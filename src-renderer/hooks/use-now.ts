import { useSyncExternalStore } from 'react';

let now = Date.now();
let timer: number | null = null;
const listeners = new Set<() => void>();

function listen(changed: () => void): () => void {
  listeners.add(changed);
  timer ??= window.setInterval(() => {
    now = Date.now();
    for (const listener of [...listeners]) listener();
  }, 1000);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0 || timer === null) return;
    window.clearInterval(timer);
    timer = null;
  };
}

/** The time, anew each second, from one timer for the whole window. In ms since 1970. */
export function useNow(): number {
  return useSyncExternalStore(listen, () => {
    // With nobody listening nothing moves it on.
    if (timer === null) now = Date.now();
    return now;
  });
}
