import type { Notifier } from '../../core/ports/notifier.ts';
import type { Log } from '../../core/ports/world.ts';

/**
 * The first backend that shows a notification does; the others are tried in turn. What can be offered is what the
 * first one that works last time can.
 *
 * @param backends best first, at least one
 */
export function withFallback(backends: readonly [Notifier, ...Notifier[]], log: Log): Notifier {
  /** Which backend has shown what: withdrawn where it is. */
  const shownBy = new Map<string, Notifier>();
  let [working] = backends;

  return {
    abilities: () => working.abilities(),
    show: async (notice) => {
      const errors: unknown[] = [];
      for (const backend of backends) {
        try {
          const can = await backend.abilities();
          const shown = await backend.show({
            ...notice,
            buttons: can.buttons ? notice.buttons : [],
            reply: can.reply ? notice.reply : null,
          });
          working = backend;
          shownBy.set(notice.key, backend);
          return shown;
        } catch (error) {
          errors.push(error);
        }
      }
      log.warn('no notification service works', { errors: errors.map(String) });
      throw errors.at(0);
    },
    withdraw: async (key) => {
      await shownBy.get(key)?.withdraw(key);
      shownBy.delete(key);
    },
    onAct: (listener) => {
      const all = backends.map((backend) => backend.onAct(listener));
      return { dispose: () => all.forEach((each) => each.dispose()) };
    },
    dispose: () => backends.forEach((backend) => backend.dispose()),
  };
}
