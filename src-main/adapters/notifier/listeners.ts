import type { NoticeAct } from '../../core/ports/notifier.ts';
import type { Disposable } from '../../core/ports/world.ts';

/** Who wants to know what a person did with a notification. */
export interface ActListeners {
  add(listener: (act: NoticeAct) => void): Disposable;
  tell(act: NoticeAct): void;
  clear(): void;
}

export function createActListeners(): ActListeners {
  const listeners = new Set<(act: NoticeAct) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    tell: (act) => {
      for (const listener of [...listeners]) listener(act);
    },
    clear: () => listeners.clear(),
  };
}
