import { globalShortcut } from 'electron';
import type { Log } from '../../core/ports/world.ts';

export interface Shortcut {
  /** Takes the place of the one before. @returns whether the system gave it to us */
  set(keys: string | null): boolean;
}

/** The keys that open the inbox from anywhere. Wayland asks the person by itself. */
export function createShortcut(pressed: () => void, log: Log): Shortcut {
  let current: string | null = null;
  return {
    set: (keys) => {
      if (keys === current) return true;
      if (current !== null) globalShortcut.unregister(current);
      current = null;
      if (keys === null) return true;
      try {
        if (globalShortcut.register(keys, pressed)) {
          current = keys;
          return true;
        }
      } catch (error) {
        log.warn('the shortcut cannot be read', { error: String(error) });
      }
      log.warn('the shortcut belongs to another program', { keys });
      return false;
    },
  };
}
