import { NotShownError, type Notifier, type Shown } from '../../core/ports/notifier.ts';
import type { Clock, Log } from '../../core/ports/world.ts';
import { seconds } from '../../../src-shared/time.ts';
import { createActListeners } from './listeners.ts';

/**
 * Letters, digits and punctuation that mean nothing to any shell, to node-notifier's own parser and to markup: on
 * Linux it joins its arguments into one `sh -c` string (electron.md, 3).
 */
const HARMFUL = /[^\p{L}\p{M}\p{N} .,:?!()+@%=/_-]/gu;
const PATIENCE = seconds(5);

/** What is handed to node-notifier: everything else becomes a space, and none begins like an option. */
export const harmless = (text: string): string =>
  text
    .normalize('NFC')
    .replace(HARMFUL, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[-+=@/.]+/, '')
    .replaceAll('!', '.');

export interface TextNotifierOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * node-notifier, where there is no Electron and no session bus answers: text alone, no clicks, no buttons, nothing can
 * be taken back.
 */
export function createTextNotifier(options: TextNotifierOptions): Notifier {
  const listeners = createActListeners();
  return {
    abilities: () => Promise.resolve({ click: false, buttons: false, reply: false, withdraw: false }),
    show: async (notice) => {
      const { default: notifier } = await import('node-notifier');
      return new Promise<Shown>((resolve, reject) => {
        // A callback that never comes (Windows with an application id) is taken for shown.
        const timer = options.clock.after(PATIENCE, () => resolve({ by: 'text', isConfirmed: false }));
        notifier.notify(
          {
            title: harmless(notice.title) || 'Signalbox',
            message: harmless(notice.body) || 'Signalbox',
            // Both are fixed words; anything else would be one more way into the shell's string.
            ...(process.platform === 'linux' ? { urgency: notice.urgency, 'app-name': 'Signalbox' } : {}),
            sound: false,
          } as Parameters<typeof notifier.notify>[0],
          (error) => {
            timer.dispose();
            if (error === null || String(error) === '') resolve({ by: 'text', isConfirmed: true });
            else reject(new NotShownError('failed', error instanceof Error ? error.message : String(error)));
          },
        );
      });
    },
    withdraw: () => Promise.resolve(),
    onAct: (listener) => listeners.add(listener),
    dispose: () => listeners.clear(),
  };
}
